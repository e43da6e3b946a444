/**
 * The same messages under another model: the template's share of the tokens apart from the words'.
 */

import { element, fill, headOf, menu, number, offer, plural, rounded, rowOf, wide } from "../shared/dom/elements.js";
import { sentenceOf } from "../shared/net/client.js";
import { Latest } from "../shared/net/latest.js";
import { followLink } from "../shared/net/links.js";
import { MADE, madeField, ownOf } from "../shared/net/madetokenizers.js";
import { Picker } from "../shared/ui/picker.js";
import { offersOf, USUAL } from "./offers.js";

/** @typedef {import("./conversation.js").Conversation} Conversation */
/** @typedef {{label: string, color: number, around: number, words: number, messages: Record<string, number>}} Side */
/** @typedef {[Side, Side]} Sides the chat as asked, and under the other model */

/** Messages that have a row of their own. */
const MAX_ROWS = 30;
/** The tokenizer that is compared with at first. */
const OTHER = "o200k_harmony";
const AROUND = "the template, with roles, tools and date";

/** @param {string} tokenizer */
const otherThan = (tokenizer) => (tokenizer === OTHER ? "qwen3" : OTHER);

/** @param {Side} side */
const totalOf = ({ around, words }) => around + words;

/** @param {number} one @param {number} other */
const differenceOf = (one, other) => (other === one ? "±0" : `${other > one ? "+" : "−"}${number(Math.abs(other - one))}`);

/**
 * The rows of the table: what the tokens are spent on, and how many they are on both sides.
 *
 * @param {Sides} sides
 * @param {string[]} roles of the messages
 * @returns {[name: string, ...cells: string[]][]}
 */
export function rowsOf(sides, roles) {
  const row = (/** @type {string} */ name, /** @type {number[]} */ [one, other]) => /** @type {[string, ...string[]]} */ ([name, number(one), number(other), differenceOf(one, other)]);
  const wordsOf = (/** @type {number} */ from, /** @type {number} */ to) =>
    sides.map(({ messages }) => Object.entries(messages).reduce((sum, [i, tokens]) => (Number(i) >= from && Number(i) < to ? sum + tokens : sum), 0));
  const shown = roles.slice(0, MAX_ROWS);
  const rest = roles.length - shown.length;
  return [
    row(AROUND, sides.map(({ around }) => around)),
    ...shown.map((role, i) => row(`message ${number(i + 1)}, ${role}`, wordsOf(i, i + 1))),
    ...(rest ? [row(`${plural(rest, "more message")}`, wordsOf(MAX_ROWS, roles.length))] : []),
    row("in all", sides.map(totalOf)),
  ];
}

/**
 * Say which side is cheaper, and whether the difference lies in the template or in the words.
 *
 * @param {Sides} sides
 * @param {[string, string]} names
 */
export function verdictOf(sides, names) {
  const [one, other] = sides.map(totalOf);
  const cheap = one <= other ? 0 : 1;
  const [less, more] = [sides[cheap], sides[1 - cheap]];
  const [around, words] = [more.around - less.around, more.words - less.words];
  const difference = around + words;
  if (!difference && !around) return `Both read this chat in ${plural(one, "token")}, ${number(less.around)} of them in the template.`;
  if (!difference) return `Both read this chat in ${plural(one, "token")}: what one saves in the template, it loses in the words.`;
  const start = `${names[cheap]} takes ${plural(difference, "fewer token")} (${rounded((100 * difference) / totalOf(more), 0)} %)`;
  if (!words) return `${start}, all of them in the template: the words take as many.`;
  if (!around) return `${start}, all of them in the words: the template takes as many.`;
  if (around > 0 && words > 0) return `${start}: ${number(around)} in the template, ${number(words)} in the words.`;
  return around > 0
    ? `${start}: its template saves ${number(around)}, the words cost ${number(-words)} more.`
    : `${start}: the words save ${number(words)}, its template costs ${number(-around)} more.`;
}

export class Against {
  #shell;
  #conversation;
  #on;
  #picker;
  #template;
  #asking;
  #problem = element("p", { class: "problem", role: "status" });
  #verdict = element("p", { class: "verdict", role: "status" });
  #bars = element("div", { class: "sides-bars", "aria-hidden": "true" });
  #table = element("table", {});
  #result;

