/**
 * How a piece of the text is drawn: a chip in its token's color, or a cut character striped by its tokens.
 *
 * In the view with numbers, token ids stand beneath the pieces; in that of numbers alone, in their place.
 */

import { directLineEnds, drawnRightToLeft, hasRightToLeft, lineDirection, runsAgainstLine } from "../shared/text/direction.js";
import { appendMarked, isJoined, isWide } from "../shared/text/invisibles.js";
import { isUnknown } from "../shared/text/speak.js";
import { piecesOf, stripesOf, tokenAt } from "../shared/text/tokenization.js";
import { labelsOf, laterStart, partsOf } from "./numbers.js";

/** @typedef {import("../shared/text/tokenization.js").TokenizationModel} TokenizationModel */
/** @typedef {import("../shared/text/tokenization.js").Piece} Piece */
/** @typedef {import("./numbers.js").Label} Label */
/** @typedef {"text" | "both" | "numbers"} View */
/** @typedef {{token: number, bytes: string, id?: string}} Stripe `id` is to be written beneath, if there is any */
/** @typedef {{model: TokenizationModel, colorOf: (i: number) => string, view: View, measure: import("./numbers.js").Measure}} Paint */

/**
 * @typedef {object} Look
 * @property {Piece} piece
 * @property {Stripe[] | null} stripes of a cut character
 * @property {boolean} rightToLeft
 * @property {string} lineEnd direction of the line that ends in this piece, "" if it doesn't matter
 * @property {Label | null} label
 * @property {boolean} isWhole whether lines wrap before the piece, not within it: so it is in the view with numbers, in
 *   which lines needn't correspond with the editor's, for a piece that starts with a space or is widened for its id
 * @property {string} key equal for pieces that are drawn alike
 */

/** Maximum stripes of a cut character that show their bytes; more show the number of tokens instead. */
const MAX_LABELED_STRIPES = 4;
/** Maximum length of a piece that is never wrapped, in UTF-16 units: it has to fit into a phone's line. */
const MAX_WHOLE = 16;
/** Maximum stripes painted; more would be thinner than the gaps between them. */
const MAX_PAINTED_STRIPES = 12;

/**
 * @param {Paint} paint
 * @param {{text: string, from: number, to: number, element: HTMLElement}} chunk
 * @returns {Look[]}
 */
export function looksOf(paint, chunk) {
  const { model, colorOf, view } = paint;
  if (view === "numbers") return numberLooks(paint, chunk);
  const bidirectional = hasRightToLeft(chunk.text) || chunk.element.dir === "rtl";
  const pieces = piecesOf(model, chunk.from, chunk.to);
  const isParted = (/** @type {Piece} */ { from, to }) => bidirectional && runsAgainstLine(model.text, from, to);
  const labels = view === "both" ? labelsOf(model, pieces, paint.measure, isParted) : null;
  return pieces.map((piece, k) => {
    const label = labels && labels[k];
    const stripes = piece.first === piece.last ? null : withIds(stripesOf(model, piece), label?.ids ?? "");
    const rightToLeft = bidirectional && drawnRightToLeft(model.text, piece.from, piece.to);
    const colors = stripes
      ? stripes.map(({ token, bytes }) => colorOf(token) + bytes).join()
      : `${colorOf(piece.first)}${model.special[piece.first] ? kindOfSpecial(model, piece.first) : ""}`;
    const text = model.text.slice(piece.from, piece.to);
    const lineEnd = bidirectional && text.includes("\n") ? lineDirection(model.text, piece.from) : "";
    // A line could also wrap between a letter and the room after it.
    const mayPart = text.startsWith(" ") || (label !== null && !label.run && label.room[1] > 0);
    const isWhole = view === "both" && !stripes && piece.opens && text.length <= MAX_WHOLE && mayPart;
    const ends = `${piece.opens}|${piece.closes}`;
    const key = `${colors}|${ends}|${rightToLeft}|${lineEnd}|${label ? `${label.ids}|${label.room}|${label.run?.inset ?? ""}` : ""}|${text}`;
    return { piece, stripes, rightToLeft, lineEnd, label, isWhole, key };
  });
}

/**
 * Give each stripe its token's id. A token that starts in an earlier piece has its id there.
 *
 * @param {Stripe[]} stripes
 * @param {string} ids
 * @returns {Stripe[]}
 */
function withIds(stripes, ids) {
  if (!ids || stripes.length > MAX_LABELED_STRIPES) return stripes; // the card has them
  const own = ids.split(" ");
  return stripes.map((stripe, k) => ({ ...stripe, id: own[k - (stripes.length - own.length)] ?? "" }));
}

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
    looks.push({ piece, stripes: null, rightToLeft: false, lineEnd, label: null, isWhole: false, key: `${colorOf(i)}|${ids[i]}|${lineEnd}` });
  }
  return looks;
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
  return isUnknown(model, i) ? "unknown" : "special";
}

/**
 * @param {Paint} paint
 * @param {Look} look
 */
