/**
 * Votes on their way: the last one wins, and one that could not be sent is sent once there is a connection.
 */

import { Busy, Missing, Refusal } from "../shared/net/client.js";

/** @typedef {{question: string, round: number, vote: import("./answering.js").Vote}} Wanted */

/** Time until a vote that could not be sent is sent again, doubled up to the last. Random, so that a class doesn't come at once. */
const [RETRY_MS, MAX_RETRY_MS] = [500, 4_000];
/** Time after which an answer is no longer waited for if there is reason to try again, and without one. */
const [STUCK_MS, SILENCE_MS] = [2_000, 10_000];

export class Voting {
  #post;
  #on;
  /** @type {Wanted | null} the last vote, until the server has counted it */
  #wanted = null;
  #isSending = false;
  /** The request under way, and when it began. */
  #request = new AbortController();
  #begun = 0;
  #failures = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} until the next attempt */
  #timer;

  /**
   * @param {(fields: Record<string, any>, signal: AbortSignal) => Promise<any>} post
   * @param {{counted: (state: any) => void, late: () => void, waiting: () => void}} on `counted` with what
   *   the server answers, `late` when it refuses, `waiting` when it can't be reached, or has been restarted
   */
  constructor(post, on) {
    this.#post = post;
    this.#on = on;
  }

  /** The vote that is on its way to this question and round. @param {string} question @param {number} round */
  on(question, round) {
    const wanted = this.#wanted;
    return wanted?.question === question && wanted.round === round ? wanted.vote : null;
  }

  /** @param {Wanted} wanted */
  send(wanted) {
    this.#wanted = wanted;
    return this.retry();
  }

  /** Send what waits: there is reason to think that the server can be reached. */
  async retry() {
    clearTimeout(this.#timer);
    if (this.#isSending) {
      if (Date.now() - this.#begun > STUCK_MS) this.#request.abort();
      return;
    }
    this.#isSending = true;
    while (this.#wanted && (await this.#sendOne(this.#wanted)));
    this.#isSending = false;
  }

  /** Returns whether to go on, as with a vote that came meanwhile. @param {Wanted} wanted */
  async #sendOne(wanted) {
    const { question, round, vote } = wanted;
    const request = new AbortController();
    this.#request = request;
    this.#begun = Date.now();
    const limit = setTimeout(() => request.abort(), SILENCE_MS);
    try {
      const state = await this.#post({ question, round, ...vote }, request.signal);
      this.#failures = 0;
      if (this.#wanted === wanted) this.#wanted = null;
      if (!this.#wanted) this.#on.counted(state);
      return true;
    } catch (error) {
      if (!(error instanceof Refusal) || error instanceof Busy || error instanceof Missing) {
        this.#on.waiting();
        if (request.signal.aborted) return true;
        this.#timer = setTimeout(() => void this.retry(), Math.min(RETRY_MS * 2 ** this.#failures++, MAX_RETRY_MS) * (0.5 + Math.random()));
        return false;
      }
      if (this.#wanted === wanted) this.#wanted = null;
      this.#on.late();
      return true;
    } finally {
      clearTimeout(limit);
    }
  }
}
