/**
 * A chunk of the colored text: a block of a few lines, either plain text or drawn as one span per token.
 */

import { boundElement, looksOf, numberElement, pieceElement } from "./piece.js";

/** @typedef {import("./piece.js").Paint} Paint */
/** @typedef {import("./piece.js").Look} Look */
/** @typedef {{element: HTMLElement, nodes: Node[], look: Look}} Drawn `nodes`: the element, with what stands before or after it */

/** A range of text in a block of its own. */
export class Chunk {
  /** @type {Drawn[] | null} null while it is plain text, or outdated */
  drawn = null;
  near = false;
  /** Whether the ids beneath its lines are those of what is drawn (ids.js). */
  areIdsCurrent = false;
  /** The view that it is drawn in. */
  #view = "";
  /** What is drawn of other tokens than those shown now. @type {Drawn[] | null} */
  #outdated = null;

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
    if (!this.drawn && !this.#outdated) return;
    this.drawn = this.#outdated = null;
    this.areIdsCurrent = false;
    this.element.textContent = this.text;
  }

  /** Leave what is drawn of other tokens of the same text, until the chunk is drawn or cleared. */
  outdate() {
    this.#outdated ??= this.drawn;
    this.drawn = null;
    this.areIdsCurrent = false;
  }

  /**
   * Draw the chunk's tokens, reusing elements whose look did not change.
   *
   * @param {Paint} paint
   * @param {WeakMap<Element, Chunk>} owners
   */
  draw(paint, owners) {
    const looks = looksOf(paint, this);
    const old = this.#view === paint.view ? (this.drawn ?? this.#outdated) : null;
    this.#view = paint.view;
    if (this.#outdated) this.areIdsCurrent = false;
    this.#outdated = null;
    if (old && old.length === looks.length && looks.every((look, k) => look.key === old[k].look.key)) {
      looks.forEach((look, k) => (old[k].look = look));
      this.drawn = old;
      return;
    }
    this.areIdsCurrent = false;
    this.#drawPieces(paint, looks, old);
    for (const { element } of /** @type {Drawn[]} */ (this.drawn)) owners.set(element, this);
  }

  /** @param {Paint} paint @param {Look[]} looks @param {Drawn[] | null} old those that may be reused */
  #drawPieces(paint, looks, old) {
    const kept = old ? reusable(old, looks) : [];
    const drawn = looks.map((look, k) => ({ ...(kept[k] ?? drawPiece(paint, look)), look }));
    this.drawn = drawn;
    if (!old) return this.element.replaceChildren(...drawn.flatMap(({ nodes }) => nodes));
    const isKept = new Set(kept);
    for (const each of old) if (!isKept.has(each)) for (const node of each.nodes) /** @type {Element | Text} */ (node).remove();
    this.#insert(drawn, (k) => kept[k] !== null);
  }

  /** Insert the new ones among what is drawn, each run of them at once. @param {Drawn[]} drawn @param {(k: number) => boolean} isKept */
  #insert(drawn, isKept) {
    /** @type {Node | null} */
    let after = null;
    for (let end = drawn.length; end > 0; ) {
      let start = end;
      while (start > 0 && !isKept(start - 1)) start--;
      const run = document.createDocumentFragment();
      run.append(...drawn.slice(start, end).flatMap(({ nodes }) => nodes));
      if (end > start) this.element.insertBefore(run, after);
      if (start > 0) after = drawn[start - 1].nodes[0];
      end = start - 1;
    }
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
  const { bounds, piece } = look;
  const before = bounds.filter(([place]) => place === 0).map(([, dir]) => boundElement(dir));
  if (look.breaks) before.unshift(document.createElement("wbr"));
  const after = bounds.filter(([place]) => place === piece.to - piece.from).map(([, dir]) => boundElement(dir));
  return { element, nodes: [...before, element, ...after] };
}

/**
 * What is drawn already for each look, null for nothing: at the start and at the end, as far as the looks are equal, and
 * between them where an equal one begins at the same place.
 *
 * @param {Drawn[]} old
 * @param {Look[]} looks
 * @returns {(Drawn | null)[]}
 */
function reusable(old, looks) {
  const most = Math.min(old.length, looks.length);
  let head = 0;
  while (head < most && old[head].look.key === looks[head].key) head++;
  let tail = 0;
  while (tail < most - head && old[old.length - 1 - tail].look.key === looks[looks.length - 1 - tail].key) tail++;
  let at = head;
  return looks.map(({ key, offset }, k) => {
    if (k < head) return old[k];
    if (k >= looks.length - tail) return old[k - looks.length + old.length];
    while (at < old.length - tail && old[at].look.offset < offset) at++;
    const isSame = at < old.length - tail && old[at].look.offset === offset && old[at].look.key === key;
    return isSame ? old[at++] : null;
  });
}
