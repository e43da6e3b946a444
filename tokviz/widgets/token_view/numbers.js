/**
 * Token ids beneath the pieces of the text: which id stands where, and the room that it needs.
 *
 * Ids are written by the stylesheet from an attribute, so that they are never part of the text. A piece that is narrower
 * than its id is widened. Letters that join their neighbors may not be set apart: the ids of such a run stand together
 * beneath its middle, in the order in which its letters are drawn.
 */

import { hasRightToLeft } from "../shared/text/direction.js";
import { isJoined } from "../shared/text/invisibles.js";

/** @typedef {import("../shared/text/tokenization.js").TokenizationModel} TokenizationModel */
/** @typedef {import("../shared/text/tokenization.js").Piece} Piece */

/**
 * @typedef {object} Label the ids beneath a piece
 * @property {string} ids "" for a piece whose ids stand elsewhere
 * @property {[before: number, after: number]} room in em, to add at the piece's sides
 * @property {boolean} isParted whether white space before its text may be drawn away from it, such as in the line before,
 *   so that room has to be beside the text itself
 * @property {Run | null} run
 */

/**
 * Pieces that are joined, of which this one is a part.
 *
 * @typedef {object} Run
 * @property {number} inset from the run's start to its ids, in em; below 0 where they are wider
 * @property {boolean} isCut whether bytes of a cut character stand between it and its ids
 */

/** @typedef {(piece: Piece) => boolean} IsParted as in `Label` */

/** Width of a digit beneath the text, in em of the text: the stylesheet's size times that of the monospaced face. */
const DIGIT = 0.68 * 0.6;
/** Space between two ids, in em of the text. */
const BETWEEN = 0.3;
const MAX_MEASURED = 20_000;

/** @typedef {(text: string) => number} Measure a text's width in em */

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
export function laterStart(text) {
  const [lead, core] = partsOf(text);
  return core !== "" && /[\r\n]/.test(lead) ? lead.length : 0;
}

/**
 * Return the labels of the pieces of a chunk.
 *
 * @param {TokenizationModel} model
 * @param {Piece[]} pieces
 * @param {Measure} measure
 * @param {IsParted} isParted
 * @returns {Label[]}
 */
export function labelsOf(model, pieces, measure, isParted) {
  /** @type {Label[]} */
  const labels = [];
  for (let k = 0; k < pieces.length; ) {
    const end = runEnd(model, pieces, k);
    if (end === k + 1) labels.push(labelOf(model, pieces[k], measure, isParted));
    else labels.push(...labelsOfRun(model, pieces.slice(k, end), measure, isParted));
    k = end;
  }
  return labels;
}

/** Return one past the last piece that is joined to piece `k`. @param {TokenizationModel} model @param {Piece[]} pieces @param {number} k */
function runEnd({ text }, pieces, k) {
  let end = k + 1;
  while (end < pieces.length && isJoined(text[pieces[end].from - 1] ?? "") && isJoined(text[pieces[end].from] ?? "")) end++;
  return end;
}

/** @param {TokenizationModel} model @param {Piece} piece @param {Measure} measure @param {IsParted} isParted @returns {Label} */
function labelOf(model, piece, measure, isParted) {
  const ids = idsOf(model, piece).join(" ");
  const text = model.text.slice(piece.from, piece.to);
  const [lead, core, tail] = partsOf(text);
  if (!core && tail) return { ids, room: [0, 0], isParted: false, run: null }; // nothing stands after a line end
  const over = widthOf(ids) - measure(core);
  const beside = Math.max(0, over / 2);
  const parted = laterStart(text) > 0 || isParted(piece);
  return { ids, room: [parted ? beside : Math.max(0, beside - measure(lead)), beside], isParted: parted, run: null };
}

/** @param {TokenizationModel} model @param {Piece[]} pieces @param {Measure} measure @param {IsParted} isParted @returns {Label[]} */
function labelsOfRun(model, pieces, measure, isParted) {
  const text = model.text.slice(pieces[0].from, pieces[pieces.length - 1].to);
  const [lead, core] = partsOf(text);
  const ids = pieces.flatMap((piece) => idsOf(model, piece));
  if (hasRightToLeft(core)) ids.reverse();
  const shown = ids.join(" ");
  const inset = (measure(core) - widthOf(shown)) / 2;
  const beside = Math.max(0, -inset);
  const before = isParted(pieces[0]) ? beside : Math.max(0, beside - measure(lead));
  const run = { inset: inset + BETWEEN / 2, isCut: pieces.some(({ first, last }) => first !== last) };
  return pieces.map((_, k) => ({
    ids: k ? "" : shown,
    room: [k ? 0 : before, k === pieces.length - 1 ? beside : 0],
    isParted: false,
    run,
  }));
}

/** Return the ids of the tokens that have theirs beneath a piece. @param {TokenizationModel} model @param {Piece} piece */
function idsOf(model, piece) {
  return Array.from(model.ids.subarray(hasFirst(model, piece) ? piece.first : piece.first + 1, piece.last + 1));
}

/**
 * Whether a piece's first token has its id here: it starts here, and not only with line ends before its text; or only
 * they are in the piece before.
 *
 * @param {TokenizationModel} model @param {Piece} piece
 */
function hasFirst({ text, starts }, { first, from, to, opens, closes }) {
  return (opens || isLineEnds(text.slice(starts[first], from))) && (closes || !isLineEnds(text.slice(from, to)));
}

/** Whether a text is white space with a line end. @param {string} text */
const isLineEnds = (text) => /^\s*[\r\n]\s*$/.test(text);

/** @param {string} ids */
const widthOf = (ids) => (ids ? ids.length * DIGIT + BETWEEN : 0);

/**
 * Return a function that measures texts in the font of an element. Common texts are measured once.
 *
 * @param {HTMLElement} element
 * @returns {Measure}
 */
export function measurer(element) {
  const context = /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d"));
  context.font = `100px ${getComputedStyle(element).fontFamily}`;
  /** @type {Map<string, number>} */
  const known = new Map();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    if (known.size >= MAX_MEASURED) known.clear();
    const width = context.measureText(text).width / 100;
    known.set(text, width);
    return width;
  };
}
