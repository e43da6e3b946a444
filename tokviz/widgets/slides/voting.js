/**
 * The votes of a slide: those of a room's phones, or else hands that the teacher counts.
 */

import { Host } from "../room/host.js";
import { joinPanel } from "../room/panel.js";
import { sayVotes } from "../room/wording.js";
import { Client } from "../shared/net/client.js";
import { button, element, fill } from "../shared/dom/elements.js";

/** @typedef {import("../room/questions.js").HostState} HostState */
/** @typedef {import("../room/questions.js").Votes} Votes */
/** @typedef {import("./slide.js").Step} Step */

export class Voting {
  #words;
  #changed;
  /** Null without a server. @type {Host | null} */
  #host = null;
  /** @type {ReturnType<typeof joinPanel> | null} */
  #panel = null;
  /** Hands that were counted, by the id of the step. @type {Map<string, number[]>} */
  #hands = new Map();
  /** How many have voted, and what is wrong. */
  status = element("span", { class: "vote-status", role: "status" });
  connection = element("p", { class: "connection", role: "status" });
  #opening;
  /** Leads from the way into the room to the slide. */
  #starting;
  /** Where phones come into the room, over the slide. */
  joining = element("div", { class: "join-pane", hidden: true });

  /**
   * @param {string} base the app's root; "" without a server
   * @param {import("../room/text.js").Words} words
   * @param {() => void} changed
   * @param {(way: "onward" | "back") => void} turn called when the notes on a phone ask for it
   */
  constructor(base, words, changed, turn) {
    this.#words = words;
    this.#changed = changed;
    this.#opening = button(words.open_room, () => void this.#open());
    this.#starting = button(words.start, () => this.#join(false), { class: "button primary" });
    this.controls = element("span", { class: "row" });
    if (!base) return;
    const client = new Client(base);
    this.#panel = joinPanel(client, base, words);
    this.#host = new Host(base, words, { changed: (state) => this.#show(state), connection: (sentence) => fill(this.connection, sentence), turn });
    const close = button(words.close_room, () => void this.#host?.close().catch(() => {}));
    fill(this.joining, this.#panel.node, element("div", { class: "row" }, this.#starting, close));
    fill(this.controls, this.#opening);
  }

  /** What the notes need to follow on a phone; null without a room. @returns {import("./channel.js").NotesRoom | null} */
  get notes() {
    const state = this.#host?.state;
    return state ? { id: state.id, key: state.notes, mayTurn: state.mayTurn } : null;
  }

  /** Let the notes turn the slides, or not any more. @param {boolean} may */
  letTurn = (may) => this.#try(this.#host?.letTurn(may));

  /** True while phones vote. */
  get isRoom() {
    return Boolean(this.#host?.state);
  }

  /** True while the way into the room is on screen. */
  get isJoining() {
    return !this.joining.hidden;
  }

  /** Go on with the room of this tab, if it has one. */
  async resume() {
    await this.#host?.resume().catch(() => this.isRoom && fill(this.connection, this.#words.refused));
  }

  async #open() {
    if (!this.#host) return;
    if (this.isRoom) return this.#join(!this.isJoining);
    fill(this.connection);
    try {
      await this.#host.open();
    } catch {
      fill(this.connection, this.isRoom ? this.#words.refused : this.#words.no_room);
    }
    if (this.isRoom) this.#join(true);
  }

  /** Show the way into the room, or the slide. @param {boolean} isJoining */
  #join(isJoining) {
    this.joining.hidden = !isJoining;
    this.#changed();
  }

  /** Name where the way into the room leads. @param {string} name */
  nameStart(name) {
    fill(this.#starting, name);
  }

  /** Leave the way into the room. Returns whether it was on screen. */
  leaveJoining() {
    const wasJoining = this.isJoining;
    if (wasJoining) this.#join(false);
    return wasJoining;
  }

  /** @param {HostState | null} state */
  #show(state) {
    fill(this.#opening, state ? this.#words.room : this.#words.open_room);
    if (!state) this.joining.hidden = true;
    if (state) this.#panel?.update(state);
    this.#changed();
  }

  /** Say how many have voted; nothing while phones are at another step still. @param {Step} step */
  showStatus(step) {
    const state = this.#host?.state;
    fill(this.status, state?.question?.id === step.id ? sayVotes(this.#words, state) : "");
  }

  /** Ask the phones. @param {Step} step @param {number} begun when it came on screen, in ms of the clock */
  ask = (step, begun) => this.#try(this.#host?.ask(step, begun));

  /** Show the votes. */
  show = () => this.#try(this.#host?.show());

  /** Ask for a second vote. */
  again = () => this.#try(this.#host?.again());

  /** Send the answer to the phones. @param {Step} step */
  reveal = (step) => this.#try(this.#host?.reveal(step));

  /** @param {Promise<void> | undefined} sent */
  #try(sent) {
    void sent?.catch(() => fill(this.connection, this.#words.refused));
  }

  /** The votes that are to be shown: those of a room once they are, hands as they are counted. @param {Step} step @param {boolean} isAsked @returns {Votes[]} */
  votesOf(step, isAsked) {
    const hands = this.#hands.get(step.id);
    if (!this.isRoom) return hands?.some(Boolean) ? [{ counts: hands }] : [];
    const state = /** @type {HostState} */ (this.#host?.state);
    if (state.question?.id !== step.id) return [];
    return isAsked ? state.votes.slice(0, state.round - 1) : state.votes;
  }

  /** True if a second vote can follow. @param {Step} step */
  canVoteAgain(step) {
    const state = this.#host?.state;
    return state?.question?.id === step.id && state.round === 1 && state.phase === "voting" && state.shown;
  }

  /** Count hands. @param {Step} step @param {number} choice @param {number} count */
  setHands(step, choice, count) {
    const hands = this.#hands.get(step.id) ?? (step.choices ?? []).map(() => 0);
    hands[choice] = Math.max(0, Math.min(999, Math.floor(count) || 0));
    this.#hands.set(step.id, hands);
    this.#changed();
  }

  /** @param {Step} step @param {number} choice */
  handsOf(step, choice) {
    return this.#hands.get(step.id)?.[choice] ?? 0;
  }

  dispose() {
    this.#host?.dispose();
  }
}
