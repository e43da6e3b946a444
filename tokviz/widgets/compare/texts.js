/**
 * Comparison of two texts under one tokenizer, to show what a shorter prompt or another format saves.
 */

import { button, debounce, element, fill, headOf, menu, number, rowOf, wide } from "../shared/dom/elements.js";
import { Latest } from "../shared/net/latest.js";
import { createTextBox } from "../shared/ui/textbox.js";
import { saySecondText } from "./summaries.js";
import { differenceOf } from "./totals.js";

/** @typedef {{text: string, second: string, tokenizer: string}} Question */
/** @typedef {{tokens: number, bytes: number, class_counts: number[]}} Counted */
/** @typedef {{texts: [Counted, Counted], classes: string[], sentences: string[]}} Answer `sentences` say what changes, and why */

/** Names of two samples with the same data in different formats. */
const FORMATS = ["json-pretty", "yaml"];
/** Two prompts, of which one ends in a space. */
const PROMPTS = ["Answer:", "Answer: "];
/** While it is folded, only a line is to be said of it, when typing pauses. */
const FOLDED_AFTER_MS = 400;

/**
 * @typedef {object} TextsListeners
 * @property {(question: Question, signal: AbortSignal) => Promise<Answer>} ask
 * @property {(change: {second?: string, textTokenizer?: string}) => void} change
 * @property {(name: string) => Promise<{text: string}>} sample
 * @property {(text: string) => void} useFirst called to put a text into the page's editor
 */

export class Texts {
  #first = "";
  #settings;
  #on;
  #live;
  #written = createTextBox(
    { "aria-label": "A second text", placeholder: "Type or paste another text: a shorter prompt, the same data in another format", rows: 3 },
    (text) => this.#use(text),
  );
  #tokenizers = menu("Under", [], "", (name) => {
    this.#on.change({ textTokenizer: name });
    this.#ask();
  });
  #problem = element("p", { class: "problem", role: "alert" });
  #status = element("p", { role: "status" });
  #why = element("p", { class: "why" });
  /** @type {HTMLTableElement} */
  #result = element("table", { class: "two-texts" });
  #fold;
  #askLater = debounce(() => void this.#request(), FOLDED_AFTER_MS);

  /**
   * @param {{second: string, textTokenizer: string}} settings
   * @param {import("./folds.js").Folds} folds
   * @param {TextsListeners} on
   */
  constructor(settings, folds, on) {
    this.#settings = settings;
    this.#on = on;
    this.#written.show(settings.second);
    this.#fold = folds.add("text", "Another text under the same tokenizer", () => this.#ask(), this.#content());
    this.#fold.node.classList.add("asks"); // a question: closed, it says nothing on paper
    this.#fold.say(saySecondText(null));
    this.#live = new Latest((/** @type {Question} */ question, signal) => on.ask(question, signal), {
      refusal: (message) => this.#refuse(message),
      connection: (state) => void this.#result.classList.toggle("stale", state !== "connected"),
    });
  }

  /** @param {string} text the page's text @param {[name: string, label: string][]} offers */
  update(text, offers) {
    this.#first = text;
    const wanted = this.#settings.textTokenizer;
    const chosen = offers.some(([name]) => name === wanted) ? wanted : offers[offers.length - 1][0];
    this.#tokenizers.select.replaceChildren(...offers.map(([value, label]) => element("option", { value }, label)));
    this.#tokenizers.select.value = chosen;
    this.#ask();
  }

  /** Set the second text and open the section. @param {string} text */
  setSecond(text) {
    this.#fold.node.open = true;
    this.#use(text);
  }

  dispose() {
    this.#askLater.cancel();
    this.#live.dispose();
  }

  #content() {
    const formats = button("Example: JSON against YAML", () => void this.#useFormats());
    const space = button("Example: a space at the end", () => this.#useBoth(PROMPTS));
    return element(
      "div",
      { class: "texts stack" },
      element("p", { class: "quiet" }, "The text above is the first. What does the second take, with the very same tokenizer, and why?"),
      element("div", { class: "row" }, this.#tokenizers.node, formats, space),
      this.#written.node,
      this.#written.note,
      this.#problem,
      this.#status,
      this.#why,
      wide("Tokens of both texts", this.#result),
    );
  }

  #ask() {
    if (this.#fold.node.open) void this.#request();
    else if (this.#written.text()) this.#askLater.later();
  }

  async #request() {
    const tokenizer = this.#tokenizers.select.value;
    if (!tokenizer) return;
    const answer = await this.#live.ask({ text: this.#first, second: this.#written.text(), tokenizer });
    if (answer) this.#show(answer);
  }

  async #useFormats() {
    const [one, other] = await Promise.all(FORMATS.map((name) => this.#on.sample(name).catch(() => null)));
    if (!one || !other) return fill(this.#problem, "The example could not be loaded. Try again in a moment.");
    this.#useBoth([one.text, other.text]);
  }

  /** @param {string[]} texts the first and the second */
  #useBoth([first, second]) {
    this.#use(second);
    this.#on.useFirst(first);
  }

  /** Use a new second text and count its tokens. @param {string} text */
  #use(text) {
    this.#written.show(text);
    this.#on.change({ second: text });
    this.#ask();
  }

  /** @param {Answer} answer */
  #show(answer) {
    const [one, other] = answer.texts;
    fill(this.#problem);
    fill(this.#status, sayEmpty(one, other));
    fill(this.#why, one.bytes && other.bytes ? answer.sentences.join(" ") : "");
    fill(this.#result, ...(one.bytes && other.bytes ? tableOf(answer) : []));
    this.#fold.say(saySecondText(answer.texts));
  }

  /** @param {string} message */
  #refuse(message) {
    for (const part of [this.#status, this.#why, this.#result]) fill(part); // they are of an earlier text
    this.#fold.say(saySecondText(null));
    fill(this.#problem, message);
  }
}

/** Message if one of the texts is empty, else "". @param {{bytes: number}} first @param {{bytes: number}} second */
export function sayEmpty(first, second) {
  if (!first.bytes && !second.bytes) return "No tokens: both texts are empty.";
  if (!second.bytes) return "No tokens: the second text is empty.";
  return first.bytes ? "" : "No tokens to compare with: the first text is empty.";
}

/**
 * Rows of the counts of two texts: tokens, bytes, and the tokens of each class that at least one of them has.
 *
 * @param {Answer} answer
 * @returns {[name: string, first: number, second: number][]}
 */
export function countsOf({ texts: [one, other], classes }) {
  /** @type {[string, number, number][]} */
  const ofClasses = classes.map((name, kind) => [`tokens: ${name}`, one.class_counts[kind], other.class_counts[kind]]);
  return [
    ["tokens", one.tokens, other.tokens],
    ["bytes", one.bytes, other.bytes],
    ...ofClasses.filter(([, first, second]) => first || second),
  ];
}

/** @param {Answer} answer */
function tableOf(answer) {
  const rows = countsOf(answer).map(([name, first, second]) =>
    rowOf(name, number(first), number(second), signed(second - first), differenceOf(second, first) || "–"),
  );
  return [headOf(["", "first text", "second text", "difference", ""]), element("tbody", {}, ...rows)];
}

/** @param {number} value */
const signed = (value) => `${value > 0 ? "+" : value < 0 ? "−" : "±"}${number(Math.abs(value))}`;
