/**
 * How a piece of the text is drawn: a chip in its token's color, or a cut character striped by its tokens.
 *
 * In the view with numbers, token ids stand in rows of their own beneath each line (ids.js), and pieces are drawn as in
 * the text alone; in the view of numbers alone, ids take the place of the pieces.
 */

import { directLineEnds, drawnRightToLeft, hasRightToLeft, lineDirection } from "../shared/text/direction.js";
import { appendMarked } from "../shared/text/invisibles.js";
import { isUnknown } from "../shared/text/speak.js";
import { firstIndex, piecesOf, stripesOf, tokenAt, TYPED } from "../shared/text/tokenization.js";

/** @typedef {import("../shared/text/tokenization.js").TokenizationModel} TokenizationModel */
/** @typedef {import("../shared/text/direction.js").Isolate} Isolate */
/** @typedef {"text" | "both" | "numbers"} View */
/** @typedef {{token: number, bytes: string}} Stripe */
/** @typedef {{model: TokenizationModel, colorOf: (i: number) => string, view: View, isWhole?: boolean}} Paint `isWhole`: lines break
 *    between tokens, and between words where they can */

/**
 * @typedef {object} Look
 * @property {import("../shared/text/tokenization.js").Piece} piece
 * @property {number} offset where it begins in its chunk
 * @property {Stripe[] | null} stripes of a cut character
 * @property {boolean} rightToLeft
 * @property {boolean} breaks whether a line of whole tokens may begin with it
 * @property {string} lineEnd direction of the line that ends in this piece, "" if it doesn't matter
 * @property {[place: number, dir: string][]} bounds of isolates, as `boundsIn` has them
 * @property {string} key equal for pieces that are drawn alike
 */

/** Maximum stripes of a cut character that show their bytes; more show the number of tokens instead. */
export const MAX_LABELED_STRIPES = 4;
/** Maximum UTF-16 units of a token that a line holds whole; longer ones may be wider than the line. */
const MAX_WHOLE = 16;
/** Maximum stripes painted; more would be thinner than the gaps between them. */
const MAX_PAINTED_STRIPES = 12;

/**
 * @param {Paint} paint
 * @param {{text: string, from: number, to: number, element: HTMLElement}} chunk
 * @returns {Look[]}
 */
export function looksOf(paint, chunk) {
  const { model, colorOf, view, isWhole = false } = paint;
  if (view === "numbers") return numberLooks(paint, chunk);
  const bidirectional = hasRightToLeft(chunk.text) || chunk.element.dir === "rtl";
  const isolates = bidirectional ? model.isolates : null;
  const pieces = piecesOf(model, chunk.from, chunk.to);
  return pieces.map((piece, k) => {
    const stripes = piece.first === piece.last ? null : stripesOf(model, piece);
    const rightToLeft = bidirectional && drawnRightToLeftAmong(model.text, isolates, piece.from, piece.to);
    const bounds = isolates ? boundsIn(model.text, isolates.inside, piece.from, piece.to, k === 0) : [];
    const colors = stripes
      ? stripes.map(({ token, bytes }) => colorOf(token) + bytes).join()
      : `${colorOf(piece.first)}${model.special[piece.first] ? kindOfSpecial(model, piece.first) : ""}`;
    const text = model.text.slice(piece.from, piece.to);
    const lineEnd = bidirectional && text.includes("\n") ? lineDirection(isolates?.outside ?? model.text, piece.from) : "";
    const ends = `${piece.opens}|${piece.closes}`;
    const ids = view === "both" ? model.ids.subarray(piece.first, piece.last + 1).join() : "";
    const breaks = isWhole && k > 0 && startsWord(text, model.text.slice(pieces[k - 1].from, piece.from));
    const key = `${colors}|${ends}|${rightToLeft}|${breaks}|${lineEnd}|${bounds.join()}|${ids}|${text}`;
    return { piece, offset: piece.from - chunk.from, stripes, rightToLeft, breaks, lineEnd, bounds, key };
  });
}

/**
 * Whether a piece begins a word: with the space before it, or after a piece that ends in that space. A space that is a
 * token of its own stays with the word that it may be joined to, so that lines break alike before merges and after.
 *
 * @param {string} text @param {string} before the piece before it
 */
export const startsWord = (text, before) => (/^[^\S\n]/.test(text) ? /\S$/.test(before) : /\S[^\S\n]$/.test(before));

/**
 * Whether a range of a text with isolates is drawn right to left at its start.
 *
 * @param {string} text
 * @param {import("../shared/text/direction.js").Isolates | null | undefined} isolates
 * @param {number} from
 * @param {number} to
 */
