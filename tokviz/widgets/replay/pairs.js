/**
 * Which pairs stand together after k steps, how often, and which of them is next, and why.
 */

import { idAt } from "./model.js";

/** @typedef {import("./model.js").Replay} Replay */
/** @typedef {{left: number, right: number, count: number, rank: number}} Pair `rank` is -1 where no merge joins it */

/** Pairs of ids, numbered in the order in which they come: open addressing over plain arrays of numbers. */
export class PairTable {
  /** @param {number} most how many there can be */
  constructor(most) {
    let size = 16;
    while (size < most * 2) size *= 2;
    this.mask = size - 1;
    this.slots = new Int32Array(size).fill(-1);
    this.lefts = new Int32Array(most);
    this.rights = new Int32Array(most);
    this.values = new Int32Array(most);
    this.size = 0;
  }

  /** @param {number} left @param {number} right the slot that the pair has or would have */
  #slot(left, right) {
    let slot = (Math.imul(left, 0x9e3779b1) ^ Math.imul(right, 0x85ebca6b)) & this.mask;
    for (let number = this.slots[slot]; number >= 0; number = this.slots[slot]) {
      if (this.lefts[number] === left && this.rights[number] === right) break;
      slot = (slot + 1) & this.mask;
    }
    return slot;
  }

  /** The pair's number, or -1. @param {number} left @param {number} right */
  find(left, right) {
    return this.slots[this.#slot(left, right)];
  }

  /** The pair's number; a new one if need be. @param {number} left @param {number} right */
  add(left, right) {
    const slot = this.#slot(left, right);
    if (this.slots[slot] >= 0) return this.slots[slot];
    this.lefts[this.size] = left;
    this.rights[this.size] = right;
    return (this.slots[slot] = this.size++);
  }
}

/**
 * The rank of any pair that ever stands in the text.
 *
 * @param {Replay} replay
 * @returns {(left: number, right: number) => number} -1 where no merge joins the pair
 */
export function rankOf({ pairs: { lefts, rights, ranks } }) {
  const table = new PairTable(ranks.length);
  ranks.forEach((rank, i) => (table.values[table.add(lefts[i], rights[i])] = rank));
  return (left, right) => {
    const number = table.find(left, right);
    return number < 0 ? -1 : table.values[number];
  };
}

/**
 * The pairs that stand in pre-tokens after k steps, in the order first seen, counted with overlaps (`aaa` holds a + a
 * twice). Merging pre-token by pre-token, only those of the one that is worked on.
 *
 * @param {Replay} replay
 * @param {number} k
 * @returns {PairTable} the counts are its `values`
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

/** Whether some of the pairs that step k joins share a symbol, as in `aaa`. @param {Replay} replay @param {number} k */
export function hasOverlaps(replay, k) {
  const { lefts, rights, removedAt, pieceOf } = replay;
  if (lefts[k] !== rights[k]) return false;
  const [from, to] = stretchOf(replay, k);
  let inRow = 0;
  let piece = -1;
  for (let i = from; i < to; i++) {
    if (removedAt[i] < k) continue;
    if (pieceOf[i] !== piece) inRow = 0;
    piece = pieceOf[i];
    inRow = idAt(replay, i, k) === lefts[k] ? inRow + 1 : 0;
    if (inRow > 2) return true;
  }
  return false;
}

/** The symbols among which step k chooses. @param {Replay} replay @param {number} k */
function stretchOf({ meta, steps, n, boundaries, boundaryOffsets, pieceOf, pieceStarts }, k) {
  if (meta.order !== "pretoken" || k >= steps) return [0, n];
  const piece = pieceOf[boundaries[boundaryOffsets[k]]];
  return [pieceStarts[piece], pieceStarts[piece + 1]];
}

/**
 * @typedef {object} Ranking
 * @property {Pair[]} top the first ones, the winner in front
 * @property {number} distinct how many different pairs there are
 * @property {number} without how many of them no merge joins; for applying
 */

/**
 * The pairs that stand after k steps, in the order in which the rule would take them.
 *
 * @param {Replay} replay
 * @param {number} k
 * @param {(left: number, right: number) => number} rankOf
 * @param {number} most how many to list
 * @returns {Ranking}
 */
export function rankPairs(replay, k, rankOf, most) {
  const table = countPairs(replay, k);
  const learning = replay.meta.story === "learn";
  const comes = learning ? learningOrder(replay) : byRank;
  const top = /** @type {Pair[]} */ ([]);
  let without = 0;
  for (let i = 0; i < table.size; i++) {
    const [left, right, count] = [table.lefts[i], table.rights[i], table.values[i]];
    const rank = learning ? -1 : rankOf(left, right);
    if (!learning && rank < 0) without++;
    else if (learning && top.length === most && count < top[most - 1].count) continue;
    else insert(top, { left, right, count, rank }, comes, most);
  }
  return { top, distinct: table.size, without };
}

/**
 * @param {Pair[]} sorted
 * @param {Pair} pair
 * @param {(one: Pair, other: Pair) => number} comes
 * @param {number} most
 */
function insert(sorted, pair, comes, most) {
  let at = sorted.length;
  while (at > 0 && comes(pair, sorted[at - 1]) < 0) at--;
  if (at >= most) return;
  sorted.splice(at, 0, pair);
  if (sorted.length > most) sorted.pop();
}

/** @param {Pair} one @param {Pair} other */
const byRank = (one, other) => one.rank - other.rank;

/** The most frequent first; among equals as the tie rule says. @param {Replay} replay */
function learningOrder({ meta, bytes }) {
  /** @type {Record<string, (one: Pair, other: Pair) => number>} */
  const rules = {
    // Pairs come in the order first seen, and are put behind their equals.
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

/** How many other pairs are as frequent as the one that step k joins. @param {Replay} replay @param {number} k */
export function tiesAt({ tied }, k) {
  return tied?.[k] ?? 0;
}
