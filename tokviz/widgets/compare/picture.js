/**
 * Picture of how tokenizers cut a segment: its characters are columns; over them, each tokenizer has its tokens as blocks
 * and the cuts of its split pattern as lines. This module says what stands where, `drawing.js` draws it.
 *
 * A column is a character as readers count them, or, if a token ends inside the character, one of its bytes. Columns
 * stand as the text does on screen, so those of Arabic run from right to left.
 */

import { drawnRightToLeft, hasRightToLeft, lineDirection } from "../shared/text/direction.js";
import { isWide, withSigns } from "../shared/text/marks.js";
import { byteOffsetAt, hex } from "../shared/text/tokenization.js";
import { placeOf, tokensIn } from "./model.js";
import { pieceOf } from "./pieces.js";

/** @typedef {import("./model.js").Comparison} Comparison */

/**
 * @typedef {object} Cell a column
 * @property {number} start byte offset in the text
 * @property {number} end equal to `start` for a token without bytes
 * @property {string} label the character, with signs for what is invisible, or a byte in hex
 * @property {string} cut the character that this byte is a part of; "" for a whole character
 * @property {number} of byte offset of its character
 * @property {number} level embedding level of the Unicode Bidirectional Algorithm: odd if it runs from right to left
 *
 * @typedef {object} Block a token, or a part of it; columns `from` up to `to`
 * @property {number} from
 * @property {number} to
 * @property {number} token
 * @property {string | null} label null if each of its columns has its own
 * @property {boolean} isRest true if another block of this token has its id
 *
 * @typedef {object} Line a line of the picture, which has as many as it needs to be narrow
 * @property {Cell[]} columns from left to right
 * @property {number} width in widths of a letter
 * @property {{from: number, to: number, text: string}[]} characters those that are cut, over their bytes
 * @property {{blocks: Block[], cuts: number[]}[]} bands of each tokenizer; a cut is left of the column with its number
 */

/** Maximum columns; the rest of a longer segment is not drawn. */
const MAX_CELLS = 72;
/** Maximum tokens whose ends are looked at; several may end at one place. */
const MAX_TOKENS = 4 * MAX_CELLS;
/** Text looked at before and after a segment, for characters that reach beyond it, in UTF-16 units. */
const CONTEXT = 64;
/** Width of a line, in widths of a letter. */
const LINE_WIDTH = 27;
/** Width of an id's digit, relative to a letter, and the space around a label or an id. */
const DIGIT = 0.75;
const PADDING = 0.9;

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
const encoder = new TextEncoder();

/**
 * @param {Comparison} comparison
 * @param {number} segment
 * @param {number[][]} splits for each tokenizer, its cuts before any merge, in bytes from the segment's start
 * @returns {{lines: Line[], isWhole: boolean}} `isWhole` is false if the end of the segment is left out
 */
export function pictureOf(comparison, segment, splits) {
  const cells = cellsOf(comparison, segment);
  const tokens = comparison.models.map((_, t) => rangesOf(comparison, t, segment, cells));
  const widths = widthsOf(comparison, cells, tokens);
  const starts = lineStarts(widths);
  const lines = starts.map((start, k) => {
    const end = starts[k + 1] ?? cells.length;
    const order = visualOrder(cells.slice(start, end).map(({ level }) => level)).map((index) => start + index);
    const columns = order.map((index) => cells[index]);
    const bands = tokens.map((ranges, t) => ({
      blocks: blocksOf(comparison, t, cells, ranges, order),
      cuts: cutsOf(columns, (splits[t] ?? []).map((offset) => comparison.boundaries[segment] + offset)),
    }));
    const width = widths.slice(start, end).reduce((sum, each) => sum + each, 0);
    return { columns, width, characters: charactersOver(columns), bands };
  });
  return { lines, isWhole: (cells.at(-1)?.end ?? 0) >= comparison.boundaries[segment + 1] };
}

// Columns

/** @param {Comparison} comparison @param {number} segment @returns {Cell[]} in the order of the text */
function cellsOf(comparison, segment) {
  const [start, end] = [comparison.boundaries[segment], comparison.boundaries[segment + 1]];
  const { ends, empty } = tokenEnds(comparison, segment);
  const [from] = placeOf(comparison, segment);
  const levelAt = createLevels(comparison.text, from);
  /** @type {Cell[]} */
  const cells = [];
  const addEmpty = (/** @type {number} */ at, /** @type {number} */ level) => {
    for (let k = empty.get(at) ?? 0; k > 0; k--) cells.push({ start: at, end: at, label: "", cut: "", of: at, level });
  };
  addEmpty(start, lineDirection(comparison.text, from) === "rtl" ? 1 : 0);
  for (const { character, at, byte } of charactersIn(comparison, segment)) {
    const level = levelAt(at, character);
    for (const cell of cellsOfCharacter(character, byte, ends)) {
      if (cell.start < start || cell.end > end) continue;
      if (cells.length >= MAX_CELLS) return cells;
      cells.push({ ...cell, level });
      addEmpty(cell.end, level);
    }
  }
  return cells;
}