export function drawnRightToLeftAmong(text, isolates, from, to) {
  const found = isolates?.inside[firstAfter(isolates.inside, from)];
  if (!isolates || !found) return drawnRightToLeft(isolates?.outside ?? text, from, to);
  if (found.from > from) return drawnRightToLeft(isolates.outside, from, Math.min(to, found.from));
  const within = text.slice(found.from, found.to);
  return drawnRightToLeft(within, from - found.from, Math.min(to, found.to) - found.from, found.dir);
}

/**
 * Where isolates begin and end in a part of a text: places in it, with the direction of what begins there, "" for an end.
 * At the end of a line they end by themselves.
 *
 * @param {string} text
 * @param {Isolate[]} inside
 * @param {number} from
 * @param {number} to
 * @param {boolean} isFirst whether those that began before must begin again here
 * @returns {[place: number, dir: string][]}
 */
export function boundsIn(text, inside, from, to, isFirst) {
  /** @type {[number, string][]} */
  const bounds = [];
  for (let k = firstAfter(inside, from); k < inside.length && inside[k].from < to; k++) {
    const { dir, ...place } = inside[k];
    if (place.from >= from || isFirst) bounds.push([Math.max(0, place.from - from), dir]);
    const isOpen = place.to > to || place.to === text.length || text[place.to] === "\n";
    if (!isOpen) bounds.push([place.to - from, ""]);
  }
  return bounds;
}

/** The first isolate that ends after an offset. @param {Isolate[]} inside @param {number} at */
const firstAfter = (inside, at) => firstIndex(inside.length, (k) => inside[k].to > at);

/**
 * The tokens that start in a chunk, each as a piece; one that begins with a line end starts with the text after it.
 *
 * @param {Paint} paint
 * @param {{from: number, to: number}} chunk
 * @returns {Look[]}
 */
function numberLooks({ model, colorOf }, { from, to }) {
  const { starts, ids, text, n } = model;
  /** @type {Look[]} */
  const looks = [];
  const isLast = to === text.length;
  const textOf = (/** @type {number} */ i) => text.slice(starts[i], starts[i + 1]);
  const placeOf = (/** @type {number} */ i) => starts[i] + laterStart(textOf(i));
  let i = Math.max(0, tokenAt(model, from));
  while (i > 0 && starts[i] >= from && starts[i - 1] >= from) i--;
  for (; i < n && (placeOf(i) < to || isLast); i++) {
    if (placeOf(i) < from) continue;
    const piece = { first: i, last: i, from: starts[i], to: starts[i + 1], opens: true, closes: true };
    const isNextLower = i + 1 < n && laterStart(textOf(i + 1)) > 0;
    const lineEnd = isNextLower || endsLine(textOf(i)) ? "\n" : "";
    looks.push({ piece, offset: starts[i] - from, stripes: null, rightToLeft: false, breaks: false, lineEnd, bounds: [], key: `${colorOf(i)}|${ids[i]}|${lineEnd}` });
  }
  return looks;
}

/**
 * Split a piece's text into white space before what its id stands beneath, that itself, which is in one line, and what
 * comes after it from the first line end on. Of white space alone, the id stands at its first line end.
 *
 * @param {string} text
 * @returns {[lead: string, core: string, tail: string]}
 */
export function partsOf(text) {
  const [, lead, core, tail] = /** @type {RegExpMatchArray} */ (text.match(/^(\s*)(\S[^\r\n]*)(.*)$/s) ?? text.match(/^([^\r\n]*)()(.*)$/s));
  return core || tail ? [lead, core, tail] : ["", lead, ""];
}

/** Where a piece that begins with a line end goes on with text in a later line; 0 for any other. @param {string} text */
function laterStart(text) {
  const [lead, core] = partsOf(text);
  return core !== "" && /[\r\n]/.test(lead) ? lead.length : 0;
}

/** Whether a line ends in a token, other than in white space that it begins with. @param {string} text */
const endsLine = (text) => partsOf(text)[2].includes("\n");

/**
 * Draw a token as its id. Between two there is a space, so that lines can wrap; after a token with a line end, a line
 * ends.
 *
 * @param {Paint} paint
 * @param {Look} look
 */
export function numberElement({ model, colorOf }, { piece }) {
  const element = document.createElement("span");
  const special = model.special[piece.first] ? ` ${kindOfSpecial(model, piece.first)}` : "";
  element.className = `t id ${colorOf(piece.first)}${special}`;
  element.textContent = String(model.ids[piece.first]);
  return element;
}

/**
 * @param {TokenizationModel} model
 * @param {number} i
 */
function kindOfSpecial(model, i) {
  if (model.special[i] === TYPED) return "special typed";
  return isUnknown(model, i) ? "unknown" : "special";
}

/**
 * @param {Paint} paint
 * @param {Look} look
 */
