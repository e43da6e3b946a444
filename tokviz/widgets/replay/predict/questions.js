/**
 * Questions about the next pair: which positions are questions, how they are answered, and how much may be seen before.
 */

import { rankPairs } from "../model/pairs.js";
import { given, judge } from "./moves.js";

/** @typedef {import("../model/replay.js").Replay} Replay */

/** Maximum symbols of a text that is played, and of one that is asked about with choices when a tokenizer is applied: pairs are found by eye. */
export const [MAX_PLAYED, MAX_PREDICT_SYMBOLS] = [700, 60];

export class Questions {
  #choices;
  /** @type {Replay | null} */
  #replay = null;
  /** Positions whose merge was guessed or revealed. @type {Set<number>} */
  #revealed = new Set();
  /** The token that the reader picked to join it with another: its first symbol, and the position. @type {{start: number, k: number} | null} */
  #picked = null;
  /** What was said of the latest move, and the position at which it is shown. @type {{k: number, says: import("../explain/captions.js").Part[], isMissed?: boolean} | null} */
  verdict = null;

  /** @param {Pick<import("../state/choices.js").Choices, "predict" | "asks">} choices */
  constructor(choices) {
    this.#choices = choices;
  }

  /** True while the stage is played: pairs are joined there, and no choices are offered. */
  get isPlayed() {
    return this.hidesAhead && this.#choices.asks === "stage";
  }

  /** Maximum symbols of a text that is asked about when a tokenizer is applied. */
  get mostSymbols() {
    return this.#choices.asks === "stage" ? MAX_PLAYED : MAX_PREDICT_SYMBOLS;
  }

  /** @param {Replay} replay */
  load(replay) {
    this.#replay = replay;
    this.restart();
  }

  /** Ask every question again. */
  restart() {
    this.#revealed = new Set();
    this.#picked = this.verdict = null;
  }

  /**
   * Pick a token. Of two, the pair is judged; a token that is picked twice is let go.
   *
   * @param {number} start its first symbol
   * @param {number} k
   * @param {import("../model/names.js").Writing} writing
   * @returns {(import("./moves.js").Judged & {starts: [number, number]}) | null} null unless two are picked
   */
  pick(start, k, writing) {
    const first = this.pickedAt(k);
    this.#picked = first === null ? { start, k } : null;
    this.verdict = null; // it is of two that were picked before
    return first === null || first === start ? null : this.move([first, start], k, writing);
  }

  /**
   * Judge joining two tokens.
   *
   * @param {[one: number, other: number]} starts their first symbols
   * @param {number} k
   * @param {import("../model/names.js").Writing} writing
   */
  move(starts, k, writing) {
    this.#picked = null;
    if (!this.#replay) return null;
    const judged = judge(this.#replay, k, starts, writing);
    this.verdict = { k: judged.isRight ? k + 1 : k, says: judged.says, isMissed: !judged.isRight };
    return { ...judged, starts };
  }

  /** Give the answer at position k, which is said at the next one. @param {number} k @param {import("../model/names.js").Writing} writing */
  give(k, writing) {
    if (!this.#replay) return;
    this.verdict = { k: k + 1, says: given(this.#replay, k, writing) };
    this.reveal(k);
  }

  /** What was said of the latest move, at the position where it is shown. @param {number} k */
  verdictAt(k) {
    return this.verdict?.k === k ? this.verdict.says : [];
  }

  /** True if the latest move was wrong. */
  get isMissed() {
    return Boolean(this.verdict?.isMissed);
  }

  /** True if the text is not too long to predict its merges. */
  get isPossible() {
    return this.#replay !== null && (this.#replay.meta.story === "learn" || this.#replay.n <= this.mostSymbols);
  }

  /** True if merges that are still to come stay hidden. */
  get hidesAhead() {
    return this.#choices.predict && this.isPossible;
  }

  /** True if the merge after position k is still to be guessed; of choices, there are at least two. @param {number} k */
  isAsked(k) {
    if (!this.#replay || !this.hidesAhead || k < 0 || k >= this.#replay.steps || this.#revealed.has(k)) return false;
    return this.isPlayed || rankPairs(this.#replay, k, 2).distinct > 1;
  }

  /** Position of the first question from a position on; the position itself if there is none. @param {number} k */
  firstAskedFrom(k) {
    for (let at = Math.max(0, k); this.#replay && at < this.#replay.steps; at++) if (this.isAsked(at)) return at;
    return k;
  }

  /** First symbol of the token that is picked, until another position is shown. @param {number} k the position shown */
  pickedAt(k) {
    if (this.#picked?.k !== k) this.#picked = null;
    return this.#picked?.start ?? null;
  }

  /** @param {number} k */
  reveal(k) {
    this.#picked = null;
    this.#revealed.add(k);
  }

  /** True if the question at position k was answered, so that its verdict stays. @param {number} k */
  isRevealed(k) {
    return this.#revealed.has(k);
  }
}
