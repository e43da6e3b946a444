/**
 * Questions about the next pair: which positions are questions, and how much may be seen before the answer.
 */

import { rankPairs } from "../model/pairs.js";

/** @typedef {import("../model/replay.js").Replay} Replay */

/** Maximum symbols of a text for predictions when a tokenizer is applied: its pairs must be found by eye. */
export const MAX_PREDICT_SYMBOLS = 60;

export class Questions {
  #choices;
  /** @type {Replay | null} */
  #replay = null;
  /** Positions whose merge was guessed or revealed. @type {Set<number>} */
  #revealed = new Set();

  /** @param {Pick<import("../state/choices.js").Choices, "predict">} choices */
  constructor(choices) {
    this.#choices = choices;
  }

  /** @param {Replay} replay */
  load(replay) {
    this.#replay = replay;
    this.restart();
  }

  /** Ask every question again. */
  restart() {
    this.#revealed = new Set();
  }

  /** True if the text is not too long to predict its merges. */
  get isPossible() {
    return this.#replay !== null && (this.#replay.meta.story === "learn" || this.#replay.n <= MAX_PREDICT_SYMBOLS);
  }

  /** True if merges that are still to come stay hidden. */
  get hidesAhead() {
    return this.#choices.predict && this.isPossible;
  }

  /** True if the merge after position k is still to be guessed. @param {number} k */
  isAsked(k) {
    if (!this.#replay || !this.hidesAhead || k < 0 || k >= this.#replay.steps || this.#revealed.has(k)) return false;
    return rankPairs(this.#replay, k, 2).distinct > 1;
  }

  /** Position of the first question from a position on; the position itself if there is none. @param {number} k */
  firstAskedFrom(k) {
    for (let at = Math.max(0, k); this.#replay && at < this.#replay.steps; at++) if (this.isAsked(at)) return at;
    return k;
  }

  /** @param {number} k */
  reveal(k) {
    this.#revealed.add(k);
  }

  /** True if the question at position k was answered, so that its verdict stays. @param {number} k */
  isRevealed(k) {
    return this.#revealed.has(k);
  }
}