export function pieceElement({ model, colorOf }, { piece, stripes, rightToLeft, lineEnd, label, isWhole }) {
  const element = document.createElement("span");
  const text = model.text.slice(piece.from, piece.to);
  const classes = stripes ? ["cut", ...sharedColor(stripes, colorOf)] : ["t", colorOf(piece.first)];
  if (!piece.opens) classes.push("continued");
  // A line end is drawn beside the box of its token, which is open towards it.
  if (!piece.closes || /.\n$/.test(text)) classes.push("continues");
  if (rightToLeft) classes.push("rtl");
  if (isWhole) classes.push("whole");
  if (!stripes && model.special[piece.first]) classes.push(kindOfSpecial(model, piece.first));
  if (!model.byteLengths[piece.first]) classes.push("empty");
  element.className = classes.join(" ");
  if (classes.includes("unknown")) element.style.setProperty("--letters", String(piece.to - piece.from));
  const before = model.text.slice(Math.max(0, piece.from - 16), piece.from);
  if (label?.ids && !stripes) appendLabeled(element, text, before, label, lineEnd);
  else appendMarked(element, text, before);
  if (label && !stripes) makeRoom(element, label, rightToLeft);
  if (lineEnd) directLineEnds(element, model.text, piece.from);
  if (classes.includes("unknown") && element.querySelector(".newline")) element.classList.add("ending");
  if (stripes) {
    paintStripes(element, stripes, colorOf, rightToLeft);
    writeBytes(element, stripes, text, rightToLeft);
  }
  return element;
}

/** Return the color that all stripes have, if there is one. @param {Stripe[]} stripes @param {(i: number) => string} colorOf */
function sharedColor(stripes, colorOf) {
  const colors = new Set(stripes.map(({ token }) => colorOf(token)));
  return colors.size === 1 ? colors : [];
}

/**
 * Append a piece's text, with the element beneath which its ids stand: its text without white space before it. The ids
 * of a line end stand before it, since what comes after it belongs to the next line.
 *
 * @param {HTMLElement} element
 * @param {string} text
 * @param {string} before the preceding text
 * @param {Label} label
 * @param {string} lineEnd as in `Look`
 */
function appendLabeled(element, text, before, { ids, run }, lineEnd) {
  const [lead, core, tail] = partsOf(text);
  if (lead) appendMarked(element, lead, before);
  let labeled = document.createElement("span");
  if (core) {
    appendMarked(labeled, core, before + lead);
    element.append(labeled);
  }
  if (tail) {
    const first = element.childNodes.length;
    appendMarked(element, tail, before + lead + core);
    if (!core) labeled = element;
    else for (const mark of Array.from(element.children).slice(first)) mark.classList.remove("leads");
  }
  labeled.classList.add("labeled");
  if (labeled === element) labeled.classList.add("ahead", ...(lineEnd === "rtl" ? ["leftwards"] : []));
  if (run) {
    labeled.classList.add("run");
    if (run.isCut) labeled.classList.add("below");
    labeled.style.setProperty("--inset", run.inset.toFixed(2));
  }
  labeled.dataset.ids = ids;
}

/**
 * Make room for ids that are wider than their text: within a chip, but beside a run, whose room is no token's.
 *
 * @param {HTMLElement} element
 * @param {Label} label
 * @param {boolean} rightToLeft
 */
function makeRoom(element, { room, isParted, run }, rightToLeft) {
  const [left, right] = rightToLeft ? [room[1], room[0]] : room;
  const side = run ? "margin" : "padding";
  const { style } = (isParted && /** @type {HTMLElement | null} */ (element.querySelector(".labeled"))) || element;
  if (left) style.setProperty(`${side}-left`, `${left.toFixed(2)}em`);
  if (right) style.setProperty(`${side}-right`, `${right.toFixed(2)}em`);
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
 * Write the bytes of a cut character below it, or its number of tokens, and beneath each stripe's bytes its id, if there
 * is one to write. Then the glyph is widened to make room for them, except for a letter that joins its neighbors: its two
 * bytes are stacked.
 *
 * @param {HTMLElement} element
 * @param {Stripe[]} stripes
 * @param {string} text
 * @param {boolean} rightToLeft
 */
function writeBytes(element, stripes, text, rightToLeft) {
  const shown = rightToLeft ? [...stripes].reverse() : stripes;
  const isCounted = stripes.length > MAX_LABELED_STRIPES;
  if (isJoined(text) && stripes.map(({ bytes }) => bytes).join().length === "d9,82".length) {
    element.classList.add("joined");
    element.dataset.bytes = stripes.map(({ bytes }) => bytes).join("\n");
    element.dataset.ids = stripes.flatMap(({ id }) => id || []).join(" ");
    return;
  }
  if (isWide(text)) element.classList.add("wide");
  const label = isCounted ? `${stripes.length} tokens` : shown.map((stripe) => centered(stripe.bytes, widthOf(stripe))).join(" ");
  element.dataset.bytes = label;
  element.dataset.ids = isCounted ? "" : shown.map((stripe) => centered(stripe.id ?? "", widthOf(stripe))).join(" ");
  element.style.setProperty("--length", String(label.length + 1));
}

/** Letters that the bytes of a stripe, and its id, take. @param {Stripe} stripe */
const widthOf = ({ bytes, id = "" }) => Math.max(bytes.length, id.length);

/** @param {string} text @param {number} width in letters */
function centered(text, width) {
  return text.padStart(Math.ceil((width + text.length) / 2)).padEnd(width);
}

/**
 * Return where each stripe is painted, as shares of the width, in token order.
 *
 * @param {Stripe[]} stripes
 */
export function placesOf(stripes) {
  const painted = stripes.slice(0, MAX_PAINTED_STRIPES);
  // If the label is a count, stripes need not be as wide as their bytes.
  const weights = painted.map((stripe) => (stripes.length > MAX_LABELED_STRIPES ? 1 : widthOf(stripe) + 1));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let sum = 0;
  return painted.map(({ token }, k) => ({ token, start: sum / total, end: (sum += weights[k]) / total }));
}

/** @param {number} share */
export function percent(share) {
  return `${(share * 100).toFixed(2)}%`;
}
