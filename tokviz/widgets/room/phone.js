/**
 * The page of a phone in a room: it shows what is asked, takes one vote, and comes back by itself when it was away.
 */

import { Client } from "../shared/net/client.js";
import { button, element, fill } from "../shared/dom/elements.js";
import { browserStorage } from "../shared/dom/storage.js";
import { Following } from "./following.js";
import { baseOf, pageData, root } from "./page.js";
import { randomId, readRoomId } from "./questions.js";
import { QuestionView } from "./view.js";
import { Voting } from "./voting.js";

/** @typedef {import("./answering.js").Vote} Vote */
/** @typedef {import("./questions.js").PhoneState} PhoneState */
/** @typedef {import("./following.js").Trouble} Trouble */

/** What this browser is called in all rooms, so that its vote is still there after a reload. */
const KEY = "tokviz:phone";

const TROUBLES = {
  lost: "No connection. This page comes back by itself; your vote is kept.",
  gone: "This room is not open. Either it has ended, or the server was restarted: then this page comes back by itself.",
  busy: "Too many phones at the moment. Trying again.",
  elsewhere: "This room is open in another tab of this browser.",
};
const PAUSE = "You are in. Look at the screen: the next question comes to your phone by itself.";
const CLOSED = "The room is closed. Thank you for your votes.";
const WAITING = "Not sent yet: no connection. It is sent as soon as there is one.";

class Phone {
  #client;
  #id = phoneId();
  /** @type {PhoneState | null} */
  #state = null;
  #trouble = element("p", { class: "connection", role: "status" });
  #body = element("div", {});
  #note = "";

  /** @param {string} base @param {string} room @param {string[]} sheets see `Source` in `figures.js` */
  constructor(base, room, sheets) {
    this.base = base;
    const client = (this.#client = new Client(base));
    const post = (/** @type {Record<string, any>} */ fields) => client.json(`room/${room}/vote`, {}, JSON.stringify({ ...fields, phone: this.#id }));
    this.voting = new Voting(post, {
      counted: (state) => this.#show(state),
      late: (sentence) => this.#draw(sentence),
      waiting: () => this.#draw(WAITING),
    });
    this.view = new QuestionView(client, { base, sheets }, (vote) => this.#vote(vote), false);
    this.following = new Following(
      (body, signal) => client.response(`room/${room}/follow`, {}, body, signal),
      { phone: this.#id },
      { state: (state) => this.#show(state), trouble: (trouble, sentence) => this.#say(trouble, sentence) },
    );
    this.node = element("main", { class: "tokviz room" }, this.#trouble, this.#body);
  }

  /** @param {Vote} vote */
  #vote(vote) {
    if (!this.#state?.question) return;
    const { question, round } = this.#state;
    void this.voting.send({ question: question.id, round, vote });
    this.#draw("");
  }

  /** @param {PhoneState} state */
  #show(state) {
    this.#state = state;
    this.#draw("");
    void this.voting.retry();
  }

  /** @param {string} note */
  #draw(note) {
    const state = this.#state;
    if (!state) return;
    const { question } = state;
    if (!question) return this.#wait(state.phase === "closed" ? CLOSED : PAUSE, state.phase === "closed");
    if (this.view.node.parentNode !== this.#body) fill(this.#body, this.view.node);
    const vote = this.voting.on(question.id, state.round);
    const yours = state.yours.map((each, k) => (vote && k === state.round - 1 ? valueOf(vote) : each));
    this.view.show({ ...state, question, yours }, note || (vote ? "Sending …" : ""));
  }

  /** @param {string} sentence @param {boolean} isOver */
  #wait(sentence, isOver) {
    const alone = element("a", { class: "button", href: `${this.base}sheet` }, "The lesson's questions, alone");
    fill(this.#body, element("div", { class: "waiting" }, sentence && element("p", { class: "wait" }, sentence), isOver && alone));
  }

  /** @param {Trouble} trouble @param {string} sentence the server's */
  #say(trouble, sentence) {
    const here = button("use it here", () => this.following.retry());
    fill(this.#trouble, trouble && (trouble === "refused" ? sentence : TROUBLES[trouble]), trouble === "elsewhere" && here);
    if (trouble === "gone" && !this.#state) this.#wait("", true);
  }
}

/** @param {Vote} vote */
const valueOf = (vote) => ("choice" in vote ? vote.choice : vote.number);

function phoneId() {
  const known = browserStorage.read(KEY);
  if (known && /^[\w-]{22}$/.test(known)) return known;
  const id = randomId();
  browserStorage.write(KEY, id);
  return id;
}

const room = readRoomId(location.pathname.split("/").at(-1) ?? "");
const data = pageData();
if (room) root.append(new Phone(baseOf(data), room, data.sheets).node);
else root.append(element("main", { class: "tokviz room" }, element("p", { class: "wait" }, "This address is not complete. Type it again as it stands on the screen.")));
