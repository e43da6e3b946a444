/**
 * The vocabulary of a tokenizer of another library: its pieces, as the library spells them, by id, score, length or use.
 */

import { element, fill, menu, number } from "../shared/dom/elements.js";
import { FoundRows } from "./foundrows.js";

/** @typedef {{id: number, piece: string, kind: string, score: number | null, times: number | null}} Row */

/** @type {[string, string][]} */
const ORDERS = [
  ["id", "id"],
  ["score", "score"],
  ["length", "length"],
  ["count", "times used"],
];
/** How the pieces are used. @param {string} algorithm @param {boolean} isScored @returns {string} */
function describe(algorithm, isScored) {
  if (algorithm === "unigram") return "A piece’s score is the logarithm of its probability. Of all ways to cut a text into pieces, the one with the highest total score is taken.";
  if (algorithm === "wordpiece") return "At each place in a word, the longest piece that fits is taken. The pieces have no scores.";
  if (algorithm === "bpe" && isScored) return "Of all pairs of neighbors in a text, the one whose joint piece has the highest score is joined first: it was learned earliest.";
  return "";
}

export class PieceTable {
  #client;
  #name = "";
  #order = menu("Sort by", ORDERS, "id", () => void this.#found.ask());
  #found = new FoundRows("pieces", (from, signal) => this.#find(from, signal));
  #search = element("input", { type: "search", class: "mono", placeholder: "ing", "aria-label": "Search the pieces", maxlength: 250, input: () => this.#found.askLater() });
  #about = element("p", { class: "quiet" });

  /** @param {import("../shared/net/client.js").Client} client */
  constructor(client) {
    this.#client = client;
    const heads = ["id", "piece", "kind", "score", "times used in its text"];
    const head = element("thead", {}, element("tr", {}, ...heads.map((each) => element("th", { scope: "col" }, each))));
    this.node = element(
      "section",
      { class: "vocabulary pieces", "aria-label": "Pieces", hidden: true },
      element("h3", {}, "Its pieces"),
      this.#about,
      element("div", { class: "row" }, this.#search, this.#order.node, this.#found.says),
      element("div", { class: "rows", tabindex: 0, role: "group", "aria-label": "The pieces" }, element("table", {}, head, this.#found.body)),
      element("div", { class: "foot" }, this.#found.more),
    );
  }

  /** @param {string} name of the tokenizer @param {{algorithm: string, scored: boolean, training: object | null}} found */
  async show(name, { algorithm, scored, training }) {
    this.#name = name;
    this.node.hidden = false;
    fill(this.#about, describe(algorithm, scored));
    this.#offerOrders({ score: scored, count: training !== null });
    await this.#found.ask();
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
    this.#found.end();
  }

  dispose() {
    this.#found.end();
  }

  /** @param {number} from @param {AbortSignal} signal */
  async #find(from, signal) {
    const how = { tokenizer: this.#name, order: this.#order.select.value, from };
    const { rows, found, all } = await this.#client.json("trained/pieces", how, this.#search.value, signal);
    return { lines: rows.map(lineOf), found, all };
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
