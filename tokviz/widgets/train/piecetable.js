/**
 * The vocabulary of a tokenizer of another library: its pieces, as the library spells them, by id, score, length or use.
 */

import { element, fill, number } from "../shared/dom/elements.js";
import { SearchTable } from "./searchtable.js";

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

export class PieceTable extends SearchTable {
  #client;
  #order = this.addMenu("Sort by", ORDERS);
  #about = element("p", { class: "quiet" });

  /** @param {import("../shared/net/client.js").Client} client */
  constructor(client) {
    super("pieces", "pieces", ["id", "piece", "kind", "score", "times used in its text"], { maxlength: 250, placeholder: "ing" });
    this.#client = client;
    this.node.firstElementChild?.after(this.#about);
  }

  /** @param {string} name of the tokenizer @param {{algorithm: string, scored: boolean, training: object | null}} result */
  show(name, { algorithm, scored, training }) {
    fill(this.#about, describe(algorithm, scored));
    this.#offerOrders({ score: scored, count: training !== null });
    this.offer(name);
  }

  /** Show only the columns that are known, and sort by no other. @param {{score: boolean, count: boolean}} known */
  #offerOrders({ score, count }) {
    const chosen = this.#order.value;
    const offered = ORDERS.filter(([value]) => (score || value !== "score") && (count || value !== "count"));
    fill(this.#order, ...offered.map(([value, label]) => element("option", { value }, label)));
    this.#order.value = offered.some(([value]) => value === chosen) ? chosen : "id";
    this.node.classList.toggle("unscored", !score);
    this.node.classList.toggle("uncounted", !count);
  }

  /** @param {number} from @param {AbortSignal} signal */
  async find(from, signal) {
    const how = { tokenizer: this.tokenizer, order: this.#order.value, from };
    const { rows, matches, all } = await this.#client.json("trained/pieces", how, this.search.value, signal);
    return { lines: rows.map(lineOf), matches, all };
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
