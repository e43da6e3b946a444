/**
 * Options of the trainer whose merges are shown, and their names in menus, links and requests.
 */

import { patternQuery } from "../../shared/ui/patterns.js";

/**
 * @typedef {object} LearnOptions
 * @property {string} text
 * @property {string} pattern the name of a split pattern, or `OWN_PATTERN`
 * @property {string} own a regular expression
 * @property {string} off numbers of the pattern's alternatives that are switched off, with commas between
 * @property {string} alphabet
 * @property {string} ties
 * @property {number} merges
 * @property {boolean} endOfWord
 */

/** @type {[string, string][]} */
export const ALPHABETS = [
  ["bytes", "all 256 bytes"],
  ["seen-bytes", "bytes in the text"],
  ["characters", "characters in the text"],
];
/** @type {[string, string][]} */
export const TIES = [
  ["first-seen", "first seen"],
  ["lowest-ids", "lowest ids"],
  ["greatest-bytes", "greatest bytes"],
];

/** The options as query parameters for the server. @param {LearnOptions} options */
export function learnQuery({ pattern, own, off, alphabet, ties, merges, endOfWord }) {
  return { ...patternQuery({ pattern, own, off }), alphabet, ties, merges, end_of_word: endOfWord ? 1 : 0 };
}
