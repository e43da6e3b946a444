/**
 * The selected token: a symbol is selected, and with it the token that contains it at each step; or up to a step only, where
 * what is selected has become part of another token.
 */

import { endOf, tokenAt } from "../model/replay.js";

/** @typedef {import("../model/replay.js").Replay} Replay */

export class TokenSelection {
  /** @type {Replay | null} */
  #replay = null;
  /** @type {number | null} */
  #symbol = null;
  #until = Infinity;

  /** @param {Replay} replay */
  load(replay) {
    this.#replay = replay;
    this.follow(null);
  }

  /** A symbol of the token that is followed, or null. */
  get symbol() {
    return this.#symbol;
  }

  /** @param {number | null} symbol @param {number} [until] the last step up to which its tokens are followed */
  follow(symbol, until = Infinity) {
    this.#symbol = symbol;
    this.#until = until;
  }

  /** The step whose token is shown at position k. @param {number} k */
  stepAt(k) {
    return Math.min(k, this.#until);
  }

  /** First symbol of the token at position k that contains the symbol; null if none is followed. @param {number} k */
  tokenAt(k) {
    if (!this.#replay || this.#symbol === null) return null;
    return tokenAt(this.#replay, this.#symbol, k);
  }

  /**
   * A symbol of the next or previous token at position k, which stays at the ends of the text.
   *
   * @param {-1 | 1} by
   * @param {number} k
   * @param {number} first the symbol to begin with, if no token is followed
   */
  neighbor(by, k, first) {
    const start = this.tokenAt(k);
    if (!this.#replay || start === null) return first;
    const symbol = by > 0 ? endOf(this.#replay, start, k) : start - 1;
    return Math.max(0, Math.min(this.#replay.n - 1, symbol));
  }
}
