/**
 * Tokens that are never seen: learned from the reader's text, counted in another; and those in well-known vocabularies.
 */

import { debounce, disposeOf, element, fill, headOf, number, rowOf, wide } from "../../shared/dom/elements.js";
import { createSegments } from "../../shared/ui/segments.js";
import { createAsking } from "../asking.js";
import { createField } from "../field.js";
import { createOwnText } from "../owntext.js";

/** @typedef {{says: string, listed: string[]}} Unseen */
/** @typedef {{name: string, tokens: number, never: number, example: string, why: string, unused: number}} Glitched as in `trouble.py` */
/** @typedef {{says: string, rows: Glitched[], reported: string[]}} Glitches */

const PAUSE_MS = 200;
const HEADS = ["tokenizer", "in no text", "such as", "in some text, but not in Python’s documentation", "all its tokens"];

/** @param {import("../figures.js").Context} context @returns {import("../figures.js").Figure} */
export function create(context) {
  let which = "own";
  let example = "";
  let other = "";
  const choice = createSegments("Whose tokens", [["own", "learned from your text"], ["gpt2", "well-known ones"]], which, (value) => (choose(value), context.changed()));
  const own = createOwnText(context, () => later.later());
  const field = createField({ label: "Counted in another text", most: 2_000, kind: "mono full-field", lines: 3 }, (typed) => ((other = typed), later.later(), context.changed()));
  const texts = element("div", { class: "unseen-texts" }, element("label", {}, element("span", { class: "quiet" }, "Tokens are learned from"), own.node), element("label", {}, element("span", { class: "quiet" }, "and counted in"), field.node));
  const says = element("p", { class: "says", role: "status" });
  const list = element("p", { class: "token-list" });
  const table = element("table", { class: "no-text-table" });
  const box = wide("Tokens that nobody meets", table);
  const learned = createAsking(context, (/** @type {Unseen} */ answer) => draw(answer.says, answer.listed));
  const audited = createAsking(context, (/** @type {Glitches} */ answer) => {
    fill(table, element("caption", { class: "unseen" }, "Tokens that nobody meets"), headOf(HEADS), element("tbody", {}, ...answer.rows.map(tableRow)));
    box.hidden = false;
    draw(answer.says, answer.reported);
  });
  const node = element("div", { class: "unseen-tokens" }, choice.node, texts, box, says, list, learned.problem, audited.problem);
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
    box.hidden = true;
    for (const each of [learned, audited]) each.drop();
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
    dispose: disposeOf(later, own, learned, audited),
  };
}

/** Read `own;`, an example of the reader's own text with `\\n` for line ends, `|`, and the other text. @param {string} value */
export function readValue(value) {
  const [, example = "", other = ""] = /^own;([^|]*)\|(.*)$/su.exec(value) ?? [];
  return { example: example.replaceAll("\\n", "\n"), other };
}

/** @param {Glitched} row */
function tableRow({ name, tokens, never, example, why, unused }) {
  const [inNoText, inNone, all] = [never, unused, tokens].map((count) => element("td", { class: "number" }, number(count)));
  return rowOf(name, inNoText, element("td", {}, element("code", {}, example), `: ${why}`), inNone, all);
}
