/**
 * Comparison of two texts under one tokenizer, to show what a shorter prompt or another format saves.
 */

import { Latest } from "../shared/net/latest.js";
import { button, element, fill, menu, number } from "../shared/dom/elements.js";
import { keepLineEnds } from "../shared/ui/lineends.js";
import { differenceOf } from "./totals.js";

/** @typedef {{text: string, second: string, tokenizer: string}} Question */
/** @typedef {{tokens: number, bytes: number, class_counts: number[]}} Counted */
/** @typedef {{texts: [Counted, Counted], classes: string[]}} Answer */

/** Names of two samples with the same data in different formats. */
const EXAMPLE = ["json-pretty", "yaml"];

/**
 * @param {{second: string, textTokenizer: string}} settings
 * @param {object} on
 * @param {(question: Question, signal: AbortSignal) => Promise<Answer>} on.ask
 * @param {(change: {second?: string, textTokenizer?: string}) => void} on.change
 * @param {(name: string) => Promise<{text: string}>} on.sample
 * @param {(text: string) => void} on.useFirst called to put a text into the page's editor
 */
export function createTexts(settings, on) {
  let first = "";
  const box = element("textarea", {
    class: "editor mono",
    "aria-label": "A second text",
    placeholder: "Type or paste another text: a shorter prompt, the same data in another format",
    spellcheck: "false",
    dir: "auto",
    rows: 3,
    input: () => use(written.text()),
  });
  const written = keepLineEnds(box);
  written.show(settings.second);
  const tokenizers = menu("Under", [], "", (name) => (on.change({ textTokenizer: name }), ask()));
  const result = element("table", { class: "two-texts" });
  const problem = element("p", { class: "problem", role: "alert" });
  const status = element("p", { role: "status" });
  const node = element(
    "details",
    { class: "texts", toggle: ask },
    element("summary", {}, "Another text under the same tokenizer"),
    element(
      "div",
      { class: "stack" },
      element("p", { class: "quiet" }, "The text above is the first. What does the second take, with the very same tokenizer?"),
      element("div", { class: "row" }, tokenizers.node, button("example: JSON against YAML", () => void useExample())),
      box,
      written.note,
      problem,
      status,
      result,
    ),
  );
  node.open = settings.second !== "";

  const live = new Latest((/** @type {Question} */ question, signal) => on.ask(question, signal), {
    answer: show,
    refusal: (message) => {
      for (const part of [status, result]) fill(part); // they are of an earlier text
      fill(problem, message);
    },
    connection: (state) => result.classList.toggle("stale", state !== "connected"),
  });

  function ask() {
    if (node.open && tokenizers.select.value) live.ask({ text: first, second: written.text(), tokenizer: tokenizers.select.value });
  }

  async function useExample() {
    const [one, other] = await Promise.all(EXAMPLE.map((name) => on.sample(name).catch(() => null)));
    if (!one || !other) return fill(problem, "The example could not be loaded. Try again in a moment.");
    use(other.text);
    on.useFirst(one.text);
  }

  /** Use a new second text and count its tokens. @param {string} text */
  function use(text) {
    written.show(text);
    on.change({ second: text });
    ask();
  }

  /** @param {Answer} answer */
  function show({ texts: [one, other], classes }) {
    fill(problem);
    fill(status, sayEmpty(one, other));
    if (!one.bytes || !other.bytes) return fill(result);
    const kinds = classes.map((_, kind) => kind).filter((kind) => one.class_counts[kind] || other.class_counts[kind]);
    const row = (/** @type {string} */ name, /** @type {number} */ a, /** @type {number} */ b) =>
      element("tr", {}, element("th", { scope: "row" }, name), ...[number(a), number(b), signed(b - a), differenceOf(b, a) || "–"].map((each) => element("td", {}, each)));
    fill(
      result,
      element("thead", {}, element("tr", {}, ...["", "first text", "second text", "difference", ""].map((name) => element("th", { scope: "col" }, name)))),
      element(
        "tbody",
        {},
        row("tokens", one.tokens, other.tokens),
        row("bytes", one.bytes, other.bytes),
        ...kinds.map((kind) => row(`tokens: ${classes[kind]}`, one.class_counts[kind], other.class_counts[kind])),
      ),
    );
  }

  return {
    node,
    /** @param {string} text the page's text @param {[name: string, label: string][]} offers */
    update(text, offers) {
      first = text;
      const chosen = offers.some(([name]) => name === settings.textTokenizer) ? settings.textTokenizer : offers[offers.length - 1][0];
      tokenizers.select.replaceChildren(...offers.map(([value, label]) => element("option", { value }, label)));
      tokenizers.select.value = chosen;
      ask();
    },
    /** Set the second text and open the section. @param {string} text */
    setSecond(text) {
      node.open = true;
      use(text);
    },
    dispose: () => live.dispose(),
  };
}

/** Message if one of the texts is empty, else "". @param {{bytes: number}} first @param {{bytes: number}} second */
export function sayEmpty(first, second) {
  if (!first.bytes && !second.bytes) return "No tokens: both texts are empty.";
  if (!second.bytes) return "No tokens: the second text is empty.";
  return first.bytes ? "" : "No tokens to compare with: the first text is empty.";
}

/** @param {number} value */
const signed = (value) => `${value > 0 ? "+" : value < 0 ? "−" : "±"}${number(Math.abs(value))}`;
