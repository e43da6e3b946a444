/**
 * A question on a phone: its text, the ways to answer it, and, once it is known, the answer.
 */

import { element, fill } from "../shared/dom/elements.js";
import { answering } from "./answering.js";
import { marked } from "./text.js";
import { sayVote } from "./wording.js";

/** @typedef {import("./answering.js").Vote} Vote */
/** @typedef {import("./questions.js").PhoneState} PhoneState */
/** @typedef {import("./questions.js").Question} Question */

export class QuestionView {
  #client;
  #send;
  #isAlone;
  /** @type {Question | null} */
  #question = null;
  /** @type {import("./answering.js").Answering | null} */
  #answering = null;
  #status = element("p", { class: "said", role: "status" });
  #answer = element("div", { class: "answer" });
  #isAnswered = false;

  /**
   * @param {import("../shared/net/client.js").Client} client
   * @param {(vote: Vote) => void} send
   * @param {boolean} isAlone without a room
   */
  constructor(client, send, isAlone) {
    this.#client = client;
    this.#send = send;
    this.#isAlone = isAlone;
    this.node = element("section", { class: "question" });
  }

  /** @param {PhoneState & {question: Question}} state @param {string} [note] instead of what is said about the vote */
  show(state, note) {
    const { question, yours, round, phase } = state;
    if (this.#question?.id !== question.id || this.#question.question !== question.question) this.#begin(question);
    const isRevealed = phase === "revealed";
    this.#answering?.update(yours[round - 1] ?? (isRevealed ? yours[0] ?? null : null), isRevealed ? question.answers ?? [] : null);
    fill(this.#status, note || sayVote(state, this.#isAlone));
    if (isRevealed !== this.#isAnswered) fill(this.#answer, ...(isRevealed ? answerParts(question) : []));
    this.#isAnswered = isRevealed;
  }

  /** @param {Question} question */
  #begin(question) {
    this.#answering?.dispose();
    this.#question = question;
    this.#answering = answering(question, this.#send, this.#client);
    this.#isAnswered = false;
    fill(this.#answer);
    fill(
      this.node,
      question.title && element("p", { class: "title" }, question.title),
      question.say && element("p", { class: "say" }, ...marked(question.say)),
      element("h1", { tabindex: -1 }, ...marked(question.question)),
      this.#answering.node,
      this.#status,
      this.#answer,
    );
  }

  dispose() {
    this.#answering?.dispose();
  }
}

/** @param {Question} question */
function answerParts({ reveal, links = [] }) {
  const anchors = links.filter(({ href }) => isOurs(href)).map(({ label, href }) => element("a", { class: "button", href }, label));
  return [
    reveal && element("p", { class: "reveal" }, ...marked(reveal)),
    anchors.length > 0 && element("div", { class: "row" }, ...anchors),
  ];
}

/** Whether an address is a page of this server; any other could run a script. @param {string} href */
const isOurs = (href) => href.startsWith("/") && new URL(href, location.href).origin === location.origin;
