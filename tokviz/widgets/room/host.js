/**
 * The projector's side of a room: opening and moving it, and what it says.
 *
 * The room belongs to the tab, as presenting does: its secret is kept there, so that a reload or another page of the tab
 * goes on with it.
 */

import { Busy, Client, Missing, Refusal } from "../shared/net/client.js";
import { tabStorage } from "../shared/dom/storage.js";
import { follow } from "./following.js";
import { withoutAnswer } from "./questions.js";

/** @typedef {import("./questions.js").HostState} HostState */
/** @typedef {import("./questions.js").Question} Question */
/** @typedef {{id: string, secret: string}} Name */
/** @typedef {import("./following.js").Trouble} Trouble */

const KEY = "tokviz:room";

export class Host {
  #client;
  #words;
  #on;
  /** @type {Name | null} */
  #name = null;
  /** @type {ReturnType<typeof follow> | null} */
  #following = null;
  /** @type {HostState | null} */
  #state = null;
  /** The moves since the last question, to make them again in a room that was opened again. @type {Record<string, any>[]} */
  #moves = [];
  /** How many of these the server has not got, for lack of a network. */
  #unsent = 0;
  #isSending = false;
  /** Whether it was opened again since the last question. */
  #isReopened = false;
  /** How often the notes asked for a turn of the slides. */
  #turns = 0;
  #isDisposed = false;

  /**
   * @param {string} base the app's root, ending in "/"
   * @param {import("./text.js").Words} words of the slides
   * @param {{changed: (state: HostState | null) => void, connection: (sentence: string) => void, turn: (way: "onward" | "back") => void}} on
   *   `changed` with null when the room has ended; `connection` with a sentence for the teacher, "" when all is well;
   *   `turn` when the notes ask for it
   */
  constructor(base, words, on) {
    this.#client = new Client(base);
    this.#words = words;
    this.#on = on;
  }

  get state() {
    return this.#state;
  }

  /** Go on with the tab's room, if there is one that isn't followed yet. */
  async resume() {
    const name = tabStorage.readJson(KEY);
    if (name && !this.#following) await this.#enter(name);
  }

  /** Open a room. Throws `Refusal` if there is no place for another one, and TypeError if the server can't be reached. */
  async open() {
    await this.#enter(await this.#client.json("room", {}, "{}"));
  }

  /** @param {Name} name */
  async #enter(name) {
    const state = await this.#post(name, "open", {});
    if (this.#isDisposed) return;
    this.#unfollow(); // of two that were entered at once, the last is followed
    this.#turns = state.turned.number;
    this.#name = name;
    tabStorage.write(KEY, JSON.stringify(name));
    const on = { state: (/** @type {HostState} */ newer) => this.#show(newer), trouble: (/** @type {Trouble} */ trouble) => void this.#say(trouble) };
    this.#following = follow(this.#client, name.id, { secret: name.secret }, on);
    this.#show(state);
    await this.#send();
  }

  /**
   * Ask a question. One that was asked before has its votes still. Moves made while there is no room, or no network, are
   * sent later.
   *
   * @param {Question} question
   * @param {number} begun when it came on screen, in ms of the clock
   */
  ask(question, begun) {
    this.#moves = [];
    this.#isReopened = false;
    return this.#move("ask", { question: withoutAnswer(question), begun });
  }

  /** The votes are shown. */
  show() {
    return this.#move("show", {});
  }

  /** Ask for a second vote. */
  again() {
    return this.#move("again", {});
  }

  /** End the vote and send the answer to the phones. @param {Question} question */
  reveal({ answers, reveal, links, figure }) {
    return this.#move("reveal", { answers, reveal, links, figure });
  }

  /** Let the notes ask for turns of the slides, or not any more. @param {boolean} may */
  async letTurn(may) {
    if (this.#name) this.#show(await this.#post(this.#name, "move", { action: "let-turn", may }));
  }

  /** End the room. */
  async close() {
    await this.#move("close", {});
  }

  /** Follow no longer. The room stays open. */
  dispose() {
    this.#isDisposed = true;
    this.#unfollow();
  }

  #unfollow() {
    this.#following?.dispose();
    this.#following = null;
  }

  /** @param {string} action @param {Record<string, any>} fields */
  async #move(action, fields) {
    this.#moves.push({ action, ...fields });
    this.#unsent = Math.min(this.#unsent + 1, this.#moves.length);
    await this.#send();
  }

  /** Send what the server hasn't got. Throws `Refusal`. */
  async #send() {
    if (!this.#name || this.#isSending || !this.#unsent) return;
    this.#isSending = true;
    /** @type {unknown} */
    const error = await this.#sendMoves(this.#name).then(() => null, (reason) => reason);
    this.#isSending = false;
    if (error instanceof Missing) return this.#reopen();
    if (error instanceof Refusal && !(error instanceof Busy)) {
      this.#unsent = 0;
      throw error;
    }
    if (error) this.#on.connection(this.#words.lost);
  }

  /** Send the moves one after the other. A newer question drops those that are left. @param {Name} name */
  async #sendMoves(name) {
    while (this.#unsent) {
      const move = this.#moves.at(-this.#unsent) ?? {};
      const { begun, ...fields } = move;
      const state = await this.#post(name, "move", { ...fields, ...(begun && { seconds: (Date.now() - begun) / 1000 }) });
      if (move === this.#moves.at(-this.#unsent)) this.#unsent--;
      this.#show(state);
    }
  }

  /** @param {HostState} state */
  #show(state) {
    if (state.phase === "closed") return this.#end();
    this.#state = state;
    this.#on.changed(state);
    const { number, way } = state.turned;
    if (number <= this.#turns) return; // answers and events may overtake each other
    this.#turns = number;
    this.#on.turn(way);
  }

  #end() {
    this.#unfollow();
    this.#name = this.#state = null;
    this.#moves = [];
    this.#unsent = 0;
    tabStorage.write(KEY, null);
    this.#on.changed(null);
  }

  /** @param {Trouble} trouble */
  async #say(trouble) {
    if (trouble === "gone") return this.#reopen();
    this.#on.connection(trouble ? this.#words[trouble] : this.#isReopened ? this.#words.restarted : "");
    if (trouble === "") await this.#send().catch(() => {});
  }

  /** Open the room again under its address, with the question that is on screen. */
  async #reopen() {
    const name = this.#name;
    if (!name) return;
    try {
      this.#turns = (await this.#post(name, "open", {})).turned.number;
    } catch (error) {
      return this.#on.connection(this.#words[error instanceof Refusal ? "no_room" : "lost"]);
    }
    this.#isReopened = true;
    this.#unsent = this.#moves.length;
    const mayTurn = this.#state?.mayTurn;
    await this.#send().catch(() => {});
    if (mayTurn) await this.letTurn(true).catch(() => {});
    this.#following?.retry();
  }

  /** @param {Name} name @param {string} action @param {Record<string, any>} fields @returns {Promise<HostState>} */
  #post({ id, secret }, action, fields) {
    return this.#client.json(`room/${id}/${action}`, {}, JSON.stringify({ ...fields, secret }));
  }
}
