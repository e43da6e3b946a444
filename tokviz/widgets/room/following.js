/**
 * Following a room: its state as it changes, on one connection, which is made again whenever it is lost.
 *
 * The server sends events. Where a network holds them back, the room is asked instead, with requests that the server
 * answers when there is something new.
 */

import { Busy, Missing, Refusal } from "../shared/net/client.js";

/** Time without a byte after which a connection is given up: the server says every 10 s that it is still there. */
const SILENCE_MS = 25_000;
/** Time for the first event; a network that takes longer holds events back. */
const FIRST_MS = 5_000;
/** Time without a byte after which a page that comes back, as from sleep, makes a new connection. */
const STALE_MS = 12_000;
/** Time until the next attempt, doubled with each failure up to the last. Random, so that a class doesn't come at once. */
const [RETRY_MS, MAX_RETRY_MS] = [500, 4_000];
const DATA = "data: ";

/** @typedef {"" | "lost" | "gone" | "busy" | "elsewhere" | "refused"} Trouble why there is nothing new; "" when all is well */

export class Following {
  #post;
  #who;
  #on;
  #disposal = new AbortController();
  #streams = true;
  #seen = "";
  #heard = 0;
  #failures = 0;
  /** @type {AbortController | null} the connection; null if there is none */
  #connection = null;
  #wake = () => {};
  /** Whether the next attempt doesn't wait. */
  #isUrgent = false;

  /**
   * @param {(body: string, signal: AbortSignal) => Promise<Response>} post asks the server to follow; throws as `Client` does
   * @param {{phone: string} | {secret: string} | {notes: string}} who
   * @param {{state: (state: any) => void, trouble: (trouble: Trouble) => void}} on
   */
  constructor(post, who, on) {
    this.#post = post;
    this.#who = who;
    this.#on = on;
    whenBack((event) => this.#comeBack(event.type === "online"), this.#disposal.signal);
    void this.#run();
  }

  dispose() {
    this.#disposal.abort();
    this.#connection?.abort();
    this.#wake();
  }

  /** Try again at once, as after the room was opened again. */
  retry() {
    this.#isUrgent = true;
    this.#connection?.abort();
    this.#wake();
  }

  /** @param {boolean} isOnline the network is another one: a connection of the last one may seem open still */
  #comeBack(isOnline) {
    if (isOnline || !this.#connection || Date.now() - this.#heard > STALE_MS) this.retry();
  }

  get #isDisposed() {
    return this.#disposal.signal.aborted;
  }

  /** Whether a connection of this page's was given up, which the server may not know yet. */
  #gaveUp = false;

