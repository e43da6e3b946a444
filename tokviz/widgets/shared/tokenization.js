/**
 * A text cut into tokens, as the browser needs it: where each token stands in the text, and in what pieces it is drawn.
 *
 * The server counts in UTF-8 bytes, the browser in UTF-16 units. A token's boundary may fall inside a code point (then
 * `inside` says so) or between two code points that readers take for one character. Both are a *cut*.
 */

/**
 * @typedef {object} TokenizationModel
 * @property {string} text
 * @property {number} n how many tokens
 * @property {Int32Array} ids
 * @property {Int32Array} byteLengths
 * @property {Uint8Array} special 1 where the token is a special token
 * @property {Int32Array | null} ranks those of their merges, -1 where there is none; null where ids tell
 * @property {Int32Array} byteOffsets n + 1 boundaries, in bytes
 * @property {Int32Array} starts the same in UTF-16 units; inside a code point, where that code point begins
 * @property {Uint8Array} inside 1 where the boundary is inside a code point
 * @property {Record<string, any>} meta what else the server said
 * @property {(i: number) => string} [colorOf] once it is shown: the name of the color that each token has
 */

/**
 * @typedef {object} Piece what is drawn as one element: tokens `first` to `last` (one, unless it is a cut character)
 * @property {number} first
 * @property {number} last
 * @property {number} from where its text begins, in UTF-16 units
 * @property {number} to
 * @property {boolean} opens whether token `first` begins here, and not in the piece before
 */

/**
 * @param {string} text what was tokenized; a lone surrogate counts as the U+FFFD that it is sent as
 * @param {import("./columns.js").TokenColumns} unpacked
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

/**
 * How many UTF-8 bytes the code point at `unit` takes.
 *
 * @param {string} text
 * @param {number} unit
 */
function utf8Length(text, unit) {
  const code = text.charCodeAt(unit);
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  if (code < 0xd800 || code > 0xdbff) return 3;
  const next = text.charCodeAt(unit + 1);
  return next >= 0xdc00 && next <= 0xdfff ? 4 : 3;
}

/**
 * The token that holds the character at `offset`; where several share it, the first. -1 where there are no tokens.
 *
 * @param {TokenizationModel} model
 * @param {number} offset in UTF-16 units
 */
export function tokenAt(model, offset) {
  let low = 0;
  let high = model.n - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (tokenEnd(model, middle) > offset) high = middle;
    else low = middle + 1;
  }
  return high;
}

/**
 * Where the last character that token i has a byte of ends, in UTF-16 units.
 *
 * @param {TokenizationModel} model
 * @param {number} i
 */
export function tokenEnd({ text, starts, inside }, i) {
  const end = starts[i + 1];
  return inside[i + 1] ? end + (/** @type {number} */ (text.codePointAt(end)) > 0xffff ? 2 : 1) : end;
}

/**
 * The bytes that token i covers, as hex.
 *
 * @param {TokenizationModel} model
 * @param {number} i
 * @returns {string} "F0 9F"
 */
export function bytesOf(model, i) {
  const from = model.starts[i];
  const bytes = encoder.encode(model.text.slice(from, tokenEnd(model, i)));
  const skipped = model.byteOffsets[i] - byteOffsetAt(model, i, from);
  return hex(bytes.subarray(skipped, skipped + model.byteLengths[i]));
}

/**
 * How many bytes each token of a piece has in it, in order; tokens without any are left out.
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
    if (to > from) stripes.push({ token, bytes: hex(bytes.subarray(from, to)) });
  }
  return stripes;
}

const encoder = new TextEncoder();

/** @param {Uint8Array} bytes */
export function hex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).toUpperCase().padStart(2, "0")).join(" ");
}

/**
 * The byte at which the code point at `unit` begins, counted from token i, which begins there or before.
 *
 * @param {TokenizationModel} model
 * @param {number} i
 * @param {number} unit in UTF-16 units
 */
function byteOffsetAt({ text, starts, inside, byteOffsets }, i, unit) {
  while (inside[i]) i--;
  return byteOffsets[i] + encoder.encode(text.slice(starts[i], unit)).length;
}

/** Each stretch's number, as often as it is long. @param {Int32Array} lengths @param {number} total */
export function repeat(lengths, total) {
  const numbers = new Int32Array(total);
  let at = 0;
  lengths.forEach((length, i) => numbers.fill(i, at, (at += length)));
  return numbers;
}

/**
 * The number of the pre-token that each token belongs to.
 *
 * @param {TokenizationModel} model
 * @param {Int32Array} byteLengths of the pre-tokens, which tile the same text
 * @returns {Int32Array}
 */
