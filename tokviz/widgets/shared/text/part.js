/**
 * The part of a long text that is in the editor's box: browsers take seconds to lay out 1 MB, or tens of thousands of lines.
 */

import { number } from "../dom/elements.js";

/** Maximum characters in the box; of a longer text it holds a part. */
export const MAX_IN_BOX = 64_000;
/** Approximate characters in such a part. */
export const PART_LENGTH = 32_000;
/** Maximum lines in the box, and in such a part: an empty line takes as long as ten characters. */
export const [MAX_LINES_IN_BOX, PART_LINES] = [10_000, 5_000];

/** True if all of a source may be in the box. @param {string} source */
export function fitsBox(source) {
  return source.length <= MAX_IN_BOX && placeAfter(source, 0, MAX_IN_BOX, MAX_LINES_IN_BOX) === source.length;
}

/**
 * The part of a source that is put into the box: whole lines around the caret, or all of it if it is short enough.
 *
 * @param {string} source
 * @param {number} caret
 * @returns {[start: number, end: number]}
 */
export function partAround(source, caret) {
  if (fitsBox(source)) return [0, source.length];
  const middle = halfBefore(source, caret);
  const last = placeAfter(source, middle, PART_LENGTH, PART_LINES);
  const first = last === source.length ? placeBefore(source, last, PART_LENGTH, PART_LINES) : middle;
  return [first === 0 ? 0 : lineStart(source, first), last >= source.length ? source.length : lineStart(source, last)];
}

/** The place half a part before another. @param {string} source @param {number} place */
export const halfBefore = (source, place) => placeBefore(source, place, PART_LENGTH / 2, PART_LINES / 2);

/** The place half a part after another. @param {string} source @param {number} place */
export const halfAfter = (source, place) => placeAfter(source, place, PART_LENGTH / 2, PART_LINES / 2);

/** The place so many characters before another, or so many lines, whichever is nearer. */
function placeBefore(/** @type {string} */ source, /** @type {number} */ place, /** @type {number} */ length, /** @type {number} */ lines) {
  const least = Math.max(0, place - length);
  let at = place;
  for (let line = 0; line <= lines; line++) {
    const end = at > 0 ? source.lastIndexOf("\n", at - 1) : -1;
    if (end < least) return least;
    at = end;
  }
  return at + 1;
}

/** The place so many characters after another, or so many lines, whichever is nearer. */
function placeAfter(/** @type {string} */ source, /** @type {number} */ place, /** @type {number} */ length, /** @type {number} */ lines) {
  const most = Math.min(source.length, place + length);
  let at = place;
  for (let line = 0; line < lines; line++) {
    const end = source.indexOf("\n", at);
    if (end < 0 || end >= most) return most;
    at = end + 1;
  }
  return at;
}

/**
 * Describe which part of a text is in the box, in code points: counting graphemes on each key press takes too long.
 *
 * @param {Pick<import("./escapes.js").Reading, "text" | "toText">} reading
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
