/**
 * A chunk of the colored text: a block of a few lines, either plain text or drawn as one span per token.
 *
 * A character cut across tokens is drawn once, striped by its tokens, with each stripe's bytes below.
 */

import { directLineEnds, drawnRightToLeft, hasRightToLeft, lineDirection } from "../shared/text/direction.js";
import { appendMarked, isJoined, isWide } from "../shared/text/marks.js";
import { isUnknown } from "../shared/text/speak.js";
import { piecesOf, stripesOf } from "../shared/text/tokenization.js";

/** @typedef {import("../shared/text/tokenization.js").TokenizationModel} TokenizationModel */
/** @typedef {import("../shared/text/tokenization.js").Piece} Piece */
/** @typedef {{token: number, bytes: string}} Stripe */
/** @typedef {{model: TokenizationModel, colorOf: (i: number) => string}} Paint */
/** @typedef {{piece: Piece, stripes: Stripe[] | null, rightToLeft: boolean, lineEnd: string, key: string}} Look `lineEnd`:
 *    the direction of the line that ends in this piece, "" if it doesn't matter */
/** @typedef {{element: HTMLElement, look: Look}} Drawn */

/** Maximum stripes of a cut character that show their bytes; more show the number of tokens instead. */
const MAX_LABELED_STRIPES = 4;
/** Maximum stripes painted; more would be thinner than their boundaries. */
const MAX_PAINTED_STRIPES = 12;

/** A range of text in a block of its own. */
export class Chunk {
  /** @type {Drawn[] | null} null while it is plain text */
  drawn = null;
  near = false;

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
    const old = this.drawn;
    if (old && old.length === looks.length && looks.every((look, k) => look.key === old[k].look.key)) {
      looks.forEach((look, k) => (old[k].look = look));
      return;
    }
    const reusable = old ? commonLooks(old, looks) : { head: 0, tail: 0 };
    const kept = (/** @type {number} */ k) => {
      if (k < reusable.head) return /** @type {Drawn[]} */ (old)[k].element;
      const fromEnd = looks.length - k;
      return fromEnd <= reusable.tail ? /** @type {Drawn[]} */ (old)[/** @type {Drawn[]} */ (old).length - fromEnd].element : null;
    };
    this.drawn = looks.map((look, k) => ({ element: kept(k) ?? pieceElement(paint, look), look }));
    if (old) this.#replaceMiddle(old, reusable);
    else this.element.replaceChildren(...this.drawn.map(({ element }) => element));
    for (const { element } of this.drawn) owners.set(element, this);
  }

  /**
   * @param {Drawn[]} old
   * @param {{head: number, tail: number}} reusable
   */
  #replaceMiddle(old, { head, tail }) {
    const drawn = /** @type {Drawn[]} */ (this.drawn);
    for (const { element } of old.slice(head, old.length - tail)) element.remove();
    const after = tail ? drawn[drawn.length - tail].element : null;
    const fresh = document.createDocumentFragment();
    for (const { element } of drawn.slice(head, drawn.length - tail)) fresh.append(element);
    this.element.insertBefore(fresh, after);
  }
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

/**
 * @param {Paint} paint
 * @param {Chunk} chunk
 * @returns {Look[]}
 */
function looksOf({ model, colorOf }, chunk) {
  const bidirectional = hasRightToLeft(chunk.text) || chunk.element.dir === "rtl";
  return piecesOf(model, chunk.from, chunk.to).map((piece) => {
    const stripes = piece.first === piece.last ? null : stripesOf(model, piece);
    const rightToLeft = bidirectional && drawnRightToLeft(model.text, piece.from, piece.to);
    const colors = stripes
      ? stripes.map(({ token, bytes }) => colorOf(token) + bytes).join()
      : `${colorOf(piece.first)}${model.special[piece.first] ? kindOfSpecial(model, piece.first) : ""}`;
    const text = model.text.slice(piece.from, piece.to);
    const lineEnd = bidirectional && text.includes("\n") ? lineDirection(model.text, piece.from) : "";
    return { piece, stripes, rightToLeft, lineEnd, key: `${colors}|${piece.opens}|${rightToLeft}|${lineEnd}|${text}` };
  });
}

/**
 * @param {TokenizationModel} model
 * @param {number} i
 */