/**
 * The byte offsets at which a token ends in a segment, and the number of tokens without bytes at some of them.
 *
 * @param {Comparison} comparison
 * @param {number} segment
 */
function tokenEnds(comparison, segment) {
  const ends = new Set([comparison.boundaries[segment]]);
  /** @type {Map<number, number>} */
  const empty = new Map();
  comparison.models.forEach(({ byteOffsets, byteLengths }, t) => {
    const [first, end] = tokensIn(comparison, t, segment);
    const counts = new Map();
    for (let i = first; i < Math.min(end, first + MAX_TOKENS); i++) {
      const at = byteOffsets[i + 1];
      ends.add(at);
      if (!byteLengths[i]) counts.set(at, (counts.get(at) ?? 0) + 1);
    }
    for (const [at, count] of counts) empty.set(at, Math.max(count, empty.get(at) ?? 0));
  });
  return { ends, empty };
}

/**
 * The characters of a segment, as readers count them, also those that it has only a part of.
 *
 * @param {Comparison} comparison
 * @param {number} segment
 * @returns {Generator<{character: string, at: number, byte: number}>} their places in UTF-16 units and in bytes
 */
function* charactersIn(comparison, segment) {
  const { text, models } = comparison;
  const [from, to] = placeOf(comparison, segment);
  const [first] = tokensIn(comparison, 0, segment);
  const around = startOfCodePoint(text, Math.max(0, from - CONTEXT));
  let byte = byteOffsetAt(models[0], first, from) - encoder.encode(text.slice(around, from)).length;
  for (const { segment: character, index } of graphemes.segment(text.slice(around, to + CONTEXT))) {
    const at = around + index;
    if (at >= to) return;
    if (at + character.length > from) yield { character, at, byte };
    byte += encoder.encode(character).length;
  }
}

/** @param {string} text @param {number} at */
const startOfCodePoint = (text, at) => ((text.charCodeAt(at) & 0xfc00) === 0xdc00 ? at - 1 : at);

/**
 * @param {string} character
 * @param {number} byte its offset in the text
 * @param {Set<number>} ends of tokens
 * @returns {Omit<Cell, "level">[]} the character, or its bytes if a token ends inside it
 */
function cellsOfCharacter(character, byte, ends) {
  const bytes = encoder.encode(character);
  const isCut = bytes.some((_, k) => k > 0 && ends.has(byte + k));
  if (isCut && character !== "\r\n") {
    const labels = Array.from(bytes, (_, k) => hex(bytes.subarray(k, k + 1)));
    return labels.map((label, k) => ({ start: byte + k, end: byte + k + 1, label, cut: character, of: byte }));
  }
  let at = byte;
  const wholes = isCut ? Array.from(character) : [character];
  return wholes.map((each) => {
    const start = at;
    at += encoder.encode(each).length;
    return { start, end: at, label: withSigns(each), cut: "", of: start };
  });
}

// Directions

/**
 * Create a function that says the embedding level of a character. Levels follow the Unicode Bidirectional Algorithm as
 * far as single lines of text without directional controls need it.
 *
 * @param {string} text
 * @param {number} from start of the segment, in UTF-16 units
 */
function createLevels(text, from) {
  const base = lineDirection(text, from);
  let isAfterRightToLeft = hasRightToLeft(text.slice(Math.max(0, from - CONTEXT), from).match(/[\p{L}\n]/gu)?.at(-1) ?? "");
  return (/** @type {number} */ at, /** @type {string} */ character) => {
    if (base === "ltr" && !isAfterRightToLeft && !hasRightToLeft(character)) return 0;
    const isRightToLeft = drawnRightToLeft(text, at, at + character.length);
    const isNumber = /^\p{Nd}/u.test(character);
    if (!isNumber) isAfterRightToLeft = isRightToLeft;
    if (isRightToLeft) return 1;
    return base === "rtl" || (isNumber && isAfterRightToLeft) ? 2 : 0;
  };
}

/**
 * The order in which columns of these levels stand from left to right (rule L2 of the algorithm).
 *
 * @param {number[]} levels
 * @returns {number[]} indices into `levels`
 */
export function visualOrder(levels) {
  const order = Array.from(levels.keys());
  for (let level = Math.max(0, ...levels); level > 0; level--) {
    for (let from = 0; from < order.length; from++) {
      let to = from;
      while (to < order.length && levels[order[to]] >= level) to++;
      if (to > from) order.splice(from, to - from, ...order.slice(from, to).reverse());
      from = Math.max(from, to);
    }
  }
  return order;
}

// Tokens

/**
 * The cells of each of a tokenizer's tokens, of those that have any: the first, and one past the last.
 *
 * @param {Comparison} comparison @param {number} t @param {number} segment @param {Cell[]} cells
 * @returns {{token: number, from: number, to: number}[]}
 */
