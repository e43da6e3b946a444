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
  /** @type {Q | null} */
  #newest = null;
  /** @type {AbortController | null} */
  #inFlight = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #retry;
  /** @type {Connection} */
  #connection = "connected";
  #isDisposed = false;

  /**
   * @param {(question: Q, signal: AbortSignal) => Promise<A>} send
   * @param {object} on
   * @param {(answer: A, question: Q) => void} on.answer
   * @param {(message: string) => void} on.refusal
   * @param {(connection: Connection) => void} [on.connection] called when the connection changes
   */
  constructor(send, on) {
    this.#send = send;
    this.#on = on;
    window.addEventListener("online", this.#retryNow);
  }

  /** @param {Q} question */
  ask(question) {
    this.#newest = question;
    // While disconnected, the retry sends the newest question; a request per key press would be useless.
    if (!this.#inFlight && this.#retry === undefined) this.#submit(question);
  }

  /** Forget the question: any answer still to come is about a value that no longer exists. */
  drop() {
    this.#stop();
    this.#report("connected"); // nothing is waiting for the connection
  }

  dispose() {
    this.#isDisposed = true;
    this.#stop();
    window.removeEventListener("online", this.#retryNow);
  }

  /** @param {Connection} now */
  #report(now) {
    if (now === this.#connection) return;
    this.#connection = now;
    this.#on.connection?.(now);
  }

  /** @param {Q} question */
  async #submit(question) {
    const controller = new AbortController();
    this.#inFlight = controller;
    const silence = setTimeout(() => this.#connection === "connected" && this.#report("slow"), SILENCE_MS);
    const timeout = TIMEOUT_MS + question.text.length / SLOW_CONNECTION_CHARACTERS_PER_MS;
    const deadline = setTimeout(() => controller.abort(), timeout);
    /** Delivers the answer or refusal; null if there was neither. @type {(() => void) | null} */
    let deliver = null;
    let isBusy = false;
    try {
      const answer = await this.#send(question, controller.signal);
      deliver = () => this.#on.answer(answer, question);
    } catch (error) {
      isBusy = error instanceof Busy;
      if (error instanceof Refusal && !isBusy) deliver = () => this.#on.refusal(error.message);
    } finally {
      clearTimeout(silence);
      clearTimeout(deadline);
    }
    if (this.#isDisposed || this.#inFlight !== controller) return;
    this.#inFlight = null;
    if (!deliver) return this.#retryAfter(isBusy ? "slow" : "lost");
    this.#report("connected");
    if (question === this.#newest) deliver();
    else this.#submit(/** @type {Q} */ (this.#newest));
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
    this.#submit(/** @type {Q} */ (this.#newest));
  };

  #stop() {
    this.#newest = null;
    clearTimeout(this.#retry);
    this.#retry = undefined;
    this.#inFlight?.abort();
    this.#inFlight = null;
  }
}
