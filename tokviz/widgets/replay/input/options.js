/**
 * Options of the trainer whose merges are shown, and their names in menus, links and requests.
 */

/**
 * @typedef {object} LearnOptions
 * @property {string} text
 * @property {string} pattern
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
export function learnQuery({ pattern, alphabet, ties, merges, endOfWord }) {
  return { pattern, alphabet, ties, merges, end_of_word: endOfWord ? 1 : 0 };
}
