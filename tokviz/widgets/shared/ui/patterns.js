/**
 * Split patterns that have a name, as menus list them and requests write them.
 */

/** @type {[name: string, label: string][]} */
export const PATTERNS = [
  ["none", "none"],
  ["gpt2", "GPT-2's"],
  ["cl100k", "cl100k's"],
  ["o200k", "o200k's"],
  ["words", "words"],
];

/** What the menus call a regular expression of the reader's own, and the one that they begin with. */
export const [OWN_PATTERN, FIRST_OWN] = ["my own", "\\w+|\\s+|[^\\w\\s]+"];

/** The patterns of menus in which a regular expression may be written, too. @type {[name: string, label: string][]} */
export const WITH_OWN = [...PATTERNS, [OWN_PATTERN, OWN_PATTERN]];

/**
 * A split pattern as the server takes it.
 *
 * @param {{pattern: string, own: string, off: string}} chosen `off`: numbers of alternatives that are switched off
 * @returns {Record<string, string>}
 */
export const patternQuery = ({ pattern, own, off }) => ({ ...(pattern === OWN_PATTERN ? { own } : { pattern }), ...(off ? { off } : {}) });

/** Split patterns of OpenAI's vocabularies, by what their files' names contain. @type {[RegExp, string][]} */
const BY_FILE = [
  [/o200k/i, "o200k"],
  [/gpt-?2|r50k|p50k/i, "gpt2"],
];

/** The split pattern that most likely belongs to a vocabulary. @param {string} name of its file */
export const likelyPattern = (name) => BY_FILE.find(([known]) => known.test(name))?.[1] ?? "cl100k";
