/**
 * A tokenized text in the browser: the position of each token, and the pieces in which it is drawn.
 *
 * The server counts in UTF-8 bytes, the browser in UTF-16 units. A token boundary may fall inside a code point (marked
 * by `inside`) or between two code points of one grapheme. Both are a *cut*.
 */

import { withSigns } from "./invisibles.js";

/** The tokenizer over words, whose vocabulary is built from a text, so that the server knows nothing of its tokens. */
export const WORDS = "words";

/** The mark of a special token that somebody typed. */
export const TYPED = 2;

/**
 * @typedef {object} TokenizationModel
 * @property {string} text
 * @property {number} n number of tokens
 * @property {Int32Array} ids
 * @property {Int32Array} byteLengths
 * @property {Uint8Array} special 1 for special tokens, TYPED for those that somebody typed into a message
 * @property {Int32Array | null} ranks of the tokens' merges, -1 for none; null if they were not asked for
 * @property {Int32Array} byteOffsets n + 1 boundaries, in bytes
 * @property {Int32Array} starts the same in UTF-16 units; for a boundary inside a code point, that code point's start
 * @property {Uint8Array} inside 1 for boundaries inside a code point
 * @property {Record<string, any>} meta further data from the server
 * @property {Uint8Array} [tints] of the tokens, where they are not found by those shown before
 * @property {Uint8Array} [newest] 1 for tokens that the newest merge has just joined
 * @property {import("./direction.js").Isolates | null} [isolates] parts of the text that are ordered by themselves
 * @property {(i: number) => string} [colorOf] color name of each token, set once it is shown
 */

/**
 * @typedef {object} Piece drawn as one element: tokens `first` to `last` (the same unless it is a cut character)
 * @property {number} first
 * @property {number} last
 * @property {number} from start of its text, in UTF-16 units
 * @property {number} to
 * @property {boolean} opens whether token `first` starts here rather than in an earlier piece
 * @property {boolean} closes whether token `last` ends here rather than in a later piece
 */

/**
 * @param {string} text the tokenized text; a lone surrogate counts as U+FFFD, as which it is sent
 * @param {import("../net/columns.js").TokenColumns} unpacked
 * @returns {TokenizationModel}
 */
export function makeTokenization(text, unpacked) {
  const byteLengths = unpacked.byte_lengths;
  const n = byteLengths.length;
  const byteOffsets = new Int32Array(n + 1);
  const starts = new Int32Array(n + 1);
  const inside = new Uint8Array(n + 1);
  let unit = 0;
  let byte = 0;
  for (let i = 0; i < n; i++) {
    const end = byteOffsets[i] + byteLengths[i];
    while (byte < end && unit < text.length) {
      const bytes = utf8Length(text, unit);
      if (byte + bytes > end) break;
      byte += bytes;
      unit += bytes === 4 ? 2 : 1;
    }
    byteOffsets[i + 1] = end;
    starts[i + 1] = unit;
    inside[i + 1] = byte < end ? 1 : 0;
  }
  const { ids, special, ranks = null, meta = {} } = unpacked;
  return { text, n, ids, byteLengths, special, ranks, byteOffsets, starts, inside, meta };
}

/** Return the number of UTF-8 bytes of the code point at `unit`. @param {string} text @param {number} unit */
function utf8Length(text, unit) {
  const code = text.charCodeAt(unit);
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  if (code < 0xd800 || code > 0xdbff) return 3;
  const next = text.charCodeAt(unit + 1);
  return next >= 0xdc00 && next <= 0xdfff ? 4 : 3;
}

/**
 * Return the token that contains the character at `offset`, the first of several; -1 if there are no tokens.
 *
 * @param {TokenizationModel} model
 * @param {number} offset in UTF-16 units
 */
export function tokenAt(model, offset) {
  return Math.min(model.n - 1, firstIndex(model.n - 1, (i) => tokenEnd(model, i) > offset));
}

/**
 * Return the least index from which on a condition holds; `count` if it holds for none below that.
 *
 * @param {number} count
 * @param {(i: number) => boolean} holds
 */
