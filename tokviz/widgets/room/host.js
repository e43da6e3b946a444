/**
 * The projector's side of a room: opening and moving it, and what it says.
 *
 * The room belongs to the tab, as presenting does: its secret is kept there, so that a reload or another page of the tab
 * goes on with it.
 */

import { Busy, Client, Missing, Refusal } from "../shared/net/client.js";
import { tabStorage } from "../shared/dom/storage.js";
import { Following } from "./following.js";
import { withoutAnswer } from "./questions.js";

/** @typedef {import("./questions.js").HostState} HostState */
/** @typedef {import("./questions.js").Question} Question */
/** @typedef {{id: string, secret: string}} Name */
/** @typedef {import("./following.js").Trouble} Trouble */

const KEY = "tokviz:room";

const SENTENCES = {
  lost: "Not connected: what you show here reaches the phones once the network is back.",
  busy: "The server has too much to do at the moment. Trying again.",
  elsewhere: "",
  refused: "This room can't be followed any more. Open a new one.",
  "": "",
};
const REOPENED = "The server was restarted. The room is open again and phones come back by themselves; earlier votes are lost.";

export class Host {
  #client;
  #on;
  /** @type {Name | null} */
  #name = null;
  /** @type {Following | null} */
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

  /**
   * @param {string} base the app's root, ending in "/"
   * @param {{changed: (state: HostState | null) => void, connection: (sentence: string) => void}} on `changed` with null
   *   when the room has ended; `connection` with a sentence for the teacher, "" when all is well
   */
  constructor(base, on) {
    this.#client = new Client(base);
    this.#on = on;
  }

  get state() {
    return this.#state;
  }

  /** Go on with the tab's room. Returns whether there is one. */
  async resume() {
    const name = tabStorage.readJson(KEY);
    if (!name) return false;
    await this.#enter(name);
    return true;
  }

  /** Open a room. Throws `Refusal` if there is no place for another one, and TypeError if the server can't be reached. */
  async open() {
    await this.#enter(await this.#client.json("room", {}, "{}"));
  }

  /** @param {Name} name */
  async #enter(name) {
    const state = await this.#post(name, "open", {});
    this.#name = name;
    tabStorage.write(KEY, JSON.stringify(name));
    this.#following = new Following(
      (body, signal) => this.#client.response(`room/${name.id}/follow`, {}, body, signal),
      { secret: name.secret },
      { state: (newer) => this.#show(newer), trouble: (trouble) => void this.#say(trouble) },
    );
    this.#show(state);
    await this.#send();
  }

  /**
   * Ask a question. One that was asked before has its votes still. Moves made while there is no room, or no network, are
   * sent later.
   *
   * @param {Question} question
   */
  ask(question) {
    this.#moves = [];
    this.#isReopened = false;
    return this.#move("ask", { question: withoutAnswer(question) });
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

  /** Ask nothing. */
  pause() {
    this.#moves = [];
    return this.#move("pause", {});
  }

  /** End the room. */
  async close() {
    await this.#move("close", {});
  }

  /** Follow no longer. The room stays open. */
  dispose() {
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
    if (!this.#name || this.#isSending) return;
    this.#isSending = true;
    /** @type {unknown} */
    const error = await this.#sendMoves(this.#name).then(() => null, (reason) => reason);
    this.#isSending = false;
    if (error instanceof Missing) return this.#reopen();
    if (error instanceof Refusal && !(error instanceof Busy)) {
      this.#unsent = 0;
      throw error;
    }
    if (error) this.#on.connection(SENTENCES.lost);
  }

  /** Send the moves one after the other. A newer question drops those that are left. @param {Name} name */
  async #sendMoves(name) {
    while (this.#unsent) {
      const move = this.#moves.at(-this.#unsent);
      const state = await this.#post(name, "move", move ?? {});
      if (move === this.#moves.at(-this.#unsent)) this.#unsent--;
      this.#show(state);
    }
  }

  /** @param {HostState} state */
  #show(state) {
    if (state.phase === "closed") return this.#end();
    this.#state = state;
    this.#on.changed(state);
  }

  #end() {
    this.dispose();
    this.#name = this.#state = null;
    this.#moves = [];
    this.#unsent = 0;
    tabStorage.write(KEY, null);
    this.#on.changed(null);
  }

  /** @param {Trouble} trouble */
  async #say(trouble) {
    if (trouble === "gone") return this.#reopen();
    this.#on.connection(trouble || !this.#isReopened ? SENTENCES[trouble] : REOPENED);
    if (trouble === "") await this.#send().catch(() => {});
  }

  /** Open the room again under its address, with the question that is on screen. */
  async #reopen() {
    const name = this.#name;
    if (!name) return;
    try {
      await this.#post(name, "open", {});
    } catch (error) {
      return this.#on.connection(error instanceof Refusal ? error.message : SENTENCES.lost);
    }
    this.#isReopened = true;
    this.#unsent = this.#moves.length;
    await this.#send().catch(() => {});
    this.#following?.retry();
  }

  /** @param {Name} name @param {string} action @param {Record<string, any>} fields @returns {Promise<HostState>} */
  #post({ id, secret }, action, fields) {
    return this.#client.json(`room/${id}/${action}`, {}, JSON.stringify({ ...fields, secret }));
  }
}
