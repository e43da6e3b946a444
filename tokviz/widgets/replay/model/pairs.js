/**
 * Pairs after k steps: their counts, and the order in which they would be merged.
 */

import { PairTable } from "./pairtable.js";
import { idAt } from "./replay.js";

/** @typedef {import("./replay.js").Replay} Replay */
/** @typedef {{left: number, right: number, count: number, rank: number}} Pair `rank` is -1 if no merge joins it */

/**
 * Count the pairs within pre-tokens after k steps, in the order first seen, including overlaps (`aaa` contains a + a
 * twice). If merging goes pre-token by pre-token, count only in the current pre-token.
 *
 * @param {Replay} replay
 * @param {number} k
 * @returns {PairTable} with the counts as its `values`
 */
export function countPairs(replay, k) {
  const { removedAt, pieceOf, tokenCounts } = replay;
  const [from, to] = stretchOf(replay, k);
  const table = new PairTable(Math.min(to - from, tokenCounts[k]));
  let left = -1;
  let leftPiece = -1;
  for (let i = from; i < to; i++) {
    if (removedAt[i] < k) continue;
    const right = idAt(replay, i, k);
    if (pieceOf[i] === leftPiece) table.values[table.add(left, right)]++;
    left = right;
    leftPiece = pieceOf[i];
  }
  return table;
}

/**
 * Pairs after k steps, in the order first seen.
 *
 * @param {Replay} replay
 * @param {number} k
 * @returns {Pair[]}
 */
export function pairsSeen(replay, k) {
  const { lefts, rights, values, size } = countPairs(replay, k);
  return Array.from({ length: size }, (_, i) => {
    const [left, right, count] = [lefts[i], rights[i], values[i]];
    return { left, right, count, rank: replay.rankOf(left, right) };
  });
}

/** True if some of the pairs that step k joins overlap, as in `aaa`. @param {Replay} replay @param {number} k */
export function hasOverlaps(replay, k) {
  const { lefts, rights, removedAt, pieceOf } = replay;
  if (lefts[k] !== rights[k]) return false;
  const [from, to] = stretchOf(replay, k);
  let runLength = 0;
  let piece = -1;
  for (let i = from; i < to; i++) {
    if (removedAt[i] < k) continue;
    if (pieceOf[i] !== piece) runLength = 0;
    piece = pieceOf[i];
    runLength = idAt(replay, i, k) === lefts[k] ? runLength + 1 : 0;
    if (runLength > 2) return true;
  }
  return false;
}

/** Range of symbols from which step k chooses its pair. @param {Replay} replay @param {number} k */
function stretchOf({ meta, steps, n, boundaries, boundaryOffsets, pieceOf, pieceStarts }, k) {
  if (meta.order !== "pretoken" || k >= steps) return [0, n];
  const piece = pieceOf[boundaries[boundaryOffsets[k]]];
  return [pieceStarts[piece], pieceStarts[piece + 1]];
}

/**
 * @typedef {object} Ranking
 * @property {Pair[]} top the first pairs, the winner first
 * @property {number} distinct number of different pairs
 * @property {number} without number of them that no merge joins; only for applying
 * @property {number} once number of them that occur only once; only for learning
 */

/**
 * Rank the pairs after k steps in the order in which the rule would choose them.
 *
 * @param {Replay} replay
 * @param {number} k
 * @param {number} most maximum pairs to list
 * @returns {Ranking}
 */
export function rankPairs(replay, k, most) {
  const table = countPairs(replay, k);
  const learning = replay.meta.story === "learn";
  const compare = learning ? learningOrder(replay) : byRank;
  const top = /** @type {Pair[]} */ ([]);
  let [without, once] = [0, 0];
  for (let i = 0; i < table.size; i++) {
    const [left, right, count] = [table.lefts[i], table.rights[i], table.values[i]];
    const rank = learning ? -1 : replay.rankOf(left, right);
    if (learning && count === 1) once++;
    if (!learning && rank < 0) without++;
    else if (learning && top.length === most && count < top[most - 1].count) continue;
    else insert(top, { left, right, count, rank }, compare, most);
  }
  return { top, distinct: table.size, without, once };
}

/**
 * Insert a pair into a sorted list of limited length, after its equals.
 *
 * @param {Pair[]} sorted
 * @param {Pair} pair
 * @param {(one: Pair, other: Pair) => number} compare
 * @param {number} most
 */
function insert(sorted, pair, compare, most) {
  let at = sorted.length;
  while (at > 0 && compare(pair, sorted[at - 1]) < 0) at--;
  if (at >= most) return;
  sorted.splice(at, 0, pair);
  if (sorted.length > most) sorted.pop();
}

/** @param {Pair} one @param {Pair} other */
const byRank = (one, other) => one.rank - other.rank;

/** Compare by count, highest first, then by the tie rule. @param {Replay} replay */
function learningOrder({ meta, bytes }) {
  /** @type {Record<string, (one: Pair, other: Pair) => number>} */
  const rules = {
    // Pairs arrive in the order first seen, and are inserted after their equals.
    "first-seen": () => 0,
    "lowest-ids": (one, other) => one.left - other.left || one.right - other.right,
    "greatest-bytes": (one, other) =>
      compareBytes(bytes.get(other.left), bytes.get(one.left)) ||
      compareBytes(bytes.get(other.right), bytes.get(one.right)) ||
      rules["lowest-ids"](one, other),
  };
  const rule = rules[meta.ties];
  return (/** @type {Pair} */ one, /** @type {Pair} */ other) => other.count - one.count || rule(one, other);
}

/** @param {Uint8Array | undefined} one @param {Uint8Array | undefined} other */
function compareBytes(one = new Uint8Array(), other = new Uint8Array()) {
  const shorter = Math.min(one.length, other.length);
  for (let i = 0; i < shorter; i++) if (one[i] !== other[i]) return one[i] - other[i];
  return one.length - other.length;
}

/**
 * Number of other pairs that are as frequent as the pair that step k joins.
 *
 * @param {Replay} replay
 * @param {number} k
 */
export function tiesAt({ tied }, k) {
  return tied?.[k] ?? 0;
}
