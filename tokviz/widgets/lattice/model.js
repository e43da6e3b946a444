/**
 * A Unigram lattice: the pieces that fit a text, the best ways to write the text as pieces, and what a piece would cost.
 *
 * Places are code points of the normalized text.
 */

import { number } from "../shared/dom/elements.js";
import { TINTS } from "../shared/text/tokenization.js";

/**
 * @typedef {object} LatticeData what the server sends (`tokviz/widgets/lattices.py`)
 * @property {string} tokenizer
 * @property {string} text the normalized text
 * @property {number[]} starts of the pieces that fit, by start, then by end
 * @property {number[]} ends
 * @property {number[]} ids
 * @property {number[]} scores
 * @property {number[]} rows beneath the characters, from 0; pieces of a row don't overlap
 * @property {number[]} unknown indices of the pieces that are characters outside the vocabulary
 * @property {number[]} special indices of those that are special tokens
 * @property {boolean} bytes true if an unknown character becomes its bytes, false if it becomes an unknown token
 * @property {string} unknown_token the text of that token, "" if there is none
 * @property {{score: number, pieces: number[]}[]} paths the best ways, the best one first; indices of their pieces
 * @property {string} ways how many ways there are in all, for people
 */

/** @typedef {{text: string, start: number, end: number, row: number, id: number, score: number, kind: "piece" | "unknown" | "special"}} Piece */
/** @typedef {{score: number, pieces: number[], tints: Map<number, number>}} Path */
/**
 * @typedef {object} Lattice
 * @property {LatticeData} data
 * @property {string[]} characters
 * @property {Piece[]} pieces
 * @property {Path[]} paths
 */

/** @param {LatticeData} data @returns {Lattice} */
export function readLattice(data) {
  const characters = Array.from(data.text);
  const [unknown, special] = [new Set(data.unknown), new Set(data.special)];
  const pieces = data.starts.map((start, i) => {
    const end = data.ends[i];
    const kind = /** @type {Piece["kind"]} */ (unknown.has(i) ? "unknown" : special.has(i) ? "special" : "piece");
    return { text: characters.slice(start, end).join(""), start, end, row: data.rows[i], id: data.ids[i], score: data.scores[i], kind };
  });
  const paths = data.paths.map(({ score, pieces: used }) => ({
    score,
    pieces: used,
    tints: new Map(used.map((piece, i) => [piece, i % TINTS])),
  }));
  return { data, characters, pieces, paths };
}

/** The different characters that are in no piece, in the order of the text. @param {Lattice} lattice @returns {string[]} */
export const unknownOf = ({ pieces }) => [...new Set(pieces.filter(({ kind }) => kind === "unknown").map(({ text }) => text))];

/** @typedef {{start: number, end: number, pieces: number[]}} Line characters from start to end, and the pieces beneath them */

/**
 * Break the characters into lines. A line ends where no piece goes on, if there is such a place; if not, its last pieces
 * are in the next line too.
 *
 * @param {Pick<Piece, "start" | "end">[]} pieces
 * @param {number} length number of characters
 * @param {number} columns most characters of a line
 * @returns {Line[]}
 */
export function linesOf(pieces, length, columns) {
  const crossed = new Uint8Array(length + 1);
  for (const { start, end } of pieces) crossed.fill(1, start + 1, end);
  const lines = [];
  for (let start = 0; start < length; ) {
    const full = Math.min(length, start + columns);
    let end = full;
    while (end > start && crossed[end]) end--;
    if (end === start) end = full;
    const [from, to] = [start, end];
    lines.push({ start, end, pieces: pieces.flatMap((piece, i) => (piece.start < to && piece.end > from ? [i] : [])) });
    start = end;
  }
  return lines;
}

/** @typedef {{best: number[], other: number[]}} Difference pieces of the same stretch of text */

/**
 * Where two paths differ: stretches of the text that they write as different pieces.
 *
 * @param {Lattice} lattice
 * @param {number[]} best pieces
 * @param {number[]} other
 * @returns {Difference[]}
 */
export function differencesOf({ pieces }, best, other) {
  const differences = [];
  let [i, j] = [0, 0];
  while (i < best.length && j < other.length) {
    if (best[i] === other[j]) {
      (i++, j++);
      continue;
    }
    const [fromI, fromJ] = [i++, j++];
    while (pieces[best[i - 1]].end !== pieces[other[j - 1]].end)
      if (pieces[best[i - 1]].end < pieces[other[j - 1]].end) i++;
      else j++;
    differences.push({ best: best.slice(fromI, i), other: other.slice(fromJ, j) });
  }
  return differences;
}

/** The best path that has a piece. @param {Lattice} lattice @param {number} piece @returns {number[]} pieces */
export function pathThrough({ pieces, characters }, piece) {
  const { start, end } = pieces[piece];
  const allowed = pieces.map((_, i) => i).filter((i) => i === piece || pieces[i].end <= start || pieces[i].start >= end);
  /** Best sum to each place. */
  const sums = new Array(characters.length + 1).fill(-Infinity);
  sums[0] = 0;
  /** @type {number[]} */
  const last = [];
  for (const i of allowed) {
    const sum = sums[pieces[i].start] + pieces[i].score;
    if (sum > sums[pieces[i].end]) [sums[pieces[i].end], last[pieces[i].end]] = [sum, i];
  }
  const path = [];
  for (let at = characters.length; at > 0; at = pieces[last[at]].start) path.push(last[at]);
  return path.reverse();
}

/** Write a score, with a true minus sign. @param {number} score @param {number} [digits] */
export function scoreText(score, digits = 2) {
  const text = Math.abs(score).toFixed(digits);
  return score < 0 && Number(text) !== 0 ? `−${text}` : text;
}

/** How many times less likely something is whose score is lower by this. @param {number} difference 0 or more */
export function timesLess(difference) {
  const times = Math.exp(difference);
  if (times < 1.005) return "just as likely";
  const written = times < 10 ? times.toFixed(1) : times < 1e6 ? number(Math.round(times)) : `10^${Math.round(Math.log10(times))}`;
  return `${written} times less likely`;
}