export function pretokenIndex(model, byteLengths) {
  const index = new Int32Array(model.n);
  let pretoken = 0;
  let end = byteLengths[0] ?? 0;
  for (let i = 0; i < model.n; i++) {
    // A token without bytes ends a word; it doesn't begin the next.
    const last = model.byteOffsets[i] + (model.byteLengths[i] ? 1 : 0);
    while (end < last) end += byteLengths[++pretoken];
    index[i] = pretoken;
  }
  return index;
}

/** Long enough that there are few chunks, short enough that one is laid out within a frame. In UTF-16 units. */
const CHUNK = 500;
/** Only a line longer than this is broken where it would not have wrapped. */
const LONGEST_LINE = 4000;

/**
 * Cut a stretch of text into chunks that are drawn as blocks of their own: at line ends, or in a very long line at a
 * space, or at least between two characters.
 *
 * @param {string} text
 * @param {number} from
 * @param {number} to
 * @returns {number[]} where each chunk ends; the last is `to`
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
  const rest = text.slice(from, Math.min(to, from + LONGEST_LINE));
  const lineEnd = rest.lastIndexOf("\n", CHUNK - 1);
  if (lineEnd >= 0) return from + lineEnd + 1;
  const nextLineEnd = rest.indexOf("\n", CHUNK);
  if (nextLineEnd >= 0) return from + nextLineEnd + 1;
  if (to - from <= LONGEST_LINE) return to;
  const near = Math.max(rest.lastIndexOf(" ", LONGEST_LINE / 2) + 1, LONGEST_LINE / 4);
  const { index, segment } = segmented(rest, near);
  if (index > 0) return from + index;
  // One character that is longer than a chunk: a base under thousands of marks. It can't be kept in one piece.
  return from + (segment.length < rest.length ? segment.length : LONGEST_LINE / 2);
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/**
 * The character, as readers count, that holds `offset`.
 *
 * @param {string} text
 * @param {number} offset
 */
function segmented(text, offset) {
  return /** @type {Intl.SegmentData} */ (graphemes.segment(text).containing(offset));
}

/**
 * The pieces in which a stretch of text is drawn: one for each token, but one for each character that is cut.
 *
 * @param {TokenizationModel} model
 * @param {number} from in UTF-16 units, between two characters
 * @param {number} to
 * @returns {Piece[]}
 */
export function piecesOf(model, from, to) {
  const { starts, inside } = model;
  /** @type {Piece[]} */
  const pieces = [];
  let i = tokenAt(model, from);
  let at = from;
  if (i < 0) return pieces;
  const drawUntil = (/** @type {number} */ end) => {
    while (i < model.n && (at < end || starts[i + 1] === end) && !(starts[i] === end && inside[i + 1])) {
      const next = Math.min(starts[i + 1], end);
      const holdsOn = starts[i + 1] > end || inside[i + 1];
      if (next > at || !model.byteLengths[i]) {
        pieces.push({ first: i, last: i, from: at, to: next, opens: starts[i] === at && !inside[i] });
      }
      at = next;
      if (holdsOn) break;
      i++;
    }
  };
  for (const [begin, end] of cutCharacters(model, from, to)) {
    drawUntil(begin);
    let last = i;
    while (starts[last + 1] < end) last++;
    pieces.push({ first: i, last, from: begin, to: end, opens: starts[i] === begin });
    at = end;
    i = starts[last + 1] === end && !inside[last + 1] ? last + 1 : last;
  }
  drawUntil(to);
  return pieces;
}

/**
 * Where the characters stand that a token boundary cuts, be it inside a code point or between those of a grapheme.
 *
 * @param {TokenizationModel} model
 * @param {number} from
 * @param {number} to
 * @returns {[number, number][]}
 */
function cutCharacters({ text, starts, inside, n }, from, to) {
  const cuts = /** @type {[number, number][]} */ ([]);
  const stretch = text.slice(from, to);
  let done = from;
  for (let k = firstBoundaryAt(starts, from); k <= n && starts[k] < to; k++) {
    const at = starts[k] - from;
    if (starts[k] < done || (!inside[k] && (at === 0 || surelyApart(stretch, at)))) continue;
    const { index, segment } = segmented(stretch, at);
    if ((!inside[k] && index === at) || segment === "\r\n") continue;
    done = from + index + segment.length;
    cuts.push([from + index, done]);
  }
  return cuts;
}

/**
 * @param {Int32Array} starts
 * @param {number} unit
 */
function firstBoundaryAt(starts, unit) {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (starts[middle] >= unit) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * Whether the characters on both sides of `at` are of the many kinds that never join. A quick no leaves the question to
 * the segmenter, which knows but is slow.
 *
 * @param {string} text
 * @param {number} at
 */
function surelyApart(text, at) {
  return standsAlone(text.charCodeAt(at - 1)) && standsAlone(text.charCodeAt(at));
}

/** @param {number} unit */
function standsAlone(unit) {
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
