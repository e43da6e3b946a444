/**
 * Tokens that are never seen: learned from the reader's text, counted in another; and those of GPT-2, audited.
 */

import { debounce, element, fill, number, plural } from "../../shared/dom/elements.js";
import { createSegments } from "../../shared/ui/segments.js";
import { createAsking } from "../asking.js";
import { createField } from "../field.js";
import { createOwnText } from "../owntext.js";

/** @typedef {{learned: number, unseen: number, listed: string[]}} Unseen */
/** @typedef {{tokens: number, unused: number, reported: [token: string, isUnused: boolean][]}} Glitches `reported`: the last is an everyday word */

const PAUSE_MS = 200;

/** @param {import("../figures.js").Context} context @returns {import("../figures.js").Figure} */
export function create(context) {
  let which = "own";
  let example = "";
  let other = "";
  const choice = createSegments("Whose tokens", [["own", "learned from your text"], ["gpt2", "GPT-2’s"]], which, (value) => (choose(value), context.changed()));
  const own = createOwnText(context, () => later.later());
  const field = createField({ label: "Counted in another text", most: 2_000, kind: "mono full-field", lines: 3 }, (typed) => ((other = typed), later.later(), context.changed()));
  const texts = element("div", { class: "unseen-texts" }, element("label", {}, element("span", { class: "quiet" }, "Tokens are learned from"), own.node), element("label", {}, element("span", { class: "quiet" }, "and counted in"), field.node));
  const says = element("p", { class: "says", role: "status" });
  const list = element("p", { class: "token-list" });
  const learned = createAsking(context, (answer) => draw(sayUnseen(answer), answer.listed));
  const audited = createAsking(context, (/** @type {Glitches} */ answer) => draw(sayGlitches(answer), answer.reported.filter(([, isUnused]) => isUnused).map(([token]) => token)));
  const node = element("div", { class: "unseen-tokens" }, choice.node, texts, says, list, learned.problem, audited.problem);
  const later = debounce(() => which === "own" && ask(), PAUSE_MS);

  function ask() {
    if (which === "gpt2") void audited.ask({ route: "glitches", text: "" });
    else void learned.ask({ route: "unseen", text: JSON.stringify([own.text(), other]) });
  }

  /** @param {string} value */
  function choose(value) {
    which = value;
    choice.show(which);
    texts.hidden = which === "gpt2";
    fill(says, "Counting …");
    fill(list);
    ask();
  }

  /** @param {string} said @param {string[]} tokens */
  function draw(said, tokens) {
    fill(says, said);
    fill(list, ...tokens.flatMap((token) => [element("code", {}, token), " "]));
  }

  return {
    node,
    value: () => (which === "gpt2" ? "gpt2" : `own;|${other}`),
    show(value) {
      const given = readValue(value);
      example = given.example || example;
      other = given.other || other;
      own.show(example);
      field.show(other);
      choose(value === "gpt2" ? "gpt2" : "own");
    },
    dispose() {
      later.cancel();
      for (const part of [own, learned, audited]) part.dispose();
    },
  };
}

/** Read `own;`, an example of the reader's own text with `\\n` for line ends, `|`, and the other text. @param {string} value */
export function readValue(value) {
  const [, example = "", other = ""] = /^own;([^|]*)\|(.*)$/su.exec(value) ?? [];
  return { example: example.replaceAll("\\n", "\n"), other };
}

/** @param {Unseen} answer */
export function sayUnseen({ learned, unseen }) {
  if (!learned) return "Type a text in which some pair of letters stands twice.";
  const rest = unseen > 0 ? " These are the longest of them:" : "";
  return `${plural(learned, "token")} learned; ${number(unseen)} of them never stand in the other text.${rest}`;
}

/** @param {Glitches} answer */
export function sayGlitches({ tokens, unused }) {
  return `Of GPT-2’s ${number(tokens)} tokens, Python’s documentation never uses ${number(unused)}. Among them are these of the report, and also an everyday word: that a token is unused in one text proves nothing yet.`;
}
