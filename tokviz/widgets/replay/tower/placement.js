/**
 * Places of a tower's symbols in lines of a certain width, as in `place` of `tokviz/widgets/tower_layout.py`.
 */

import { number } from "../../shared/dom/elements.js";
import { OPENS_PRETOKEN } from "./tower.js";

/** @typedef {import("./tower.js").Tower} Tower */

/**
 * @typedef {object} Placement
 * @property {number[]} lefts the column of each symbol drawn
 * @property {number[]} lines and its line
 * @property {number[]} tops the row in which each line's symbols are
 * @property {number} width of all lines together, in columns
 * @property {number} height and in rows
 */

/** Columns between two pre-tokens. */
const GAP = 0.5;
/** Columns of a pre-token's count of one digit, and of each more. */
const [COUNT_WIDTH, DIGIT_WIDTH] = [1.25, 0.45];
/** Rows of a line: for characters above the symbols, if there are any; for ids; and to the next line. */
const [CHARACTER_ROW, NUMBER_ROW, LINE_GAP] = [0.75, 0.75, 0.5];

/**
 * Pre-tokens go to the next line as a whole; one that is wider than a line goes on in the next between two tokens of
 * the end. A token that is wider has a line to itself.
 *
 * @param {Tower} tower
 * @param {number} columns of a line
 * @returns {Placement}
 */
export function place(tower, columns) {
  const [lefts, lines] = [/** @type {number[]} */ ([]), /** @type {number[]} */ ([])];
  let [at, line, width] = [0, 0, 0];
  for (const { tokens, countWidth } of widthsOf(tower)) {
    const needed = tokens.flat().reduce(sum, 0) + countWidth;
    if (at && at + GAP + needed > columns) [at, line] = [0, line + 1];
    else if (at) at += GAP;
    tokens.forEach((token, number) => {
      if (number && at + token.reduce(sum, 0) > columns) [at, line] = [0, line + 1];
      for (const symbolWidth of token) {
        lefts.push(at);
        lines.push(line);
        at += symbolWidth;
      }
      width = Math.max(width, at);
    });
    at += countWidth;
    width = Math.max(width, at);
  }
  return { lefts, lines, width, ...topsOf(tower, lines) };
}

/** @param {number} one @param {number} other */
const sum = (one, other) => one + other;

/** @param {number} count */
const widthOfCount = (count) => (count > 1 ? COUNT_WIDTH + DIGIT_WIDTH * (number(count).length - 1) : 0);

/** For each pre-token, its tokens at the end as the widths of their symbols, and the width of its count. @param {Tower} tower */
function widthsOf({ pretokens, widths, opens }) {
  const found = /** @type {{tokens: number[][], countWidth: number}[]} */ ([]);
  widths.forEach((width, i) => {
    if (opens[i] === OPENS_PRETOKEN)
      found.push({ tokens: [], countWidth: widthOfCount(pretokens[found.length].count) });
    const { tokens } = found[found.length - 1];
    if (opens[i]) tokens.push([]);
    tokens[tokens.length - 1].push(width);
  });
  return found;
}

/** @param {Tower} tower @param {number[]} lines */
function topsOf({ blocks, characters, places }, lines) {
  const lineOf = (/** @type {number} */ symbol) => lines[/** @type {number} */ (places.get(symbol))];
  const deepest = /** @type {number[]} */ ([]);
  for (const { start, depth } of blocks) deepest[lineOf(start)] = Math.max(deepest[lineOf(start)] ?? 0, depth);
  const withCharacters = new Set(characters.flatMap(({ start, end }) => range(start, end).map(lineOf)));
  const tops = /** @type {number[]} */ ([]);
  let row = 0;
  deepest.forEach((depth, line) => {
    row += withCharacters.has(line) ? CHARACTER_ROW : 0;
    tops.push(row);
    row += 1 + depth + NUMBER_ROW + LINE_GAP;
  });
  return { tops, height: Math.max(0, row - LINE_GAP) };
}

/** @param {number} start @param {number} end */
const range = (start, end) => Array.from({ length: end - start }, (_, i) => start + i);

/** @typedef {{x: number, y: number, width: number}} Span `x` and `width` in columns, `y` in rows */

/**
 * Where symbols of one line stand.
 *
 * @param {Tower} tower
 * @param {Placement} placement
 * @param {number} start
 * @param {number} end
 * @returns {Span}
 */
export function spanOf({ places, widths }, { lefts, lines, tops }, start, end) {
  const first = /** @type {number} */ (places.get(start));
  const last = first + end - start - 1;
  return { x: lefts[first], y: tops[lines[first]], width: lefts[last] + widths[last] - lefts[first] };
}

/**
 * Where symbols stand that may be in several lines: a span for each line.
 *
 * @param {Tower} tower
 * @param {Placement} placement
 * @param {number} start
 * @param {number} end
 * @returns {Span[]}
 */
export function spansOf(tower, placement, start, end) {
  const lineOf = (/** @type {number} */ symbol) => placement.lines[/** @type {number} */ (tower.places.get(symbol))];
  const firsts = range(start, end).filter((symbol) => symbol === start || lineOf(symbol) !== lineOf(symbol - 1));
  return firsts.map((first, i) => spanOf(tower, placement, first, firsts[i + 1] ?? end));
}
