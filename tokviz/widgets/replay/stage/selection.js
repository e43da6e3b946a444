/**
 * The selected token: a symbol is selected, and with it the token that contains it at each step.
 */

import { endOf, tokenAt } from "../model/replay.js";

/** @typedef {import("../model/replay.js").Replay} Replay */

export class TokenSelection {
  /** @type {Replay | null} */
  #replay = null;
  /** @type {number | null} */
  #symbol = null;

  /** @param {Replay} replay */
  load(replay) {
    this.#replay = replay;
    this.#symbol = null;
  }

  /** A symbol of the token that is followed, or null. */
  get symbol() {
    return this.#symbol;
  }

  /** @param {number | null} symbol */
  follow(symbol) {
    this.#symbol = symbol;
  }

  /** First symbol of the token that is followed, at position k; null if there is none. @param {number} k */
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
