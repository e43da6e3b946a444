/**
 * The result of a training by another library: a text that can be tried, with byte fallback on and off; how well it
 * compresses; what each option did; and code points first or bytes first, computed on the text it learned from.
 */

import { debounce, element, fill, headOf, number, plural, rowOf, toggle, wide } from "../shared/dom/elements.js";
import { problemOf } from "../shared/net/client.js";
import { withSigns } from "../shared/text/invisibles.js";
import { makeTokenization } from "../shared/text/tokenization.js";
import { createTextBox } from "../shared/ui/textbox.js";
import { DetailedView } from "../tokens/details.js";
import { sayFirstSymbols, sayKinds, sayLeftOut, sayLineBreaks, sayRare, sayRead, sayToggle } from "./enginewording.js";
import { comparison, measuredRows } from "./result.js";
import { sayMeasured } from "./wording.js";

const MAX_TRIED = 1000;
const MAX_PIECES = 200;
const READ_AFTER_MS = 150;
/** What is tried where neither the training nor the reader gives a text. */
const EXAMPLE = "naïve café, 東京 🍕";

export class EngineResult {
  #client;
  #name = "";
  /** @type {{text: string, ways: import("./enginewording.js").Way[]} | null} */
  #read = null;
  #reading = new AbortController();
  #readLater = debounce(() => void this.#ask(), READ_AFTER_MS);
  #tried = "";
  #total;
  #rare = element("p", { class: "quiet" });
  #box = createTextBox({ "aria-label": "Text to try it on", rows: 2 }, (typed) => ((this.#tried = typed), this.#readLater.later()), MAX_TRIED);
  #fallback = toggle("Byte fallback", false, () => this.#showRead());
  #about = element("p", { class: "quiet about-toggle" });
  #pane = element("div");
  #view;
  #pieces = element("p", { class: "cuts mono pieces", "aria-label": "Its pieces" });
  #says = element("p", { class: "quiet reading", role: "status" });
  #facts = element("div", { class: "facts" });

