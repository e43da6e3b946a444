/**
 * Merges learned from a text, for a figure that shows what they make of the same text.
 */

import { element, fill, number } from "../shared/dom/elements.js";
import { nameOf } from "../replay/model/names.js";
import { makeReplay } from "../replay/model/replay.js";
import { createAsking } from "./asking.js";

/** @typedef {import("../replay/model/replay.js").Replay} Replay */

const LEARNING = { alphabet: "bytes", ties: "first-seen", end_of_word: false };

/**
 * @param {import("./figures.js").Context} context
 * @param {{pattern: string, merges: number}} how
 */
export function createLearner(context, how) {
  const asking = createAsking(context, () => {}, ({ text }, signal) => context.client.columns("replay/learn", { ...LEARNING, ...how }, text, signal));
  const { problem, dispose } = asking;
  return {
    /** Says why nothing was learned. */
    problem,
    /** @param {string} text @returns {Promise<Replay | null>} null for no text, or if another is asked about since */
    async learn(text) {
      problem.className = text ? "problem" : "quiet";
      if (!text) {
        asking.drop();
        fill(problem, "Type a text to learn from.");
        return null;
      }
      const columns = await asking.ask({ route: "replay/learn", text });
      return columns && makeReplay(columns);
    },
    dispose,
  };
}

/** Say which merge made a token. @param {Replay | null} replay @param {number} id */
export function sayMerge(replay, id) {
  const k = replay?.newIds.indexOf(id) ?? -1;
  if (!replay || k < 0) return [];
  const [left, right] = [replay.lefts[k], replay.rights[k]].map((part) => element("code", { class: "chip" }, element("bdi", {}, nameOf(replay, part))));
  return [element("p", { class: "part" }, `merge ${number(k + 1)} joins `, left, " and ", right)];
}

/** Columns of the tokens after k steps. @param {Replay} replay @param {number} k @returns {any} */
export function tokensAfter({ n, removedAt, symbols, byteOffsets, joinedTo, newIds }, k) {
  const starts = [];
  for (let i = 0; i < n; i++) if (!i || removedAt[i] >= k) starts.push(i);
  const ends = [...starts.slice(1), n];
  const made = new Map();
  for (let i = 0; i < n; i++) if (removedAt[i] < k) made.set(joinedTo[i], Math.max(made.get(joinedTo[i]) ?? -1, removedAt[i]));
  return {
    ids: Int32Array.from(starts, (start) => (made.has(start) ? newIds[made.get(start)] : symbols[start])),
    byte_lengths: Int32Array.from(starts, (start, i) => byteOffsets[ends[i]] - byteOffsets[start]),
    special: new Uint8Array(starts.length),
  };
}