  async #run() {
    while (!this.#isDisposed) {
      const trouble = await this.#connect();
      if (trouble === "closed") return;
      this.#failures = trouble ? this.#failures + 1 : 0;
      await this.#pause(trouble === "elsewhere" && !this.#isUrgent ? Infinity : this.#delay());
    }
  }

  #delay() {
    if (this.#isUrgent) return 0;
    if (!this.#failures && !this.#streams) return 0; // the answer was what was waited for
    return Math.min(RETRY_MS * 2 ** this.#failures, MAX_RETRY_MS) * (0.5 + Math.random());
  }

  /** Wait, or until somebody can't. @param {number} milliseconds */
  #pause(milliseconds) {
    return new Promise((resolve) => {
      const timer = milliseconds === Infinity ? undefined : setTimeout(resolve, milliseconds);
      this.#wake = () => (clearTimeout(timer), resolve(undefined));
    });
  }

  /** Follow until the connection ends. @returns {Promise<Trouble | "closed">} */
  async #connect() {
    this.#isUrgent = false;
    const connection = new AbortController();
    this.#connection = connection;
    const polls = !this.#streams;
    try {
      return polls ? await this.#poll(connection) : await this.#stream(connection);
    } catch (error) {
      this.#gaveUp = true;
      if (this.#isDisposed || this.#isUrgent) return ""; // it was given up
      const trouble = troubleOf(error);
      // A connection that broke is made again at once. Only when that fails, there is trouble.
      if (trouble !== "lost" || this.#failures) this.#on.trouble(trouble);
      if (polls) this.#streams = true; // it was not the events that were held back
      return trouble;
    } finally {
      this.#connection = null;
    }
  }

  /** @param {AbortController} connection @returns {Promise<Trouble | "closed">} */
  async #stream(connection) {
    const limit = new Limit(() => connection.abort());
    limit.set(FIRST_MS);
    try {
      const response = await this.#post(JSON.stringify({ ...this.#who, stream: true }), connection.signal);
      const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
      const decoder = new TextDecoder();
      for (let text = ""; ; ) {
        const { done, value } = await reader.read();
        if (done) return "";
        this.#heard = Date.now();
        limit.set(SILENCE_MS);
        const events = (text + decoder.decode(value, { stream: true })).split("\n\n");
        text = /** @type {string} */ (events.pop());
        const end = events.map((event) => this.#take(event)).find(Boolean);
        if (end) return end;
      }
    } catch (error) {
      if (limit.isOver === FIRST_MS) this.#streams = false;
      throw error;
    } finally {
      limit.clear();
    }
  }

  /** @param {string} event */
  #take(event) {
    return event.startsWith(DATA) ? this.#show(JSON.parse(event.slice(DATA.length))) : "";
  }

  /** @param {AbortController} connection @returns {Promise<Trouble | "closed">} */
  async #poll(connection) {
    const limit = new Limit(() => connection.abort());
    limit.set(SILENCE_MS);
    try {
      const response = await this.#post(JSON.stringify({ ...this.#who, seen: this.#seen }), connection.signal);
      const state = await response.json();
      this.#heard = Date.now();
      return this.#show(state);
    } finally {
      limit.clear();
    }
  }

  /** Show a state. Returns why it is the last of its connection. @param {any} state @returns {"" | "elsewhere" | "closed"} */
  #show(state) {
    if (state.phase === "elsewhere") {
      // The server may have met this page's own connections in another order.
      if (this.#gaveUp) {
        this.#gaveUp = false;
        return "";
      }
      this.#on.trouble("elsewhere");
      return "elsewhere";
    }
    this.#failures = 0;
    this.#seen = state.version;
    this.#on.trouble("");
    this.#on.state(state);
    return state.phase === "closed" ? "closed" : "";
  }
}

/**
 * Follow a room of the server.
 *
 * @param {import("../shared/net/client.js").Client} client
 * @param {string} id
 * @param {ConstructorParameters<typeof Following>[1]} who
 * @param {ConstructorParameters<typeof Following>[2]} on
 */
export const follow = (client, id, who, on) => new Following((body, signal) => client.response(`room/${id}/follow`, {}, body, signal), who, on);

/** Call `back` when a page comes back into sight, or its network does. @param {(event: Event) => void} back @param {AbortSignal} [signal] */
export function whenBack(back, signal) {
  const come = (/** @type {Event} */ event) => document.visibilityState === "visible" && back(event);
  document.addEventListener("visibilitychange", come, { signal });
  for (const event of ["online", "pageshow", "focus"]) window.addEventListener(event, come, { signal });
}

/** @param {unknown} error @returns {Trouble} */
function troubleOf(error) {
  if (error instanceof Missing) return "gone";
  if (error instanceof Busy) return "busy";
  return error instanceof Refusal ? "refused" : "lost";
}

/** A time limit that is set anew whenever something arrives. `isOver` is the one that ran out; 0 if none did. */
class Limit {
  #end;
  isOver = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** @param {() => void} end */
  constructor(end) {
    this.#end = end;
  }

  /** @param {number} milliseconds */
  set(milliseconds) {
    this.clear();
    this.#timer = setTimeout(() => {
      this.isOver = milliseconds;
      this.#end();
    }, milliseconds);
  }

  clear() {
    clearTimeout(this.#timer);
  }
}
