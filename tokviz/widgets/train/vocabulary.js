/**
 * The vocabulary of a tokenizer as a table, which can be searched and sorted; a selected token shows its merge tree.
 */

import { button, element, fill, number } from "../shared/dom/elements.js";
import { sentenceOf } from "../shared/net/client.js";
import { readEscapes } from "../shared/text/escapes.js";
import { drawTree } from "../token_view/tree.js";
import { SearchTable } from "./searchtable.js";

/** @type {[string, string][]} */
const SEARCHES = [
  ["text", "text"],
  ["escapes", "text with \\n, \\u00e9"],
  ["regex", "regular expression"],
  ["hex", "bytes in hex"],
  ["id", "id"],
];
/** @type {[string, string][]} */
const ORDERS = [
  ["rank", "merge"],
  ["length", "length"],
  ["count", "times used"],
  ["id", "id"],
];
/** @type {[string, string][]} */
const FILTERS = [
  ["all", "all tokens"],
  ["unused", "not used in its text"],
  ["glitches", "candidates for glitches"],
  ["across words", "across words"],
  ["in context", "only in longer texts"],
  ["unreachable", "never reached"],
  ["undecided", "reach undecided"],
];
const ANY_KIND = "any script";
const PLACEHOLDERS = /** @type {Record<string, string>} */ ({ text: "th", escapes: "\\n\\n", regex: "^ ?[A-Z]", hex: "e4 bd", id: "256" });
const HEADS = ["merge", "token", "joins", "bytes", "times used in its text", "times its pair occurred", "other pairs as frequent", "id"];

/** What is sent for a search as typed. @param {string} by @param {string} typed */
export const searchOf = (by, typed) => (by === "escapes" ? { by: "text", query: readEscapes(typed).text } : { by, query: typed });

export class Vocabulary extends SearchTable {
  #client;
  #by = this.addMenu("Search by", SEARCHES);
  #order = this.addMenu("Sort by", ORDERS);
  #show = this.addMenu("Show", FILTERS);
  #kind = this.addMenu("Script", [["", ANY_KIND]]);
  #tree = element("div", { class: "tree-pane" });
  #sides = element("div", { class: "sides" });
  /** Id of the token whose tree was asked for last. */
  #chosen = 0;

  /** @param {import("../shared/net/client.js").Client} client */
  constructor(client) {
    super("vocabulary", "tokens", HEADS, { maxlength: 1000, placeholder: PLACEHOLDERS.text });
    this.#client = client;
    this.rows.before(this.#sides);
    this.#sides.append(this.rows, this.#tree);
    this.#by.addEventListener("change", () => (this.search.placeholder = PLACEHOLDERS[this.#by.value]));
  }

  /** @param {string} name of the tokenizer */
  show(name) {
    if (name !== this.tokenizer) this.#kind.value = "";
    this.#fillTree();
    this.offer(name);
  }

  /** @param {number} from @param {AbortSignal} signal */
  async find(from, signal) {
    const { by, query } = searchOf(this.#by.value, this.search.value);
    const how = { tokenizer: this.tokenizer, by, order: this.#order.value, show: this.#show.value, kind: this.#kind.value, from };
    const { rows, matches, all, kinds } = await this.#client.json("trained/vocabulary", how, query, signal);
    this.#offer(kinds);
    return { lines: rows.map((/** @type {any} */ row) => this.#line(row)), matches, all };
  }

  /** Offer the kinds of tokens that the vocabulary has. @param {string[]} kinds */
  #offer(kinds) {
    const { options, value } = this.#kind;
    if (options.length === kinds.length + 1 && kinds.every((kind, at) => options[at + 1].value === kind)) return;
    fill(this.#kind, ...["", ...kinds].map((kind) => element("option", { value: kind }, kind || ANY_KIND)));
    this.#kind.value = value;
  }

  /** @param {any} row */
  #line({ id, merge, token, parts, bytes, times, count, tied }) {
    const cell = (/** @type {number | null} */ value) => element("td", { class: "n" }, value === null ? "" : number(value));
    const name = button(token || "(no bytes)", () => void this.#showTree(id), { class: "token mono" });
    return element("tr", {}, cell(merge), element("th", { scope: "row" }, name), element("td", { class: "mono" }, parts.join(" + ")), cell(bytes), cell(times), cell(count), cell(tied), element("td", { class: "n" }, String(id)));
  }

  /** @param {number} id */
  async #showTree(id) {
    this.#chosen = id;
    const { tokenizer } = this;
    const isLate = () => id !== this.#chosen || tokenizer !== this.tokenizer;
    try {
      const token = await this.#client.token(tokenizer, id);
      if (isLate()) return;
      const alone = token.alone.map((/** @type {any} */ { text, hex }) => text ?? hex).join(" + ");
      const says = token.rank === null ? "Not merged." : alone ? `No merge makes it by itself: its symbols merge to ${alone}.` : `How merge ${number(token.rank + 1)} came about:`;
      this.#fillTree(element("p", { class: "quiet" }, says), drawTree(token.tree));
      this.#tree.scrollIntoView({ block: "nearest" });
    } catch (error) {
      if (!isLate()) this.#fillTree(element("p", { class: "problem" }, sentenceOf(error)));
    }
  }

  /** @param {...HTMLElement} nodes what is beside the table, if anything */
  #fillTree(...nodes) {
    fill(this.#tree, ...nodes);
    this.#sides.classList.toggle("with-tree", nodes.length > 0);
  }
}
