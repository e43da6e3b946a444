/**
 * Curly quotes, which word processors and phones put in place of straight ones.
 */

import { QUOTES } from "./invisibles.js";

const CURLY_QUOTES = new RegExp(`[${QUOTES}]`, "g");
const CURLY_SINGLE = /[‘’‚‛]/;

/** @param {string} text */
export const countCurly = (text) => text.match(CURLY_QUOTES)?.length ?? 0;

/** The text with straight quotes, of the same length. @param {string} text */
export function straightened(text) {
  return text.replace(CURLY_QUOTES, (quote) => (CURLY_SINGLE.test(quote) ? "'" : '"'));
}
