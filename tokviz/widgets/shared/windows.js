/**
 * Context windows: how many tokens a model reads at once.
 */

import { rounded } from "./elements.js";

/** The choice of a size that is not in the list. */
export const OWN = "own";
/** Sizes to choose from, with their labels. @type {[value: string, label: string][]} */
export const WINDOWS = [
  ["4096", "4k"],
  ["8192", "8k"],
  ["32768", "32k"],
  ["128000", "128k"],
  ["200000", "200k"],
  ["1000000", "1M"],
  [OWN, "own value"],
];

/** Two digits that say something, however small the share. @param {number} share */
export function percent(share) {
  const digits = share === 0 || share >= 0.1 ? 0 : share >= 0.01 ? 1 : share >= 0.0001 ? 2 : 4;
  return `${rounded(share * 100, digits)} %`;
}