  /** @param {import("../shared/net/client.js").Client} client @param {HTMLElement} total shows how many tokens there are */
  constructor(client, total) {
    this.#client = client;
    this.#total = total;
    this.#view = new DetailedView(this.#pane, client, "Tokens of the text to try");
    const row = element("div", { class: "row" }, this.#fallback.node, this.#about);
    this.node = element(
      "div",
      { class: "result engine", hidden: true },
      this.#rare,
      element("h3", {}, "Try it on a text"),
      this.#box.node,
      this.#box.note,
      row,
      this.#pane,
      this.#pieces,
      this.#says,
      this.#facts,
    );
    this.below = element("div", { class: "engine-tables", hidden: true });
  }

  /** The text that is tried. */
  get tried() {
    return this.#tried;
  }

  /** @param {string} name @param {any} found the server's answer @param {string} text of the reader, if the training's is not known */
  async show(name, found, text) {
    const { algorithm, training, kinds, ids, measured_on: measuredOn } = found;
    const leftOut = training && sayLeftOut([training.learned, training.measured].flatMap(([own]) => own ?? []), training.effects);
    this.#name = name;
    this.#tried = training?.snippet || [...text].slice(0, 60).join("") || EXAMPLE;
    this.#box.show(this.#tried);
    this.#read = null;
    fill(this.#total, ...(training ? [element("b", { class: "large" }, number(training.tokens)), ` tokens, from ${plural(training.learned[0].bytes, "byte")}`] : []));
    fill(this.#rare, training && sayRare(training, algorithm === "wordpiece"));
    fill(
      this.#facts,
      element("p", { class: "size" }, sayKinds(kinds, ids, training?.asked)),
      training && comparison(measuredRows(training.learned, training.measured, measuredOn)),
      leftOut && element("p", { class: "quiet" }, leftOut),
      sayMeasured(measuredOn, training?.measured ?? []) && element("p", { class: "quiet" }, sayMeasured(measuredOn, training?.measured ?? [])),
      training && element("p", { class: "quiet" }, `${number(training.used)} of its ${number(ids)} pieces are used to encode the text it learned from.`),
    );
    fill(this.below, training && effectsTable(training.effects), training?.first_symbols && firstSymbolsTable(training.first_symbols));
    this.node.hidden = false;
    this.below.hidden = !training;
    await this.#ask(true);
  }

  hide() {
    this.#readLater.cancel();
    this.#reading.abort();
    this.node.hidden = this.below.hidden = true;
  }

  dispose() {
    this.#readLater.cancel();
    this.#reading.abort();
    this.#view.dispose();
  }

  /** Ask how the text is cut. @param {boolean} isNew whether the tokenizer is new, and the switch shows its own way */
  async #ask(isNew = false) {
    this.#reading.abort();
    const { signal } = (this.#reading = new AbortController());
    try {
      const read = await this.#client.json("trained/read", { tokenizer: this.#name }, this.#tried, signal);
      if (signal.aborted) return;
      this.#read = read;
      if (isNew) this.#fallback.input.checked = read.ways[0].fallback;
      this.#showRead();
    } catch (error) {
      if (!signal.aborted) fill(this.#says, problemOf(error));
    }
  }

  #showRead() {
    if (!this.#read) return;
    const { text, ways } = this.#read;
    const [own, other] = ways;
    const way = other && this.#fallback.input.checked !== own.fallback ? other : own;
    /** @type {HTMLElement} */ (this.#fallback.node.parentElement).hidden = !other;
    fill(this.#about, sayToggle(own, way));
    const columns = { ids: Int32Array.from(way.ids), byte_lengths: Int32Array.from(way.lengths), special: new Uint8Array(way.ids.length), meta: { tokenizer: this.#name } };
    this.#pane.hidden = !text || !way.ids.length;
    if (!this.#pane.hidden) this.#view.show(makeTokenization(text, columns), {});
    const kindOf = (/** @type {number} */ i) => (way.unknown[i] ? "unknown" : way.bytes[i] ? "byte" : "");
    const more = way.pieces.length > MAX_PIECES && `and ${number(way.pieces.length - MAX_PIECES)} more`;
    fill(this.#pieces, ...way.pieces.slice(0, MAX_PIECES).map((piece, i) => element("span", { class: kindOf(i) }, piece)), more);
    fill(this.#says, text ? sayRead(way, text) : "Type a text to see how it is cut.");
  }
}

/** Maximum rare characters in the table. */
const MAX_RARE = 8;

/** Values of switches, as the form shows them. @type {Record<string, string>} */
const SWITCHED = { True: "on", False: "off", None: "as lowercase" };

/** @param {{option: string, value: string, says: string}[]} effects */
function effectsTable(effects) {
  const rows = effects.map(({ option, value, says }) => rowOf(`${option}: ${SWITCHED[value] ?? value}`, says));
  return section("effects", "What each option did", element("table", {}, headOf(["option", "on the text it learned from"]), element("tbody", {}, ...rows)));
}

/**
 * @param {object} compared the three ways to begin
 * @param {{title: string, tokens: number, unknown: number, parts: number, lossless: boolean}[]} compared.ways
 * @param {{character: string, times: number, spelled: string[][]}[]} compared.rare
 * @param {number | null} compared.vocab_size of all three vocabularies; null if the text is too short
 * @param {number} compared.characters that were compared
 * @param {number} compared.asked the vocabulary size of the recipe
 * @param {number} compared.least the least size that is worth comparing
 * @param {string} compared.problem
 */
function firstSymbolsTable({ ways, rare, vocab_size: size, characters, asked, least, problem }) {
  const title = "SentencePiece or tiktoken: code points first, or bytes first?";
  if (problem) return section("first-symbols", title, element("p", { class: "problem" }, `This can’t be computed on the text: ${problem}.`));
  const line = (/** @type {string} */ label, /** @type {(way: any) => string} */ cell) => rowOf(label, ...ways.map(cell));
  const rows = [
    size && line("tokens of the text", ({ tokens }) => number(tokens)),
    line("characters lost as <unk>", ({ unknown }) => number(unknown)),
    size && line("tokens that are a part of a character", ({ parts }) => number(parts)),
    line("decoding gives the text back", ({ lossless }) => (lossless ? "yes" : "no")),
    ...rare.slice(0, MAX_RARE).map(({ character, times, spelled }) =>
      element(
        "tr",
        { class: "rare" },
        element("th", { scope: "row" }, element("span", { class: "mono" }, withSigns(character)), element("small", {}, ` ${plural(times, "time")}`)),
        ...spelled.map((pieces) => element("td", { class: "mono" }, pieces.join(" · "))),
      ),
    ),
  ];
  const about = [...sayFirstSymbols(size, characters, asked, least), sayLineBreaks(rare)].filter(Boolean);
  const table = element("table", {}, headOf(["", ...ways.map((way) => way.title)]), element("tbody", {}, ...rows.filter((row) => row !== null)));
  return section("first-symbols", title, ...about.map((sentences) => element("p", { class: "quiet" }, sentences)), wide(title, table));
}

/** @param {string} name @param {string} title @param {...HTMLElement} parts */
const section = (name, title, ...parts) => element("section", { class: name, "aria-label": title }, element("h3", {}, title), ...parts);
