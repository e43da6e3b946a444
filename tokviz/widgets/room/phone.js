/**
 * The page of a phone in a room: it shows what is asked, takes one vote, and comes back by itself when it was away.
 */

import { Client } from "../shared/net/client.js";
import { button, element, fill } from "../shared/dom/elements.js";
import { browserStorage } from "../shared/dom/storage.js";
import { follow, whenBack } from "./following.js";
import { pageData, root } from "./page.js";
import { randomId, readRoomId } from "./questions.js";
import { QuestionView } from "./view.js";
import { Voting } from "./voting.js";
import { sayVote } from "./wording.js";

/** @typedef {import("./answering.js").Vote} Vote */
/** @typedef {import("./questions.js").PhoneState} PhoneState */

/** What this browser is called in all rooms, so that its vote is still there after a reload. */
const KEY = "tokviz:phone";

class Phone {
  #words;
  #id = phoneId();
  /** @type {PhoneState | null} */
  #state = null;
  /** Whether the last vote came too late to count. */
  #isLate = false;
  #trouble = element("p", { class: "connection", role: "status" });
  #body = element("div", {});

  /** @param {string} room @param {import("./page.js").PageData} data */
  constructor(room, { base, sheets, words }) {
    this.base = base;
    this.#words = words;
    const client = new Client(base);
    const post = (/** @type {Record<string, any>} */ fields, /** @type {AbortSignal} */ signal) => client.json(`room/${room}/vote`, {}, JSON.stringify({ ...fields, phone: this.#id }), signal);
    this.voting = new Voting(post, {
      counted: (state) => this.#show(state),
      late: () => {
        this.#isLate = true;
        this.#draw("");
      },
      waiting: () => this.#draw(words.waiting),
    });
    this.view = new QuestionView(client, words, { base, sheets }, (vote) => this.#vote(vote), false);
    this.following = follow(client, room, { phone: this.#id }, { state: (state) => this.#show(state), trouble: (trouble) => this.#say(trouble) });
    this.node = element("main", { class: "tokviz room" }, this.#trouble, this.#body);
    whenBack(() => void this.voting.retry());
  }

  /** @param {Vote} vote */
  #vote(vote) {
    if (!this.#state?.question) return;
    const { question, round } = this.#state;
    this.#isLate = false;
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
    const isOver = state.phase === "closed";
    if (!question) return this.#wait(isOver ? this.#words.closed : this.#words.pause, isOver);
    if (this.view.node.parentNode !== this.#body) fill(this.#body, this.view.node);
    const vote = this.voting.on(question.id, state.round);
    const yours = state.yours.map((each, k) => (vote && k === state.round - 1 ? valueOf(vote) : each));
    const shown = { ...state, question, yours };
    const late = this.#isLate ? `${this.#words.too_late} ${sayVote(this.#words, shown)}` : "";
    this.view.show(shown, note || (vote ? this.#words.sending : late));
  }

  /** @param {string} sentence @param {boolean} isOver */
  #wait(sentence, isOver) {
    const alone = element("a", { class: "button", href: `${this.base}sheet` }, this.#words.alone);
    fill(this.#body, element("div", { class: "waiting" }, sentence && element("p", { class: "wait" }, sentence), isOver && alone));
  }

  /** @param {import("./following.js").Trouble} trouble */
  #say(trouble) {
    const here = button(this.#words.use_here, () => this.following.retry());
    fill(this.#trouble, trouble && this.#words[trouble], trouble === "elsewhere" && here);
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
if (room) root.append(new Phone(room, data).node);
else root.append(element("main", { class: "tokviz room" }, element("p", { class: "wait" }, data.words.incomplete)));
