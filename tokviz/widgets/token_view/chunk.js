/**
 * A chunk of the colored text: a block of a few lines, either plain text or drawn as one span per token.
 */

import { looksOf, numberElement, pieceElement } from "./piece.js";

/** @typedef {import("./piece.js").Paint} Paint */
/** @typedef {import("./piece.js").Look} Look */
/** @typedef {{element: HTMLElement, nodes: Node[], look: Look}} Drawn `nodes`: the element, with what stands before or after it */

/** A range of text in a block of its own. */
export class Chunk {
  /** @type {Drawn[] | null} null while it is plain text */
  drawn = null;
  near = false;
  /** Whether the ids beneath its lines are those of what is drawn (ids.js). */
  areIdsCurrent = false;
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
    this.areIdsCurrent = false;
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
    this.areIdsCurrent = false;
    this.#drawPieces(paint, looks, old);
    for (const { element } of /** @type {Drawn[]} */ (this.drawn)) owners.set(element, this);
  }

  /** @param {Paint} paint @param {Look[]} looks @param {Drawn[] | null} old those that may be reused */
  #drawPieces(paint, looks, old) {
    const reusable = old ? commonLooks(old, looks) : { head: 0, tail: 0 };
    const kept = (/** @type {number} */ k) => {
      if (k < reusable.head) return /** @type {Drawn[]} */ (old)[k];
      const fromEnd = looks.length - k;
      return fromEnd <= reusable.tail ? /** @type {Drawn[]} */ (old).at(-fromEnd) : null;
    };
    this.drawn = looks.map((look, k) => ({ ...(kept(k) ?? drawPiece(paint, look)), look }));
    if (old) this.#replaceMiddle(old, reusable);
    else this.element.replaceChildren(...this.drawn.flatMap(({ nodes }) => nodes));
  }

  /**
   * @param {Drawn[]} old
   * @param {{head: number, tail: number}} reusable
   */
  #replaceMiddle(old, { head, tail }) {
    const drawn = /** @type {Drawn[]} */ (this.drawn);
    for (const { nodes } of old.slice(head, old.length - tail))
      for (const node of nodes) /** @type {Element | Text} */ (node).remove();
    const after = tail ? drawn[drawn.length - tail].nodes[0] : null;
    const fresh = document.createDocumentFragment();
    fresh.append(...drawn.slice(head, drawn.length - tail).flatMap(({ nodes }) => nodes));
    this.element.insertBefore(fresh, after);
  }
}

/**
 * Draw a piece. After an id there is a space, or the end of a line.
 *
 * @param {Paint} paint
 * @param {Look} look
 */
function drawPiece(paint, look) {
  if (paint.view === "numbers") {
    const element = numberElement(paint, look);
    return { element, nodes: [element, document.createTextNode(look.lineEnd || " ")] };
  }
  const element = pieceElement(paint, look);
  return { element, nodes: [element] };
}

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
