/**
 * Two lists of learned merges, compared merge by merge: which are new, which are gone, and which have moved among the
 * others. Ids differ from text to text, so a merge is known by what it joins.
 */

import { firstIndex, hex } from "../../shared/text/tokenization.js";
import { nameOf, sayingOf } from "../model/names.js";

/** @typedef {import("../model/replay.js").Replay} Replay */
/** @typedef {import("../explain/captions.js").Chip} Chip */
/**
 * @typedef {object} Merge
 * @property {string} key the same for merges that join the same two tokens
 * @property {Chip} left
 * @property {Chip} right
 * @property {Chip} made
 * @property {number} id of the token that is made
 */
/** @typedef {{kind: "new" | "gone" | "moved", merge: Merge, before: number, after: number}} Change `before` and `after`: ranks, or -1 */

/** The merges of a replay of learning, in the order in which they are learned. @param {Replay} replay @returns {Merge[]} */
export function mergesOf(replay) {
  const keyOf = (/** @type {number} */ id) => `${hex(replay.bytes.get(id) ?? new Uint8Array())}${replay.endsWord.has(id) ? " end" : ""}`;
  const chip = (/** @type {number} */ id) => ({ name: nameOf(replay, id), said: sayingOf(replay, id) });
  return Array.from(replay.newIds, (id, step) => {
    const [left, right] = [replay.lefts[step], replay.rights[step]];
    return { key: `${keyOf(left)} + ${keyOf(right)}`, left: chip(left), right: chip(right), made: chip(id), id };
  });
}

/**
 * Compare two lists. A merge has moved if it stands otherwise among those that both lists have: one that is only counted
 * further because of a new one before it has not. Of merges that changed places, as few as possible are said to have moved.
 *
 * @param {Merge[]} before
 * @param {Merge[]} after
 * @returns {Change[]} the earliest first
 */
export function compareMerges(before, after) {
  const ranks = new Map(before.map(({ key }, rank) => [key, rank]));
  const common = after.flatMap(({ key }, rank) => (ranks.has(key) ? [{ before: /** @type {number} */ (ranks.get(key)), after: rank }] : []));
  const kept = longestRising(common.map((each) => each.before));
  const there = new Set(after.map(({ key }) => key));
  /** @type {Change[]} */
  const changes = [
    ...common.flatMap((each, i) => (kept.has(i) ? [] : [{ kind: /** @type {const} */ ("moved"), merge: after[each.after], ...each }])),
    ...after.flatMap((merge, rank) => (ranks.has(merge.key) ? [] : [{ kind: /** @type {const} */ ("new"), merge, before: -1, after: rank }])),
    ...before.flatMap((merge, rank) => (there.has(merge.key) ? [] : [{ kind: /** @type {const} */ ("gone"), merge, before: rank, after: -1 }])),
  ];
  return changes.sort((one, other) => earliest(one) - earliest(other));
}

/** True if any merge is in both lists. @param {Merge[]} before @param {Merge[]} after */
export function shareMerges(before, after) {
  const keys = new Set(before.map(({ key }) => key));
  return after.some(({ key }) => keys.has(key));
}

/** The lower of a change's ranks. @param {Change} change */
const earliest = ({ before, after }) => Math.min(before < 0 ? Infinity : before, after < 0 ? Infinity : after);

/**
 * Indices of a longest run of rising values, which need not be neighbors.
 *
 * @param {number[]} values all different
 * @returns {Set<number>}
 */
function longestRising(values) {
  /** For each length, the index of the lowest value that such a run can end in. @type {number[]} */
  const ends = [];
  const previous = values.map((value, i) => {
    const length = firstIndex(ends.length, (k) => values[ends[k]] >= value);
    ends[length] = i;
    return length ? ends[length - 1] : -1;
  });
  const run = /** @type {Set<number>} */ (new Set());
  for (let i = ends.at(-1) ?? -1; i >= 0; i = previous[i]) run.add(i);
  return run;
}

/** @param {string} sign */
const isSpace = (sign) => /\s/.test(sign);

/**
 * What an edit took out of a text, and what it put there: in whole code points, or in whole words if it is of several.
 *
 * @param {string} before
 * @param {string} after
 */
export function editBetween(before, after) {
  const [old, now] = [Array.from(before), Array.from(after)];
  const shorter = Math.min(old.length, now.length);
  let start = 0;
  while (start < shorter && old[start] === now[start]) start++;
  let end = 0;
  while (end < shorter - start && old[old.length - 1 - end] === now[now.length - 1 - end]) end++;
  const edited = () => [old.slice(start, old.length - end), now.slice(start, now.length - end)];
  if (edited().some((part) => part.some(isSpace))) {
    const touches = (/** @type {number} */ place) => edited().some((part) => part.length > 0 && !isSpace(/** @type {string} */ (part.at(place))));
    while (start > 0 && touches(0) && !isSpace(old[start - 1])) start--;
    while (end > 0 && touches(-1) && !isSpace(old[old.length - end])) end--;
  }
  const [removed, added] = edited().map((part) => part.join(""));
  return { removed, added };
}
