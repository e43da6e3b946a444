/**
 * The vocabulary of a tokenizer of another library: its pieces, as the library spells them, by id, score, length or use.
 */

import { button, debounce, element, fill, menu, number } from "../shared/dom/elements.js";
import { sentenceOf } from "../shared/net/client.js";

/** @typedef {{id: number, piece: string, kind: string, score: number | null, times: number | null}} Row */

const ASK_AFTER_MS = 200;
/** @type {[string, string][]} */
const ORDERS = [
  ["id", "id"],
  ["score", "score"],
  ["length", "length"],
  ["count", "times used"],
];
/** How the pieces are used. @param {string} algorithm @param {boolean} isScored @returns {string} */
function describe(algorithm, isScored) {
  if (algorithm === "unigram") return "A piece’s score is the logarithm of its probability. A text is cut so that the scores add up to the most.";
  if (algorithm === "wordpiece") return "At each place in a word, the longest piece that fits is taken. The pieces have no scores.";
  if (algorithm === "bpe" && isScored) return "Of all pairs of neighbors in a text, the one whose joint piece has the highest score is joined first: it was learned earliest.";
  return "";
}

export class PieceTable {
  #client;
  #name = "";
  #order = menu("Sort by", ORDERS, "id", () => void this.#ask(0));
  #rows = 0;
  #asked = new AbortController();
  #later = debounce(() => void this.#ask(0), ASK_AFTER_MS);
  #search = element("input", { type: "search", class: "mono", placeholder: "ing", "aria-label": "Search the pieces", maxlength: 250, input: () => this.#later.later() });
  #about = element("p", { class: "quiet" });
  #says = element("p", { class: "quiet", role: "status" });
  #body = element("tbody");
  #more = button("show more", () => void this.#ask(this.#rows));

  /** @param {Pick<import("../shared/net/client.js").Client, "pieces">} client */
  constructor(client) {
    this.#client = client;
    const heads = ["id", "piece", "kind", "score", "times used in its text"];
    const head = element("thead", {}, element("tr", {}, ...heads.map((each) => element("th", { scope: "col" }, each))));
    this.node = element(
      "section",
      { class: "vocabulary pieces", "aria-label": "Pieces", hidden: true },
      element("h3", {}, "Its pieces"),
      this.#about,
      element("div", { class: "row" }, this.#search, this.#order.node, this.#says),
      element("div", { class: "rows", tabindex: 0, role: "group", "aria-label": "The pieces" }, element("table", {}, head, this.#body)),
      element("div", { class: "foot" }, this.#more),
    );
  }

  /** @param {string} name of the tokenizer @param {{algorithm: string, scored: boolean, training: object | null}} found */
  async show(name, { algorithm, scored, training }) {
    this.#name = name;
    this.node.hidden = false;
    fill(this.#about, describe(algorithm, scored));
    this.#offerOrders({ score: scored, count: training !== null });
    await this.#ask(0);
  }

  /** Show only the columns that are known, and sort by no other. @param {{score: boolean, count: boolean}} known */
  #offerOrders({ score, count }) {
    const { select } = this.#order;
    const offered = ORDERS.filter(([value]) => (score || value !== "score") && (count || value !== "count"));
    const chosen = offered.some(([value]) => value === select.value) ? select.value : "id";
    fill(select, ...offered.map(([value, label]) => element("option", { value }, label)));
    select.value = chosen;
    this.node.classList.toggle("unscored", !score);
    this.node.classList.toggle("uncounted", !count);
  }

  hide() {
    this.node.hidden = true;
    this.#asked.abort();
  }

  dispose() {
    this.#later.cancel();
    this.#asked.abort();
  }

  /** @param {number} from */
  async #ask(from) {
    this.#asked.abort();
    const { signal } = (this.#asked = new AbortController());
    try {
      const { rows, found, all } = await this.#client.pieces(this.#name, { order: this.#order.select.value, from }, this.#search.value, signal);
      const lines = rows.map((/** @type {Row} */ row) => lineOf(row));
      if (from) this.#body.append(...lines);
      else fill(this.#body, ...lines);
      this.#rows = from + rows.length;
      this.#more.hidden = this.#rows >= found;
      fill(this.#says, found === all ? `${number(all)} pieces` : `${number(found)} of ${number(all)} pieces`);
    } catch (error) {
      if (signal.aborted) return;
      fill(this.#body); // the rows of the last search would seem to be found
      this.#rows = 0;
      this.#more.hidden = true;
      fill(this.#says, sentenceOf(error));
    }
  }
}

/** @param {Row} row */
function lineOf({ id, piece, kind, score, times }) {
  const cell = (/** @type {string} */ text) => element("td", { class: "n" }, text);
  const isScored = score !== null && kind !== "special" && kind !== "unknown" && kind !== "byte";
  const scored = !isScored ? "" : Number.isInteger(score) ? String(score) : score.toFixed(3);
  const name = element("th", { scope: "row", class: "mono" }, piece);
  return element("tr", {}, cell(String(id)), name, element("td", {}, kind), cell(scored), cell(times === null ? "" : number(times)));
}