function kindOfSpecial(model, i) {
  return isUnknown(model, i) ? "unknown" : "special";
}

/**
 * @param {Paint} paint
 * @param {Look} look
 */
function pieceElement({ model, colorOf }, { piece, stripes, rightToLeft, lineEnd }) {
  const element = document.createElement("span");
  const classes = stripes ? ["cut"] : ["t", colorOf(piece.first)];
  if (piece.opens) classes.push("opens");
  if (rightToLeft) classes.push("rtl");
  if (!stripes && model.special[piece.first]) classes.push(kindOfSpecial(model, piece.first));
  if (!model.byteLengths[piece.first]) classes.push("empty");
  element.className = classes.join(" ");
  if (classes.includes("unknown")) element.style.setProperty("--letters", String(piece.to - piece.from));
  appendMarked(element, model.text.slice(piece.from, piece.to), model.text.slice(Math.max(0, piece.from - 16), piece.from));
  if (lineEnd) directLineEnds(element, model.text, piece.from);
  if (stripes) {
    paintStripes(element, stripes, colorOf, piece.opens, rightToLeft);
    writeBytes(element, stripes, model.text.slice(piece.from, piece.to), rightToLeft);
  }
  return element;
}

/**
 * @param {HTMLElement} element
 * @param {Stripe[]} stripes
 * @param {(i: number) => string} colorOf
 * @param {boolean} opens
 * @param {boolean} rightToLeft
 */
function paintStripes(element, stripes, colorOf, opens, rightToLeft) {
  const tints = [];
  const brackets = [];
  for (const [k, { start, end, token }] of placesOf(stripes).entries()) {
    const [from, to] = [percent(start), percent(end)];
    const edge = k > 0 || opens ? `calc(${from} + 1.5px)` : from;
    tints.push(`var(--edge) ${from} ${edge}, var(--${colorOf(token)}) ${edge} ${to}`);
    const [inFrom, inTo] = [`calc(${from} + 1.5px)`, `calc(${to} - 1.5px)`];
    brackets.push(`transparent ${from} ${inFrom}, var(--ink) ${inFrom} ${inTo}, transparent ${inTo} ${to}`);
  }
  const towards = rightToLeft ? "to left" : "to right";
  const bracket = stripes.length > MAX_LABELED_STRIPES ? ["var(--ink), var(--ink)"] : brackets;
  element.style.setProperty("--stripes", `linear-gradient(${towards}, ${tints.join(", ")})`);
  element.style.setProperty("--brackets", `linear-gradient(${towards}, ${bracket.join(", ")})`);
}

/**
 * Write the bytes of a cut character below it, or its number of tokens. The glyph is widened to make room for them,
 * except for a letter that joins its neighbors: its two bytes are stacked.
 *
 * @param {HTMLElement} element
 * @param {Stripe[]} stripes
 * @param {string} text
 * @param {boolean} rightToLeft
 */
function writeBytes(element, stripes, text, rightToLeft) {
  const bytes = stripes.map((stripe) => stripe.bytes.toLowerCase());
  if (isJoined(text) && bytes.join().length === "d9,82".length) {
    element.classList.add("joined");
    element.dataset.bytes = bytes.join("\n");
    return;
  }
  if (isWide(text)) element.classList.add("wide");
  const label = stripes.length > MAX_LABELED_STRIPES ? `${stripes.length} tokens` : (rightToLeft ? bytes.reverse() : bytes).join(" ");
  element.dataset.bytes = label;
  element.style.setProperty("--length", String(label.length + 1));
}

/**
 * Return where each stripe is painted, as shares of the width, in token order.
 *
 * @param {Stripe[]} stripes
 */
export function placesOf(stripes) {
  const painted = stripes.slice(0, MAX_PAINTED_STRIPES);
  // If the label is a count, stripes need not be as wide as their bytes.
  const weights = painted.map(({ bytes }) => (stripes.length > MAX_LABELED_STRIPES ? 1 : (bytes.length + 1) / 3));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let sum = 0;
  return painted.map(({ token }, k) => ({ token, start: sum / total, end: (sum += weights[k]) / total }));
}

/** @param {number} share */
export function percent(share) {
  return `${(share * 100).toFixed(2)}%`;
}
