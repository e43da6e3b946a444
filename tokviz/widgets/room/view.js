/**
 * A question on a phone: its text, the ways to answer it, and, once it is known, the answer.
 */

import { createLive } from "../figure/late.js";
import { button, element, fill } from "../shared/dom/elements.js";
import { answering } from "./answering.js";
import { marked } from "./text.js";
import { sayVote } from "./wording.js";

/** @typedef {import("./questions.js").PhoneState} PhoneState */
/** @typedef {import("./questions.js").Question} Question */

export class QuestionView {
  #client;
  #words;
  #send;
  #isAlone;
  /** @type {Question | null} */
  #question = null;
  /** @type {import("./answering.js").Answering | null} */
  #answering = null;
  #status = element("p", { class: "said", role: "status" });
  #answer = element("div", { class: "answer" });
  #isAnswered = false;
  #figures;
  /** @type {{dispose: () => void} | null} */
  #figure = null;

  /**
   * @param {import("../shared/net/client.js").Client} client
   * @param {import("./text.js").Words} words of the phones
   * @param {Source} figures
   * @param {(vote: import("./answering.js").Vote) => void} send
   * @param {boolean} isAlone without a room: a figure is shown at once, instead of on a hundred phones
   */
  constructor(client, words, figures, send, isAlone) {
    this.#client = client;
    this.#words = words;
    this.#figures = figures;
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
    fill(this.#status, note || sayVote(this.#words, state));
    if (isRevealed !== this.#isAnswered) this.#showAnswer(isRevealed ? question : null);
  }

  /** @param {Question | null} question null before it is known */
  #showAnswer(question) {
    this.#figure?.dispose();
    this.#figure = null;
    this.#isAnswered = question !== null;
    if (!question) return fill(this.#answer);
    const { reveal, figure, links = [] } = question;
    const anchors = links.filter(({ href }) => isOurs(href)).map(({ label, href }) => element("a", { class: "button", href, target: "_blank" }, label));
    fill(
      this.#answer,
      reveal && element("p", { class: "reveal" }, ...marked(reveal)),
      figure && this.#figurePart(figure),
      anchors.length > 0 && element("div", { class: "row" }, ...anchors),
    );
  }

  /** A link's figure, or the button that shows it. @param {any} link */
  #figurePart(link) {
    const place = element("div", {});
    const show = () => {
      const figure = figureOf(this.#figures, link, this.#words.no_figure);
      this.#figure = figure;
      fill(place, figure.node);
    };
    if (this.#isAlone) show();
    else fill(place, button(this.#words.show_figure, show));
    return place;
  }

  /** @param {Question} question */
  #begin(question) {
    this.#answering?.dispose();
    this.#question = question;
    this.#answering = answering(question, this.#words, this.#send, this.#client);
    this.#showAnswer(null);
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
}

/** Whether an address is a page of this server; any other could run a script. @param {string} href */
const isOurs = (href) => href.startsWith("/") && new URL(href, location.href).origin === location.origin;

// Figures: their modules and stylesheets are loaded when the first one is wanted, since a room needs none to vote.

/** @typedef {{base: string, sheets: string[]}} Source the app's root, and the stylesheets that figures need */

/** @type {Promise<unknown> | null} */
let loaded = null;

/** @param {Source} source */
const loadSheets = ({ base, sheets }) => (loaded ??= Promise.all(sheets.map((path) => loadSheet(`${base}_tokviz/static/${path}`))));

/** @param {string} href @returns {Promise<unknown>} settled when the stylesheet applies, or can't be had */
function loadSheet(href) {
  const link = element("link", { rel: "stylesheet", href });
  const done = new Promise((resolve) => (link.onload = link.onerror = resolve));
  document.head.append(link);
  return done;
}

/**
 * Show what a link of the lesson opens.
 *
 * @param {Source} source
 * @param {import("../figure/figure.js").Link} link
 * @param {string} missing what is said if it can't be loaded
 * @returns {{node: HTMLElement, dispose: () => void}}
 */
function figureOf(source, link, missing) {
  const live = createLive(link.label);
  live.node.classList.add("shown");
  live.show(source.base, link, loadSheets(source)).catch(() => fill(live.node, missing));
  return live;
}
