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

/** Split patterns of OpenAI's vocabularies, by what their files' names contain. @type {[RegExp, string][]} */
const BY_FILE = [
  [/o200k/i, "o200k"],
  [/gpt-?2|r50k|p50k/i, "gpt2"],
];

/** The split pattern that most likely belongs to a vocabulary. @param {string} name of its file */
export const likelyPattern = (name) => BY_FILE.find(([known]) => known.test(name))?.[1] ?? "cl100k";
