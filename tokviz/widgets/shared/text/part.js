/**
 * The part of a long text that is in the editor's box: browsers take seconds to lay out 1 MB.
 */

import { number } from "../dom/elements.js";

/** @typedef {import("./escapes.js").Reading} Reading */

/** Maximum characters in the box; of a longer text it holds a part. */
export const MAX_IN_BOX = 64_000;
/** Approximate characters in such a part. */
export const PART_LENGTH = 32_000;

/**
 * The part of a source that is put into the box: whole lines around the caret, or all of it if it is short enough.
 *
 * @param {string} source
 * @param {number} caret
 * @returns {[start: number, end: number]}
 */
export function partAround(source, caret) {
  if (source.length <= MAX_IN_BOX) return [0, source.length];
  const first = Math.min(Math.max(0, caret - PART_LENGTH / 2), source.length - PART_LENGTH);
  const last = first + PART_LENGTH;
  return [first === 0 ? 0 : lineStart(source, first), last >= source.length ? source.length : lineStart(source, last)];
}

/**
 * Describe which part of a text is in the box, in code points: counting graphemes on each key press takes too long.
 *
 * @param {Pick<Reading, "text" | "toText">} reading
 * @param {number} from in the source
 * @param {number} to
 */
export function sayPart({ text, toText }, from, to) {
  const [start, end] = [toText(from), toText(to)];
  const before = codePoints(text, 0, start);
  const last = before + codePoints(text, start, end);
  return `Code points ${number(before + 1)} to ${number(last)} of ${number(last + codePoints(text, end, text.length))}.`;
}

/** Number of code points between two offsets; texts contain no lone surrogates. */
function codePoints(/** @type {string} */ text, /** @type {number} */ from, /** @type {number} */ to) {
  let count = 0;
  for (let at = from; at < to; at++) if ((text.charCodeAt(at) & 0xfc00) !== 0xdc00) count++;
  return count;
}

/** First line start at or after an offset; the offset itself, moved off a low surrogate, if that is far away. */
function lineStart(/** @type {string} */ text, /** @type {number} */ place) {
  const end = text.indexOf("\n", place - 1);
  if (end >= 0 && end - place < PART_LENGTH / 4) return end + 1;
  const low = text.charCodeAt(place);
  return low >= 0xdc00 && low < 0xe000 ? place + 1 : place;
}