export function firstIndex(count, holds) {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * Return the end, in UTF-16 units, of the last code point with a byte in token i.
 *
 * @param {Pick<TokenizationModel, "text" | "starts" | "inside">} model
 * @param {number} i
 */
export function tokenEnd({ text, starts, inside }, i) {
  const end = starts[i + 1];
  return inside[i + 1] ? end + (/** @type {number} */ (text.codePointAt(end)) > 0xffff ? 2 : 1) : end;
}

/**
 * Return the bytes that token i covers, as hex.
 *
 * @param {TokenizationModel} model
 * @param {number} i
 * @returns {string} "f0 9f"
 */
export function bytesOf(model, i) {
  const from = model.starts[i];
  const bytes = encoder.encode(model.text.slice(from, tokenEnd(model, i)));
  const skipped = model.byteOffsets[i] - byteOffsetAt(model, i, from);
  return hex(bytes.subarray(skipped, skipped + model.byteLengths[i]));
}

/**
 * Return each token's bytes within a piece, in order; none of a token that has no bytes at all.
 *
 * @param {TokenizationModel} model
 * @param {Piece} piece
 * @returns {{token: number, bytes: string}[]} `bytes` as hex
 */
export function stripesOf(model, piece) {
  const begin = byteOffsetAt(model, piece.first, piece.from);
  const bytes = encoder.encode(model.text.slice(piece.from, piece.to));
  const stripes = [];
  for (let token = piece.first; token <= piece.last; token++) {
    const from = Math.max(0, model.byteOffsets[token] - begin);
    const to = Math.min(bytes.length, model.byteOffsets[token + 1] - begin);
    if (to > from || !model.byteLengths[token]) stripes.push({ token, bytes: hex(bytes.subarray(from, to)) });
  }
  return stripes;
}

/**
 * Write token i on one line: its text with signs for what is invisible, or its bytes if it cuts a character.
 *
 * @param {TokenizationModel} model
 * @param {number} i
 */
export function writeToken(model, i) {
  if (!model.byteLengths[i]) return model.meta.rewriting?.length ? "no bytes" : "end of word";
  const isPart = model.inside[i] || model.inside[i + 1];
  return isPart ? bytesOf(model, i) : withSigns(model.text.slice(model.starts[i], tokenEnd(model, i)));
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The text of bytes; null if they are not whole characters in UTF-8. @param {Uint8Array} bytes */
export function decoded(bytes) {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}

/** @param {Uint8Array} bytes */
export function hex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(" ");
}

/**
 * Return the byte offset of the code point at `unit`, computed from token i, which starts there or before.
 *
 * @param {TokenizationModel} model
 * @param {number} i
 * @param {number} unit in UTF-16 units
 */
function byteOffsetAt({ text, starts, inside, byteOffsets }, i, unit) {
  while (inside[i]) i--;
  return byteOffsets[i] + encoder.encode(text.slice(starts[i], unit)).length;
}

/** Repeat each index as many times as its length says. @param {Int32Array} lengths @param {number} total */
export function repeat(lengths, total) {
  const numbers = new Int32Array(total);
  let at = 0;
  lengths.forEach((length, i) => numbers.fill(i, at, (at += length)));
  return numbers;
}

/**
 * Return the index of each token's pre-token.
 *
 * @param {TokenizationModel} model
 * @param {Int32Array} byteLengths of the pre-tokens, which cover the same text
 * @returns {Int32Array}
 */
export function pretokenIndex(model, byteLengths) {
  const index = new Int32Array(model.n);
  let pretoken = 0;
  let end = byteLengths[0] ?? 0;
  for (let i = 0; i < model.n; i++) {
    // A token without bytes belongs to the word it ends, not to the next one.
    const last = model.byteOffsets[i] + (model.byteLengths[i] ? 1 : 0);
    while (end < last) end += byteLengths[++pretoken];
    index[i] = pretoken;
  }
  return index;
}

/** Number of tints that tokens take turns with. */
export const TINTS = 4;

/**
 * Tints for all symbols of a text whose symbols are joined step by step: after any step, a token has that of its first
 * symbol, and no two neighbors have the same. Taken apart again from the end, each new boundary gets one that its
 * neighbors don't have.
 *
 * @param {Uint8Array} tints of the symbols that tokens begin with at the end; those of the others are set
 * @param {ArrayLike<number>} removed the other symbols, in the order in which they are joined to those before them
 */
export function tintSymbols(tints, removed) {
  const n = tints.length;
  const [before, after] = [Int32Array.from({ length: n + 1 }, (_, i) => i - 1), Int32Array.from({ length: n + 1 }, (_, i) => i + 1)];
  for (let at = 0; at < removed.length; at++) {
    const i = removed[at];
    [after[before[i]], before[after[i]]] = [after[i], before[i]];
  }
  for (let at = removed.length - 1; at >= 0; at--) {
    const i = removed[at];
    const next = (tints[before[i]] + 1) % TINTS;
    tints[i] = after[i] < n && tints[after[i]] === next ? (next + 1) % TINTS : next;
    [after[before[i]], before[after[i]]] = [i, i];
  }
  return tints;
}

/** Target chunk length in UTF-16 units: few chunks, each laid out within a frame. */
const CHUNK = 500;
/** Maximum line length in one chunk; only longer lines are broken where they would not have wrapped. */
const LONGEST_LINE = 4000;
/** Approximate length of the parts of longer lines: laying out one of them takes a part of a frame. */
const LINE_PART = 1000;
/** Maximum length of the last part: less than two parts, so that they stay two when one of them is edited. */
const LAST_PART = 1500;

/**
 * Split a range of text into chunks that are drawn as separate blocks: at line ends, or in a very long line at a space,
 * or at least between two graphemes where possible.
 *
 * @param {string} text
 * @param {number} from
 * @param {number} to
 * @returns {number[]} the end of each chunk; the last is `to`
 */
export function cutText(text, from, to) {
  const ends = [];
  for (let at = from; at < to; ) {
    at = chunkEnd(text, at, to);
    ends.push(at);
  }
  return ends;
}

/**
 * @param {string} text
 * @param {number} from
 * @param {number} to
 */
function chunkEnd(text, from, to) {
  if (to - from <= CHUNK) return to;
  const longest = isWithinLine(text, from) ? LAST_PART : LONGEST_LINE;
  const rest = text.slice(from, Math.min(to, from + longest));
  const lineEnd = rest.lastIndexOf("\n", CHUNK - 1);
  if (lineEnd >= 0) return from + lineEnd + 1;
  const nextLineEnd = rest.indexOf("\n", CHUNK);
  if (nextLineEnd >= 0) return from + nextLineEnd + 1;
  if (to - from <= (isWithinLine(text, to) ? LAST_PART : longest)) return to;
  const near = Math.max(rest.lastIndexOf(" ", LINE_PART) + 1, LINE_PART / 2);
  const { index, segment } = graphemeAt(rest, near);
  if (index > 0) return from + index;
  // A grapheme longer than a chunk, such as a base with thousands of marks, can't always be kept whole.
  return from + (segment.length < rest.length ? segment.length : LAST_PART);
}

/** Whether a line begins before an offset and goes on after it. @param {string} text @param {number} offset */
const isWithinLine = (text, offset) => offset > 0 && offset < text.length && text[offset - 1] !== "\n";

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/**
 * Return the grapheme that contains `offset`.
 *
 * @param {string} text
 * @param {number} offset
 */
export function graphemeAt(text, offset) {
  return /** @type {Intl.SegmentData} */ (graphemes.segment(text).containing(offset));
}

/**
 * Return the pieces in which a range of text is drawn: one per token, also one without bytes, except one per cut
 * character.
 *
 * @param {TokenizationModel} model
 * @param {number} from in UTF-16 units, between two graphemes
 * @param {number} to
 * @returns {Piece[]}
 */
export function piecesOf(model, from, to) {
  const { starts, inside } = model;
  /** @type {Piece[]} */
  const pieces = [];
  if (!model.n) return pieces;
  // Tokens without bytes in front of the text are in no chunk before.
  let i = from ? tokenAt(model, from) : 0;
  let at = from;
  const addPieces = (/** @type {number} */ end) => {
    while (i < model.n && (at < end || starts[i + 1] === end) && !(starts[i] === end && inside[i + 1])) {
      const next = Math.min(starts[i + 1], end);
      const continues = starts[i + 1] > end || inside[i + 1];
      if (next > at || !model.byteLengths[i]) {
        const opens = starts[i] === at && !inside[i];
        pieces.push({ first: i, last: i, from: at, to: next, opens, closes: !continues });
      }
      at = next;
      if (continues) break;
      i++;
    }
  };
  for (const [begin, end] of cutCharacters(model, from, to)) {
    addPieces(begin);
    let last = i;
    while (starts[last + 1] < end) last++;
    const closes = starts[last + 1] === end && !inside[last + 1];
    pieces.push({ first: i, last, from: begin, to: end, opens: starts[i] === begin, closes });
    at = end;
    i = closes ? last + 1 : last;
  }
  addPieces(to);
  return pieces;
}

/**
 * Return the ranges of graphemes cut by a token boundary, inside a code point or between code points.
 *
 * @param {TokenizationModel} model
 * @param {number} from
 * @param {number} to
 * @returns {[number, number][]}
 */
function cutCharacters({ text, starts, inside, n }, from, to) {
  const cuts = /** @type {[number, number][]} */ ([]);
  const range = text.slice(from, to);
  let done = from;
  for (let k = firstIndex(n, (boundary) => starts[boundary] >= from); k <= n && starts[k] < to; k++) {
    const at = starts[k] - from;
    if (starts[k] < done || (!inside[k] && (at === 0 || surelySeparate(range, at)))) continue;
    const { index, segment } = graphemeAt(range, at);
    if ((!inside[k] && index === at) || segment === "\r\n") continue;
    done = from + index + segment.length;
    cuts.push([from + index, done]);
  }
  return cuts;
}

/**
 * Whether both characters around `at` are of common kinds that never join. If not, the segmenter has to decide, which
 * is exact but slow.
 *
 * @param {string} text
 * @param {number} at
 */
function surelySeparate(text, at) {
  return neverJoins(text.charCodeAt(at - 1)) && neverJoins(text.charCodeAt(at));
}

/** @param {number} unit */
function neverJoins(unit) {
  return (
    unit < 0x300 ||
    (unit >= 0x370 && unit < 0x483) || // Greek, Cyrillic
    (unit >= 0x5d0 && unit < 0x5eb) || // Hebrew letters
    (unit >= 0x620 && unit < 0x64b) || // Arabic letters
    (unit >= 0x3041 && unit < 0x3097) || // kana
    (unit >= 0x4e00 && unit < 0xa000) || // Han
    (unit >= 0xac00 && unit < 0xd7a4) // Hangul
  );
}
