/**
 * Requests about a value that keeps changing: only the answer to the newest question counts.
 */

import { Busy, Refusal } from "./client.js";

/** Time without an answer before the page reports a slow connection. */
const SILENCE_MS = 900;
const RETRY_MS = 1000;
/** Request timeout, to which the time for uploading the text over a slow connection is added. */
const TIMEOUT_MS = 15_000;
const SLOW_CONNECTION_CHARACTERS_PER_MS = 20;

/** @typedef {"connected" | "slow" | "lost"} Connection */

/**
 * @template Q, A
 * @typedef {{question: Q, resolve: (answer: A | null) => void}} Asked
 */

/**
 * Sends requests one at a time.
 *
 * While a request is in flight, only the newest question is kept, and answers to older ones are dropped. If a request
 * fails, the newest question is retried until it is answered or replaced.
 *
 * @template {{text: string}} Q
 * @template A
 */
export class Latest {
  #send;
  #on;
  /** @type {Asked<Q, A> | null} */
  #newest = null;
  /** @type {AbortController | null} */
  #inFlight = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #retry;
  /** @type {Connection} */
  #connection = "connected";
  #silence;

  /**
   * @param {(question: Q, signal: AbortSignal) => Promise<A>} send
   * @param {object} on
   * @param {(message: string) => void} on.refusal
   * @param {(connection: Connection) => void} [on.connection] called when the connection changes
   * @param {number} [silence] time without an answer after which the connection is called slow, in ms
   */
  constructor(send, on, silence = SILENCE_MS) {
    this.#silence = silence;
    this.#send = send;
    this.#on = on;
    window.addEventListener("online", this.#retryNow);
  }

  /**
   * @param {Q} question
   * @returns {Promise<A | null>} the answer; null if it was refused, or if the question was replaced or dropped
   */
  ask(question) {
    this.#newest?.resolve(null);
    return new Promise((resolve) => {
      this.#newest = { question, resolve };
      // While disconnected, the retry sends the newest question; a request per key press would be useless.
      if (!this.#inFlight && this.#retry === undefined) this.#submit(this.#newest);
    });
  }

  /** Forget the question: any answer still to come is about a value that no longer exists. */
  drop() {
    this.#stop();
    this.#report("connected"); // nothing is waiting for the connection
  }

  dispose() {
    this.#stop();
    window.removeEventListener("online", this.#retryNow);
  }

  /** @param {Connection} now */
  #report(now) {
    if (now === this.#connection) return;
    this.#connection = now;
    this.#on.connection?.(now);
  }

  /** @param {Asked<Q, A>} asked */
  async #submit(asked) {
    const { question } = asked;
    const controller = new AbortController();
    this.#inFlight = controller;
    const silence = setTimeout(() => this.#connection === "connected" && this.#report("slow"), this.#silence);
    const timeout = TIMEOUT_MS + question.text.length / SLOW_CONNECTION_CHARACTERS_PER_MS;
    const deadline = setTimeout(() => controller.abort(), timeout);
    /** @type {A | null} */
    let answer = null;
    /** @type {unknown} */
    let failure = null;
    try {
      answer = await this.#send(question, controller.signal);
    } catch (error) {
      failure = error;
    } finally {
      clearTimeout(silence);
      clearTimeout(deadline);
    }
    if (this.#inFlight !== controller) return;
    this.#inFlight = null;
    const isBusy = failure instanceof Busy;
    if (failure && (isBusy || !(failure instanceof Refusal))) return this.#retryAfter(isBusy ? "slow" : "lost");
    this.#report("connected");
    if (asked !== this.#newest) return void this.#submit(/** @type {Asked<Q, A>} */ (this.#newest));
    if (failure instanceof Refusal) this.#on.refusal(failure.message);
    asked.resolve(answer);
  }

  /** @param {"slow" | "lost"} connection */
  #retryAfter(connection) {
    this.#report(connection);
    this.#retry = setTimeout(this.#retryNow, RETRY_MS);
  }

  #retryNow = () => {
    if (this.#retry === undefined) return;
    clearTimeout(this.#retry);
    this.#retry = undefined;
    this.#submit(/** @type {Asked<Q, A>} */ (this.#newest));
  };

  #stop() {
    this.#newest?.resolve(null);
    this.#newest = null;
    clearTimeout(this.#retry);
    this.#retry = undefined;
    this.#inFlight?.abort();
    this.#inFlight = null;
  }
}
