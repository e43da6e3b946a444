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
/** @typedef {{isRight: boolean, isCounted: boolean, says: Part[], brief: string}} Judged `isCounted` is false for what is no guess: tokens that no merge can join, and a pair that only the tie rule puts second; `brief` is what stands above a pair that must wait */

/**
 * Judge joining two tokens after k steps: of a pair that must wait, its number is said, and that of the one that comes first.
 *
 * @param {Replay} replay
 * @param {number} k a position before the last
 * @param {[one: number, other: number]} starts first symbols of the tokens, in any order
 * @param {Writing} writing
 * @returns {Judged}
 */
export function judge(replay, k, starts, writing) {
  const [start, next] = [Math.min(...starts), Math.max(...starts)];
  const wrong = (/** @type {string} */ brief, /** @type {Part[]} */ ...says) => ({ isRight: false, isCounted: true, says, brief });
  const noGuess = (/** @type {string} */ brief, /** @type {Part[]} */ ...says) => ({ ...wrong(brief, ...says), isCounted: false });
  const [one, other] = starts.map((each) => chipOf(replay, each, k, writing));
  if (endOf(replay, start, k) !== next) return noGuess("not neighbors", "The ", one, " and the ", other, " that you chose don't touch: choose two neighbors.");
  const ids = /** @type {const} */ ([idAt(replay, start, k), idAt(replay, next, k)]);
  const pair = pairParts(replay, [start, next], k, writing);
  if (replay.pieceOf[start] !== replay.pieceOf[next]) return noGuess("a cut stands between them", "There is a cut between ", ...pair, ": no merge crosses it.");
  const winner = /** @type {const} */ ([replay.lefts[k], replay.rights[k]]);
  if (ids[0] === winner[0] && ids[1] === winner[1]) return { isRight: true, isCounted: true, says: ["Right: ", ...pair, rightBy(replay, k)], brief: "" };
  if (replay.counts) return learningVerdict(replay, k, ids, pair);
  const [rank, first] = [replay.rankOf(...ids), number(replay.ranks[k] + 1)];
  if (rank < 0) return wrong(`no merge joins these, one here has ${first}`, ...pair, ": no merge joins these two as they are.");
  const yours = number(rank + 1);
  if (rank < replay.ranks[k]) return noGuess(`yours ${yours}, but in another ${partName(replay)}`, ...pair, `, merge ${yours}, must wait: one ${partName(replay)} comes after another here.`);
  return wrong(`yours ${yours}, one here has ${first}`, ...pair, ` is merge ${yours}, one here is merge ${first}: the lower number joins first.`);
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
 * @param {Part[]} pair
 * @returns {Judged}
 */
function learningVerdict(replay, k, ids, pair) {
  const table = countPairs(replay, k);
  const [count, most] = [table.values[table.find(...ids)] ?? 0, /** @type {Int32Array} */ (replay.counts)[k]];
  const isTie = count === most;
  const why = isTie ? `and so does another pair. Of pairs as frequent, ${TIE_RULES[replay.meta.ties]}.` : `another pair ${plural(most, "time")}.`;
  const brief = isTie ? `a tie: both ${plural(most, "time")}` : `yours ${plural(count, "time")}, one here ${plural(most, "time")}`;
  return { isRight: false, isCounted: !isTie, says: [...pair, ` stand together ${plural(count, "time")}, ${why}`], brief };
}
