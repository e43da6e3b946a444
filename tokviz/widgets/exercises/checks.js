/**
 * What is said of an answer: whether it is right, and why.
 */

import { filled } from "../room/text.js";
import { withSigns } from "../shared/text/invisibles.js";

/** @typedef {Record<string, string>} Words */
/** @typedef {{isRight: boolean, says: string[]}} Judged */

/** @typedef {{text: string, tokens: {text: string, id: number}[], splits: boolean[]}} Cut `splits`: for each boundary, whether the split pattern cuts there */
/** @typedef {{text: string, pairs: {left: string, right: string, merge: number}[]}} Merge `merge`: its number from 1, 0 for none */
/** @typedef {{texts: string[], pieces: string[][]}} Cheaper */

/** Tokens as they are written in sentences. @param {string[]} pieces */
export const written = (pieces) => `\`${pieces.map(withSigns).join("|")}\``;

/** The places of the boundaries between tokens, in characters. @param {Cut} cut */
export function boundariesOf({ tokens }) {
  let at = 0;
  return tokens.slice(0, -1).map(({ text }) => (at += text.length));
}

/** @param {Cut} cut @param {number[]} drawn places where the reader cuts @param {Words} words @returns {Judged} */
export function judgeCut(cut, drawn, words) {
  const boundaries = boundariesOf(cut);
  const starts = [0, ...boundaries];
  const extra = drawn.filter((place) => !boundaries.includes(place)).map((place) => {
    const { text, id } = cut.tokens[starts.filter((start) => start < place).length - 1];
    return filled(words.cut_extra, { token: withSigns(text), id });
  });
  const missing = boundaries.flatMap((place, k) => {
    if (drawn.includes(place)) return [];
    const [left, right] = [cut.tokens[k], cut.tokens[k + 1]].map(({ text }) => withSigns(text));
    return [filled(cut.splits[k] ? words.cut_split : words.cut_missing, { left, right })];
  });
  const says = [...new Set([...extra, ...missing])];
  if (says.length) return { isRight: false, says };
  return { isRight: true, says: [filled(words.cut_answer, { tokens: written(cut.tokens.map(({ text }) => text)) })] };
}

/** How a pair is written. @param {{left: string, right: string}} pair */
export const nameOf = ({ left, right }) => `${withSigns(left)} + ${withSigns(right)}`;

/** The pair that is joined first. @param {Merge} merge */
export const earliest = ({ pairs }) => pairs.filter(({ merge }) => merge).reduce((first, pair) => (pair.merge < first.merge ? pair : first));

/** @param {Merge} asked @param {number} chosen index of the pair @param {Words} words @returns {Judged} */
export function judgeMerge(asked, chosen, words) {
  const [right, pair] = [earliest(asked), asked.pairs[chosen]];
  const answer = filled(words.merge_answer, { pair: nameOf(right), merge: right.merge });
  if (pair === right) return { isRight: true, says: [answer] };
  const why = filled(pair.merge ? words.merge_later : words.merge_none, { pair: nameOf(pair), merge: pair.merge });
  return { isRight: false, says: [why, answer] };
}

/** @param {Cheaper} asked @param {number} chosen index of the text @param {Words} words @returns {Judged} */
export function judgeCheaper({ pieces }, chosen, words) {
  const [first, second] = pieces.map(({ length }) => length);
  const both = pieces.map(written).join(", ");
  const says = [filled(words.cheaper_answer, { first, second, pieces: both })];
  return { isRight: pieces[chosen].length === Math.min(first, second), says };
}

/** @param {string[]} pieces tokens of the reader's text @param {number} count that is asked for @param {Words} words @returns {Judged} */
export function judgeText(pieces, count, words) {
  const says = [filled(words.write_count, { count: pieces.length, pieces: written(pieces) })];
  if (pieces.length !== count) says.push(pieces.length < count ? words.write_more : words.write_less);
  return { isRight: pieces.length === count, says };
}