function rangesOf(comparison, t, segment, cells) {
  const { byteOffsets, byteLengths } = comparison.models[t];
  const [first, end] = tokensIn(comparison, t, segment);
  const isEmpty = (/** @type {number} */ at) => cells[at].start === cells[at].end;
  const ranges = [];
  let at = 0;
  for (let token = first; token < end && at < cells.length; token++) {
    const [start, stop] = [byteOffsets[token], byteOffsets[token + 1]];
    // Another tokenizer may have a token without bytes here.
    while (at < cells.length && byteLengths[token] && isEmpty(at) && cells[at].start <= start) at++;
    const from = at;
    if (byteLengths[token]) while (at < cells.length && cells[at].start < stop) at++;
    else at++;
    if (at > from) ranges.push({ token, from, to: at });
  }
  return ranges;
}

/**
 * Width that each cell needs for its label, and for the labels and ids of the tokens that it belongs to.
 *
 * @param {Comparison} comparison @param {Cell[]} cells @param {ReturnType<typeof rangesOf>[]} tokens
 */
function widthsOf(comparison, cells, tokens) {
  const widths = cells.map(({ label, cut }) => (isWide(label) ? 2 : label.length) + (cut ? PADDING : 0));
  tokens.forEach((ranges, t) => {
    for (const { token, from, to } of ranges) {
      const width = widths.slice(from, to).reduce((sum, each) => sum + each, 0);
      const label = labelOf(comparison, t, token, cells.slice(from, to)) ?? "";
      const id = String(comparison.models[t].ids[token]).length * DIGIT;
      const missing = Math.max(id, isWide(label) ? 2 * label.length : label.length) + PADDING - width;
      for (let cell = from; cell < to && missing > 0; cell++) widths[cell] += missing / (to - from);
    }
  });
  return widths;
}

/** Divide cells into lines. @param {number[]} widths @returns {number[]} the first cell of each */
export function lineStarts(widths) {
  const starts = [0];
  let used = 0;
  widths.forEach((width, k) => {
    if (used > 0 && used + width > LINE_WIDTH) {
      starts.push(k);
      used = 0;
    }
    used += width;
  });
  return starts;
}

/**
 * A tokenizer's blocks in one line. Where directions mix, a token may have several.
 *
 * @param {Comparison} comparison @param {number} t @param {Cell[]} cells @param {ReturnType<typeof rangesOf>} ranges
 * @param {number[]} order the line's cells from left to right
 * @returns {Block[]}
 */
function blocksOf(comparison, t, cells, ranges, order) {
  return ranges.flatMap(({ token, from, to }) => {
    const isOwn = (/** @type {number} */ column) => order[column] >= from && order[column] < to;
    /** @type {Block[]} */
    const blocks = [];
    for (let column = 0; column < order.length; column++) {
      if (!isOwn(column)) continue;
      const start = column;
      while (column + 1 < order.length && isOwn(column + 1)) column++;
      const own = order.slice(start, column + 1).sort((a, b) => a - b);
      const label = labelOf(comparison, t, token, own.map((index) => cells[index]));
      blocks.push({ from: start, to: column + 1, token, label, isRest: blocks.length > 0 || Math.min(...order) > from });
    }
    return blocks;
  });
}

/**
 * Label of a block: its text, or null if it has only some bytes of a character.
 *
 * @param {Comparison} comparison @param {number} t @param {number} token
 * @param {Cell[]} cells those of the block, in the order of the text
 */
function labelOf(comparison, t, token, cells) {
  const { byteLengths } = comparison.models[t];
  if (comparison.own[t].has(token) || !byteLengths[token]) return pieceOf(comparison, t, token);
  let label = "";
  for (let k = 0; k < cells.length; ) {
    const { cut, of } = cells[k];
    const bytes = cells.slice(k).filter((cell) => cut && cell.of === of && cell.cut).length;
    if (cut && bytes < encoder.encode(cut).length) return null;
    label += cut ? withSigns(cut) : cells[k].label;
    k += bytes || 1;
  }
  return label;
}

/**
 * Where the cuts of a split pattern stand in a line.
 *
 * @param {Cell[]} columns
 * @param {number[]} offsets of the cuts, in bytes
 */
function cutsOf(columns, offsets) {
  const places = offsets.map((offset) => {
    const after = columns.findIndex(({ start, end }) => start === offset && end > start);
    if (after >= 0) return after + (columns[after].level % 2);
    const before = columns.findIndex(({ start, end }) => end === offset && end > start);
    return before < 0 ? -1 : before + 1 - (columns[before].level % 2);
  });
  return [...new Set(places)].filter((place) => place >= 0);
}

/** The cut characters of a line, each over its bytes. @param {Cell[]} columns */
function charactersOver(columns) {
  /** @type {Line["characters"]} */
  const found = [];
  columns.forEach(({ cut, of }, k) => {
    const last = found.at(-1);
    if (!cut) return;
    if (last?.to === k && columns[k - 1].of === of) last.to++;
    else found.push({ from: k, to: k + 1, text: withSigns(cut) });
  });
  return found;
}
