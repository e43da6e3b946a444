/**
 * The lengths of a text as four programs count it.
 */

import { element, number } from "../shared/dom/elements.js";

/** @typedef {{reader: number, python: number, javascript: number, bytes: number}} Lengths */

/** @type {[name: keyof Lengths, who: string][]} */
const COUNTERS = [["reader", "You"], ["python", "Python"], ["javascript", "JavaScript"], ["bytes", "A file"]];

/** Say all lengths in a sentence. @param {Lengths} lengths */
export function describeLengths(lengths) {
  return COUNTERS.flatMap(([name, who], i) => [i ? " · " : "", `${who}: `, element("b", {}, number(lengths[name]))]);
}