export function pieceElement({ model, colorOf }, { piece, stripes, rightToLeft, lineEnd, bounds }) {
  const element = document.createElement("span");
  const text = model.text.slice(piece.from, piece.to);
  const classes = stripes ? ["cut", ...sharedColor(stripes, colorOf)] : ["t", colorOf(piece.first)];
  if (!piece.opens) classes.push("continued");
  // A line end is drawn beside the box of its token, which is open towards it.
  if (!piece.closes || /.\n$/.test(text)) classes.push("continues");
  if (rightToLeft) classes.push("rtl");
  if (text.length > MAX_WHOLE) classes.push("long");
  if (!stripes && model.special[piece.first]) classes.push(kindOfSpecial(model, piece.first));
  if (!model.byteLengths[piece.first]) classes.push("empty");
  element.className = classes.join(" ");
  if (classes.includes("unknown")) element.style.setProperty("--letters", String(piece.to - piece.from));
  let at = 0;
  const append = (/** @type {number} */ to) => {
    const start = piece.from + at;
    appendMarked(element, text.slice(at, to), model.text.slice(Math.max(0, start - 16), start));
    at = to;
  };
  for (const [place, dir] of bounds) {
    if (place === 0 || place === text.length) continue; // before or after the element
    append(place);
    element.append(boundElement(dir));
  }
  append(text.length);
  if (lineEnd) directLineEnds(element, model.isolates?.outside ?? model.text, piece.from);
  if (classes.includes("unknown") && element.querySelector(".newline")) element.classList.add("ending");
  if (stripes) {
    paintStripes(element, stripes, colorOf, rightToLeft);
    writeBytes(element, stripes, rightToLeft);
  }
  return element;
}

/** The beginning of an isolate, or its end: a control character, which is no part of the text. @param {string} dir */
export function boundElement(dir) {
  const element = document.createElement("i");
  element.dataset.isolate = dir;
  return element;
}

/** Return the color that all stripes have, if there is one. @param {Stripe[]} stripes @param {(i: number) => string} colorOf */
function sharedColor(stripes, colorOf) {
  const colors = new Set(stripes.map(({ token }) => colorOf(token)));
  return colors.size === 1 ? colors : [];
}

/**
 * @param {HTMLElement} element
 * @param {Stripe[]} stripes
 * @param {(i: number) => string} colorOf
 * @param {boolean} rightToLeft
 */
function paintStripes(element, stripes, colorOf, rightToLeft) {
  const tints = [];
  const brackets = [];
  for (const [k, { start, end, token }] of placesOf(stripes).entries()) {
    const [from, to] = [percent(start), percent(end)];
    const gap = k > 0 ? `calc(${from} + 2px)` : from;
    tints.push(`var(--behind) ${from} ${gap}, var(--${colorOf(token)}) ${gap} ${to}`);
    const [inFrom, inTo] = [`calc(${from} + 1.5px)`, `calc(${to} - 1.5px)`];
    brackets.push(`transparent ${from} ${inFrom}, var(--ink) ${inFrom} ${inTo}, transparent ${inTo} ${to}`);
  }
  const towards = rightToLeft ? "to left" : "to right";
  const bracket = stripes.length > MAX_LABELED_STRIPES ? ["var(--ink), var(--ink)"] : brackets;
  element.style.setProperty("--stripes", `linear-gradient(${towards}, ${tints.join(", ")})`);
  element.style.setProperty("--brackets", `linear-gradient(${towards}, ${bracket.join(", ")})`);
}

/**
 * Write the bytes of a cut character, which stand below it where it is pointed at, or its number of tokens.
 *
 * @param {HTMLElement} element
 * @param {Stripe[]} stripes
 * @param {boolean} rightToLeft
 */
function writeBytes(element, stripes, rightToLeft) {
  const shown = rightToLeft ? [...stripes].reverse() : stripes;
  const isCounted = stripes.length > MAX_LABELED_STRIPES;
  element.dataset.bytes = isCounted ? `${stripes.length} tokens` : shown.map(({ bytes }) => bytes).join(" ");
}

/**
 * Return where each stripe is painted, as shares of the width, in token order.
 *
 * @param {Stripe[]} stripes
 */
export function placesOf(stripes) {
  const painted = stripes.slice(0, MAX_PAINTED_STRIPES);
  // If the label is a count, stripes need not be as wide as their bytes.
  const weights = painted.map((stripe) => (stripes.length > MAX_LABELED_STRIPES ? 1 : stripe.bytes.length + 1));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let sum = 0;
  return painted.map(({ token }, k) => ({ token, start: sum / total, end: (sum += weights[k]) / total }));
}

/** @param {number} share */
export function percent(share) {
  return `${(share * 100).toFixed(2)}%`;
}