  /**
   * @param {import("../shared/page/shell.js").PageShell} shell
   * @param {Conversation} conversation changed in place
   * @param {() => void} on called when another model is chosen
   */
  constructor(shell, conversation, on) {
    this.#shell = shell;
    this.#conversation = conversation;
    this.#on = on;
    this.#picker = new Picker((name) => this.#choose(name), "Other tokenizer", "other-tokenizer", "Choose a model");
    this.#template = menu("its template", [], "", (by) => this.#change({ by }));
    const key = element("p", { class: "quiet" }, element("i", { class: "around" }), "the template ", element("i", { class: "words" }), "the words");
    this.#result = element("div", { hidden: true }, this.#verdict, this.#bars, key, wide("Tokens under both models", this.#table));
    const choice = element("div", { class: "row" }, this.#picker.node, this.#template.node);
    const summary = element("summary", {}, "Compare with another model");
    this.node = element("details", { class: "against", toggle: () => this.#toggled() }, summary, choice, element("div", { class: "picker-notes" }, ...this.#picker.notes), this.#problem, this.#result);
    this.#asking = shell.own(new Latest(
      (/** @type {{text: string, query: Record<string, string>}} */ { text, query }, signal) => shell.client.json("chat/compare", query, text, signal),
      { refusal: (sentence) => this.#refuse(sentence) },
    ));
    this.update();
  }

  /** Show what is chosen. */
  update() {
    const { against, by } = this.#conversation;
    this.node.open = against !== "";
    this.#picker.update(this.#shell.data.tokenizers, against);
    offer(this.#template.select, offersOf(this.#shell.data, against).templates, by);
  }

  /** Compare the conversation, unless it is not wanted. @param {string} text the body of its request */
  async ask(text) {
    const { tokenizer, against, by, messages } = this.#conversation;
    if (!against) return;
    const answer = await this.#asking.ask({ text, query: { tokenizer, against, by } });
    if (answer) this.#show(answer.sides, messages.map(({ role }) => role));
  }

  #toggled() {
    const { tokenizer, against } = this.#conversation;
    if (this.node.open === (against !== "")) return;
    if (this.node.open) this.#choose(otherThan(tokenizer));
    else this.#change({ against: "", by: "" });
  }

  /** @param {string} against */
  #choose(against) {
    this.#change({ against, by: offersOf(this.#shell.data).templateOf[against] ?? USUAL });
    this.update();
  }

  /** @param {Partial<Conversation>} change */
  #change(change) {
    Object.assign(this.#conversation, change);
    this.#on();
  }

  /** @param {string} sentence */
  #refuse(sentence) {
    fill(this.#problem, `${this.#templateTitles()[1]}: ${sentence}`);
    this.#result.hidden = true;
  }

  /** Templates of both sides, with their names for people. */
  #templateTitles() {
    const { template, by } = this.#conversation;
    const titles = new Map(offersOf(this.#shell.data).templates);
    return [template, by].map((name) => /** @type {string} */ (titles.get(name) ?? "a template of your own"));
  }

  /** @param {Sides} sides @param {string[]} roles */
  #show(sides, roles) {
    fill(this.#problem);
    this.#result.hidden = false;
    const isOne = this.#conversation.tokenizer === this.#conversation.against;
    const names = isOne ? this.#templateTitles() : sides.map(({ label }) => label);
    fill(this.#verdict, verdictOf(sides, /** @type {[string, string]} */ (names)));
    const longest = Math.max(...sides.map(totalOf), 1);
    fill(this.#bars, ...sides.flatMap((side, i) => [element("span", {}, names[i]), barOf(side, longest)]));
    fill(this.#table, headOf(["tokens of", ...names, "difference"]), element("tbody", {}, ...rowsOf(sides, roles).map(([name, ...cells]) => rowOf(name, ...cells))));
  }

  /** Take the words to the Compare page. */
  async follow() {
    const { messages, tokenizer, against } = this.#conversation;
    const names = [tokenizer, against && against !== tokenizer ? against : otherThan(tokenizer)];
    const fields = { compare: names.join(","), view: "place", [MADE]: madeField(ownOf(names, this.#shell.data.tokenizers)) };
    const words = messages.map(({ content }) => content).filter(Boolean).join("\n\n");
    await followLink(new URL("compare", document.baseURI).href, fields, words).catch((error) => this.#shell.report(sentenceOf(error)));
  }
}

/** @param {Side} side @param {number} longest tokens of the longer bar */
function barOf({ around, words, color }, longest) {
  const bar = element("span", { class: `own-${color}` });
  for (const [kind, tokens] of /** @type {[string, number][]} */ ([["around", around], ["words", words]])) {
    const part = element("i", { class: kind }, tokens / longest > 0.06 ? number(tokens) : "");
    part.style.width = `${(100 * tokens) / longest}%`;
    bar.append(part);
  }
  return bar;
}
