/**
 * WordPiece, step by step: each step is one look into the vocabulary, for the longest rest of a word first.
 *
 * Places are code points of a word.
 */

import { TINTS } from "../shared/text/tokenization.js";

/** @typedef {{text: string, matches: [start: number, end: number, id: number][], stuck: number | null}} Word */
/**
 * @typedef {object} MatchesData what the server sends (`tokviz/widgets/longest_matches.py`)
 * @property {string} tokenizer
 * @property {string} prefix of pieces that continue a word
 * @property {number} longest maximum characters of a word that is tried
 * @property {{text: string, id: number}} unknown
 * @property {Word[]} words
 */

/** @typedef {{start: number, end: number, text: string, id: number | null, search: number}} Attempt search: from 0, for each piece */

/** How the vocabulary spells a part of a word. @param {string[]} characters @param {number} start @param {number} end @param {string} prefix */
const spelled = (characters, start, end, prefix) => (start ? prefix : "") + characters.slice(start, end).join("");

/** All looks into the vocabulary, in order. @param {Word} word @param {MatchesData} data @returns {Attempt[]} */
export function attemptsOf({ text, matches, stuck }, { prefix, longest }) {
  const characters = Array.from(text);
  /** @type {[number, number, number | null][]} */
  const searches = [...matches];
  if (stuck !== null && characters.length <= longest) searches.push([stuck, stuck + 1, null]);
  return searches.flatMap(([start, last, id], search) =>
    Array.from({ length: characters.length - last + 1 }, (_, i) => {
      const end = characters.length - i;
      return { start, end, text: spelled(characters, start, end, prefix), id: end === last ? id : null, search };
    }),
  );
}

/** Tokens of a word: their texts and ids. @param {Word} word @param {MatchesData} data @returns {{text: string, id: number}[]} */
export function tokensOf({ text, matches, stuck }, { prefix, unknown }) {
  if (stuck !== null) return [unknown];
  const characters = Array.from(text);
  return matches.map(([start, end, id]) => ({ text: spelled(characters, start, end, prefix), id }));
}

/** @typedef {string | {text: string, tint?: number}} Part plain text, or a piece */

/**
 * What happens at a step: before the first look (0), at each look, and, at the last one, the result.
 *
 * @param {Word} word
 * @param {MatchesData} data
 * @param {number} step
 * @returns {Part[]}
 */
export function captionAt(word, data, step) {
  const attempts = attemptsOf(word, data);
  const characters = Array.from(word.text);
  if (!attempts.length)
    return [{ text: data.unknown.text }, `: this word has ${characters.length} characters, and words of more than ${data.longest} are not tried.`];
  if (!step) return ["Which is the longest piece that ", { text: word.text }, " begins with? Try the whole word first, then one character less each time."];
  const { text, id, end, start, search } = attempts[step - 1];
  if (id !== null) {
    const match = [{ text, tint: search % TINTS }, ` is a piece, id ${id}: the longest that fits. `];
    const rest = characters.slice(end).join("");
    if (rest) return [...match, "Next: ", { text: data.prefix + rest }, ", what is left of the word."];
    const count = tokensOf(word, data).length;
    return [...match, `That is the whole word: ${count} ${count === 1 ? "token" : "tokens"} after ${attempts.length} ${attempts.length === 1 ? "look" : "looks"}.`];
  }
  if (step === attempts.length) return [{ text }, " is not a piece either, so the whole word becomes ", { text: data.unknown.text }, "."];
  const more = end - start > 1 ? " Next, try it without its last character." : "";
  return [{ text }, " is not a piece.", more];
}
