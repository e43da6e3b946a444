/**
 * Context windows: the number of tokens a model reads at once.
 */

import { number, plural, rounded } from "../dom/elements.js";

/** Menu value for a custom size. */
export const OWN = "own";
/** Menu values, in tokens, with their labels. @type {[value: string, label: string][]} */
export const WINDOWS = [
  ["4096", "4k"],
  ["8192", "8k"],
  ["32768", "32k"],
  ["128000", "128k"],
  ["200000", "200k"],
  ["1000000", "1M"],
  [OWN, "Own value"],
];

/** Format a share as a percentage, with more decimals for smaller shares. @param {number} share */
export function percent(share) {
  const digits = share === 0 || share >= 0.1 ? 0 : share >= 0.01 ? 1 : share >= 0.0001 ? 2 : 4;
  return `${rounded(share * 100, digits)} %`;
}

/** Name a size in short. @param {number} size in tokens */
export const labelOf = (size) => WINDOWS.find(([listed]) => listed === String(size))?.[1] ?? number(size);

/**
 * Describe a number of tokens as a share of a context window, and the number of windows they take.
 *
 * @param {number} tokens @param {number} size
 */
export function sayShare(tokens, size) {
  const windows = Math.ceil(tokens / size);
  const fits = windows <= 1 ? "fits in one window" : `takes ${plural(windows, "window")}`;
  return `${percent(tokens / size)} of one window of ${plural(size, "token")}; the text ${fits}.`;
}
