/**
 * The lengths of a text as four programs count it.
 */

import { element, number } from "../shared/dom/elements.js";

/** @typedef {{reader: number, python: number, javascript: number, bytes: number}} Lengths */

/** @type {[name: keyof Lengths, who: string, what: string][]} */
export const COUNTERS = [
  ["reader", "You", "characters"],
  ["python", "Python", "code points"],
  ["javascript", "JavaScript", "UTF-16 units"],
  ["bytes", "A file", "bytes of UTF-8"],
];

/** Say all lengths in a sentence. @param {Lengths} lengths */
export function describeLengths(lengths) {
  return COUNTERS.flatMap(([name, who], i) => [i ? " · " : "", `${who}: `, element("b", {}, number(lengths[name]))]);
}
