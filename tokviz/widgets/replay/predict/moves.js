/**
 * Moves of a reader who plays the tokenizer: two neighbors are to be joined. A move is right if the next step joins this
 * pair; what is wrong with another is said by its numbers.
 */

import { number, plural } from "../../shared/dom/elements.js";
import { chipOf, TIE_RULES } from "../explain/captions.js";
import { countPairs } from "../model/pairs.js";
import { boundariesOf, endOf, idAt, partName } from "../model/replay.js";

/** @typedef {import("../model/replay.js").Replay} Replay */
/** @typedef {import("../model/names.js").Writing} Writing */
/** @typedef {import("../explain/captions.js").Part} Part */
/** @typedef {{isRight: boolean, isCounted: boolean, says: Part[]}} Judged `isCounted` is false for what is no guess: tokens that no merge can join, and a pair that only the tie rule puts second */

/**
 * Judge joining two tokens after k steps. Of a first guess it is said why this pair must wait, so that the next one can be
 * better; of a later one also which pair comes first.
 *
 * @param {Replay} replay
 * @param {number} k a position before the last
 * @param {[one: number, other: number]} starts first symbols of the tokens, in any order
 * @param {Writing} writing
 * @param {boolean} isFirst true for the first guess at this position
 * @returns {Judged}
 */
export function judge(replay, k, starts, writing, isFirst) {
  const [start, next] = [Math.min(...starts), Math.max(...starts)];
  const wrong = (/** @type {Part[]} */ ...says) => ({ isRight: false, isCounted: true, says });
  const [one, other] = starts.map((each) => chipOf(replay, each, k, writing));
  if (endOf(replay, start, k) !== next) return { ...wrong("The ", one, " and the ", other, " that you chose don't touch: choose two neighbors. "), isCounted: false };
  const ids = /** @type {const} */ ([idAt(replay, start, k), idAt(replay, next, k)]);
  const pair = pairParts(replay, [start, next], k, writing);
  if (replay.pieceOf[start] !== replay.pieceOf[next]) return { ...wrong("There is a cut between ", ...pair, ": no merge crosses it. "), isCounted: false };
  const winner = /** @type {const} */ ([replay.lefts[k], replay.rights[k]]);
  if (ids[0] === winner[0] && ids[1] === winner[1]) return { isRight: true, isCounted: true, says: ["Right: ", ...pair, rightBy(replay, k)] };
  const better = isFirst ? null : nextParts(replay, k, writing);
  if (replay.counts) return learningVerdict(replay, k, ids, { pair, better });
  const rank = replay.rankOf(...ids);
  const earliest = better ? [...better, ` is merge ${number(replay.ranks[k] + 1)}; `] : [];
  if (rank < 0) return wrong(...earliest, ...pair, ": no merge joins these two as they are. ");
  if (rank < replay.ranks[k]) return { ...wrong(...pair, `, merge ${number(rank + 1)}, must wait: one ${partName(replay)} comes after another here. `), isCounted: false };
  return wrong(...earliest, ...pair, `, merge ${number(rank + 1)}, must wait${better ? "" : ": a pair here was learned earlier"}. `);
}

/** @param {Replay} replay @param {[left: number, right: number]} starts @param {number} k @param {Writing} writing @returns {Part[]} */
function pairParts(replay, starts, k, writing) {
  const [left, right] = starts.map((start) => chipOf(replay, start, k, writing));
  return [left, " + ", right];
}

/** The pair that joins after k steps, where it is first. @param {Replay} replay @param {number} k @param {Writing} writing */
function nextParts(replay, k, writing) {
  const [first] = boundariesOf(replay, k);
  return pairParts(replay, [replay.joinedTo[first], first], k, writing);
}

/** What is said of the pair that joins after k steps, to a reader who asked for it. @param {Replay} replay @param {number} k @param {Writing} writing @returns {Part[]} */
export const given = (replay, k, writing) => [...nextParts(replay, k, writing), rightBy(replay, k)];

/** @param {Replay} replay @param {number} k */
function rightBy({ counts, ranks }, k) {
  return counts ? ` stand together ${plural(counts[k], "time")}. ` : ` is merge ${number(ranks[k] + 1)}. `;
}

/**
 * Why a pair is not the next that is learned: it is rarer, or the tie rule prefers another.
 *
 * @param {Replay} replay
 * @param {number} k
 * @param {readonly [left: number, right: number]} ids
 * @param {{pair: Part[], better: Part[] | null}} named `better` is the pair that comes first, if it may be said
 * @returns {Judged}
 */
function learningVerdict(replay, k, ids, { pair, better }) {
  const table = countPairs(replay, k);
  const [count, most] = [table.values[table.find(...ids)] ?? 0, /** @type {Int32Array} */ (replay.counts)[k]];
  if (count < most) {
    const mostOften = better ? [...better, ` stand together ${plural(most, "time")}; `] : [];
    const says = [...mostOften, ...pair, `, ${plural(count, "time")}, must wait${better ? "" : ": another pair stands together more often"}. `];
    return { isRight: false, isCounted: true, says };
  }
  const tie = [...pair, ` stand together ${plural(most, "time")}, and so does another pair. Of pairs as frequent, ${TIE_RULES[replay.meta.ties]}. `];
  return { isRight: false, isCounted: false, says: tie };
}
