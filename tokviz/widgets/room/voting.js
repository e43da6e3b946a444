/**
 * Votes on their way: the last one wins, and one that could not be sent is sent once there is a connection.
 */

import { Busy, Missing, Refusal } from "../shared/net/client.js";

/** @typedef {import("./answering.js").Vote} Vote */
/** @typedef {{question: string, round: number, vote: Vote}} Wanted */

export class Voting {
  #post;
  #on;
  /** @type {Wanted | null} the last vote, until the server has counted it */
  #wanted = null;
  #isSending = false;

  /**
   * @param {(fields: Record<string, any>) => Promise<any>} post
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

  /** Send what waits. */
  async retry() {
    if (this.#isSending) return;
    this.#isSending = true;
    while (this.#wanted && (await this.#sendOne(this.#wanted)));
    this.#isSending = false;
  }

  /** Returns whether to go on, as with a vote that came meanwhile. @param {Wanted} wanted */
  async #sendOne(wanted) {
    const { question, round, vote } = wanted;
    try {
      const state = await this.#post({ question, round, ...vote });
      if (this.#wanted === wanted) this.#wanted = null;
      if (!this.#wanted) this.#on.counted(state);
      return true;
    } catch (error) {
      if (!(error instanceof Refusal) || error instanceof Busy || error instanceof Missing) {
        this.#on.waiting();
        return false;
      }
      if (this.#wanted === wanted) this.#wanted = null;
      this.#on.late();
      return true;
    }
  }
}
