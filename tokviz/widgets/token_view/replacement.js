/**
 * How a text is split into chunks, and which of them an edit replaces.
 */

import { firstDirection } from "../shared/text/direction.js";

/** @typedef {"auto" | "ltr" | "rtl"} Direction */

/**
 * @typedef {object} Replacement chunks to replace, and the part of the new text to replace them with
 * @property {number} first the first chunk
 * @property {number} end one past the last
 * @property {number} from start of the text
 * @property {number} to
 */

/**
 * Find the chunks that a new text replaces: those between the ones that it starts and ends with.
 *
 * @param {{text: string}[]} old
 * @param {string} text
 * @returns {Replacement | null} null if the text is the same
 */
export function findReplacement(old, text) {
  let head = 0;
  let from = 0;
  while (head < old.length && text.startsWith(old[head].text, from)) from += old[head++].text.length;
  if (head === old.length && from === text.length) return null;
  let tail = 0;
  let to = text.length;
  while (tail < old.length - head && to - old[old.length - 1 - tail].text.length >= from) {
    const chunk = old[old.length - 1 - tail];
    if (!text.startsWith(chunk.text, to - chunk.text.length)) break;
    to -= chunk.text.length;
    tail++;
  }
  // The edit may join or separate characters and lines at its boundaries, so the neighbors are replaced too.
  if (head > 0) from -= old[--head].text.length;
  if (tail > 0) to += old[old.length - tail--].text.length;
  return { first: head, end: old.length - tail, from, to };
}

/**
 * Return a chunk's direction: whole lines get theirs line by line; a part of a long line continues that of its start.
 *
 * @param {string} text
 * @param {number} from
 * @param {number} to
 * @param {string | undefined} before direction of the chunk before, if there is one
 * @returns {Direction}
 */
export function chunkDirection(text, from, to, before) {
  const continuesLine = from > 0 && text[from - 1] !== "\n";
  if (continuesLine && before !== undefined) return before === "rtl" ? "rtl" : "ltr";
  if (to === text.length || text[to - 1] === "\n") return "auto";
  return firstDirection(text.slice(from, to)) ?? "ltr";
}

/**
 * Estimate a text's number of rows, for the scroll bar.
 *
 * @param {string} text
 * @param {number} columns approximate number of characters per row
 */
export function estimateRows(text, columns) {
  const lines = text.endsWith("\n") ? text.slice(0, -1).split("\n") : text.split("\n");
  return lines.reduce((rows, line) => rows + Math.max(1, Math.ceil(line.length / columns)), 0);
}
