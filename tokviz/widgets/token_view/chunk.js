/**
 * A chunk of the colored text: a block of a few lines, either plain text or drawn as one span per token.
 */

import { looksOf, numberElement, pieceElement } from "./piece.js";

/** @typedef {import("./piece.js").Paint} Paint */
/** @typedef {import("./piece.js").Look} Look */
/** @typedef {{element: HTMLElement, look: Look}} Drawn */

/** A range of text in a block of its own. */
export class Chunk {
  /** @type {Drawn[] | null} null while it is plain text */
  drawn = null;
  near = false;
  /** The view that it is drawn in. */
  #view = "";

  /**
   * @param {string} text
   * @param {number} from its start in the whole text
   * @param {"auto" | "ltr" | "rtl"} dir
   */
  constructor(text, from, dir) {
    this.text = text;
    this.from = from;
    this.element = document.createElement("div");
    this.element.className = "chunk";
    this.element.dir = dir;
    this.element.textContent = text;
  }

  get to() {
    return this.from + this.text.length;
  }

  clear() {
    if (!this.drawn) return;
    this.drawn = null;
    this.element.textContent = this.text;
  }

  /**
   * Draw the chunk's tokens, reusing elements whose look did not change.
   *
   * @param {Paint} paint
   * @param {WeakMap<Element, Chunk>} owners
   */
  draw(paint, owners) {
    const looks = looksOf(paint, this);
    const old = this.#view === paint.view ? this.drawn : null;
    this.#view = paint.view;
    if (old && old.length === looks.length && looks.every((look, k) => look.key === old[k].look.key)) {
      looks.forEach((look, k) => (old[k].look = look));
      return;
    }
    if (paint.view === "numbers") this.#drawNumbers(paint, looks);
    else this.#drawText(paint, looks, old);
    for (const { element } of /** @type {Drawn[]} */ (this.drawn)) owners.set(element, this);
  }

  /** @param {Paint} paint @param {Look[]} looks */
  #drawNumbers(paint, looks) {
    this.drawn = looks.map((look) => ({ element: numberElement(paint, look), look }));
    this.element.replaceChildren(...this.drawn.flatMap(({ element, look }) => [element, look.lineEnd || " "]));
  }

  /** @param {Paint} paint @param {Look[]} looks @param {Drawn[] | null} old those that may be reused */
  #drawText(paint, looks, old) {
    const reusable = old ? commonLooks(old, looks) : { head: 0, tail: 0 };
    const kept = (/** @type {number} */ k) => {
      if (k < reusable.head) return /** @type {Drawn[]} */ (old)[k].element;
      const fromEnd = looks.length - k;
      return fromEnd <= reusable.tail ? /** @type {Drawn[]} */ (old)[/** @type {Drawn[]} */ (old).length - fromEnd].element : null;
    };
    this.drawn = looks.map((look, k) => ({ element: kept(k) ?? pieceElement(paint, look), look }));
    if (old) this.#replaceMiddle(old, reusable);
    else this.element.replaceChildren(...this.drawn.flatMap(nodesOf));
  }

  /**
   * @param {Drawn[]} old
   * @param {{head: number, tail: number}} reusable
   */
  #replaceMiddle(old, { head, tail }) {
    const drawn = /** @type {Drawn[]} */ (this.drawn);
    for (const piece of old.slice(head, old.length - tail)) {
      firstNode(piece).remove();
      piece.element.remove();
    }
    const after = tail ? firstNode(drawn[drawn.length - tail]) : null;
    const fresh = document.createDocumentFragment();
    fresh.append(...drawn.slice(head, drawn.length - tail).flatMap(nodesOf));
    this.element.insertBefore(fresh, after);
  }
}

/** New nodes of a piece: where a line may wrap before it, a mark that says so stands before its element. @param {Drawn} piece */
const nodesOf = ({ element, look }) => (look.isWhole ? [document.createElement("wbr"), element] : [element]);

/** The first of these nodes, once they are in the page. @param {Drawn} piece */
const firstNode = ({ element, look }) => (look.isWhole ? /** @type {Element} */ (element.previousElementSibling) : element);

/**
 * Count the looks that are equal at the start and at the end.
 *
 * @param {Drawn[]} old
 * @param {Look[]} looks
 */
function commonLooks(old, looks) {
  const most = Math.min(old.length, looks.length);
  let head = 0;
  while (head < most && old[head].look.key === looks[head].key) head++;
  let tail = 0;
  while (tail < most - head && old[old.length - 1 - tail].look.key === looks[looks.length - 1 - tail].key) tail++;
  return { head, tail };
}
