/**
 * A text under the first k merges of its tokenizer, for every k.
 *
 * The server sends one number for each step of the merging: how many merges a tokenizer knows at least that takes it
 * (`tokviz/widgets/seeks.py`). The tokens at k follow by one pass over the boundaries between the text's symbols.
 */

import { firstIndex, tintSymbols } from "../shared/text/tokenization.js";

/** @typedef {import("../shared/net/columns.js").SeekColumns} SeekColumns */

/**
 * @typedef {object} Seek
 * @property {number} merges how many the tokenizer has
 * @property {"bytes" | "characters"} units of the symbols before the first merge
 * @property {SeekColumns} columns
 * @property {Int32Array} byteOffsets start of each symbol in the text's bytes, then their number
 * @property {Int32Array} places for each step, how many boundaries it removes
 * @property {Int32Array} vanishes for each boundary, how many merges remove it; more than all if none does
 * @property {Int32Array} changes the numbers of merges at which this text changes, ascending
 */

/**
 * @typedef {object} Tokens columns over the tokens
 * @property {Int32Array} ids
 * @property {Int32Array} byte_lengths
 * @property {Uint8Array} special
 * @property {Int32Array} ranks of the merges that made them, -1 for none
 * @property {Int32Array} firsts their first symbols
 */

/** @param {SeekColumns} columns @returns {Seek} */
export function makeSeek(columns) {
  const { symbol_lengths: lengths, removed_at: removedAt, known, meta } = columns;
  const byteOffsets = new Int32Array(lengths.length + 1);
  lengths.forEach((length, i) => (byteOffsets[i + 1] = byteOffsets[i] + length));
  const places = new Int32Array(known.length);
  for (const step of removedAt) if (step < known.length) places[step]++;
  const vanishes = removedAt.map((step) => known[step] ?? meta.merges + 1);
  const changes = Int32Array.from(new Set(known)).sort();
  return { merges: meta.merges, units: meta.units, columns, byteOffsets, places, vanishes, changes };
}

/** @param {Seek} seek @param {number} k @returns {Tokens} */
export function tokensAt({ columns, vanishes }, k) {
  const { symbols, symbol_lengths: lengths, special, removed_at: removedAt, ranks, new_ids: newIds } = columns;
  let n = 0;
  for (const number of vanishes) if (number > k) n++;
  const tokens = { ids: new Int32Array(n), byte_lengths: new Int32Array(n), special: new Uint8Array(n), ranks: new Int32Array(n), firsts: new Int32Array(n) };
  let [token, last] = [-1, -1];
  for (let i = 0; i < symbols.length; i++) {
    if (vanishes[i] <= k) {
      last = Math.max(last, removedAt[i]); // the last step within a token made it
      tokens.byte_lengths[token] += lengths[i];
      tokens.ids[token] = newIds[last];
      tokens.ranks[token] = ranks[last];
      continue;
    }
    last = -1;
    tokens.ids[++token] = symbols[i];
    tokens.byte_lengths[token] = lengths[i];
    tokens.special[token] = special[i];
    tokens.ranks[token] = -1;
    tokens.firsts[token] = i;
  }
  return tokens;
}

/** How many of the numbers at which the text changes are up to k: equal for equal tokens. @param {Seek} seek @param {number} k */
export function stateAt({ changes }, k) {
  return firstIndex(changes.length, (i) => changes[i] > k);
}

/**
 * The number of merges at which the text changes next, or changed last before k; the ends of the scale beyond them.
 *
 * @param {Seek} seek @param {number} k @param {number} by 1 for the next, -1 for the last; more for several
 */
export function changeFrom(seek, k, by) {
  const { changes, merges } = seek;
  const state = stateAt(seek, by < 0 ? k - 1 : k);
  const place = state + (by < 0 ? by : by - 1);
  if (place < 0) return 0;
  return place < changes.length ? changes[place] : merges;
}

/**
 * @typedef {object} Join the newest of the merges known at k that joins something in the text
 * @property {number} merge its number, from 1
 * @property {number} places where it joins
 * @property {[left: number, middle: number, right: number]} at the first of them: where its two parts begin, and the
 *   end, as symbols
 */

/** @param {Seek} seek @param {number} k @returns {Join | null} null if none of them does */
export function newestAt({ columns, places }, k) {
  const { ranks, known, removed_at: removedAt } = columns;
  let [newest, total] = [-1, 0];
  for (let step = 0; step < known.length; step++) {
    if (known[step] > k) continue;
    if (newest < 0 || ranks[step] > ranks[newest]) [newest, total] = [step, 0];
    if (ranks[step] === ranks[newest]) total += places[step];
  }
  if (newest < 0) return null;
  const middle = removedAt.indexOf(newest);
  let [left, right] = [middle - 1, middle + 1];
  while (left > 0 && removedAt[left] < newest) left--;
  while (right < removedAt.length && removedAt[right] < newest) right++;
  return { merge: ranks[newest] + 1, places: total, at: [left, middle, right] };
}

/**
 * The tokens in which the newest merge that joins something has joined.
 *
 * @param {Seek} seek @param {number} k @param {number} n how many tokens there are
 * @returns {Uint8Array} 1 for each of these
 */
export function newestTokensAt({ columns, vanishes }, k, n) {
  const { ranks, known, removed_at: removedAt } = columns;
  let [newest, token] = [-1, -1];
  for (let step = 0; step < known.length; step++) if (known[step] <= k) newest = Math.max(newest, ranks[step]);
  const found = new Uint8Array(n);
  for (let i = 0; i < vanishes.length; i++) {
    if (vanishes[i] > k) token++;
    else if (ranks[removedAt[i]] === newest) found[token] = 1;
  }
  return found;
}

/**
 * A tint for each symbol that a token may begin with: see `tintSymbols`.
 *
 * @param {Seek} seek
 * @param {Uint8Array} tints of the tokens after all merges
 */
export function tintsOfSymbols(seek, tints) {
  const { removed_at: removedAt, known, symbols } = seek.columns;
  const found = new Uint8Array(symbols.length);
  tokensAt(seek, seek.merges).firsts.forEach((first, i) => (found[first] = tints[i]));
  const removed = Array.from(symbols.keys()).filter((i) => removedAt[i] < known.length);
  return tintSymbols(found, removed.sort((one, other) => removedAt[one] - removedAt[other]));
}
