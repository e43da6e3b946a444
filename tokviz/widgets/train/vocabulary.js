/**
 * The vocabulary of a tokenizer as a table, which can be searched and sorted; a selected token shows its merge tree.
 */

import { button, element, fill, menu, number } from "../shared/dom/elements.js";
import { sentenceOf } from "../shared/net/client.js";
import { readEscapes } from "../shared/text/escapes.js";
import { drawTree } from "../token_view/tree.js";
import { FoundRows } from "./foundrows.js";

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

export class Vocabulary {
  #client;
  #name = "";
  #by = "text";
  #order = "rank";
  #show = "all";
  #kind = "";
  #kinds = menu("Script", [["", ANY_KIND]], "", (value) => ((this.#kind = value), void this.#found.ask()));
  #found = new FoundRows("tokens", (from, signal) => this.#find(from, signal));
  #search = element("input", { type: "search", class: "mono", "aria-label": "Search the vocabulary", maxlength: 1000, input: () => this.#found.askLater() });
  #tree = element("div", { class: "tree-pane" });
  #sides = element("div", { class: "sides" });

  /** @param {import("../shared/net/client.js").Client} client */
  constructor(client) {
    this.#client = client;
    const by = menu("Search by", SEARCHES, this.#by, (value) => this.#searchBy(value));
    const order = menu("Sort by", ORDERS, this.#order, (value) => ((this.#order = value), void this.#found.ask()));
    const filter = menu("Show", FILTERS, this.#show, (value) => ((this.#show = value), void this.#found.ask()));
    const head = element("thead", {}, element("tr", {}, ...HEADS.map((each) => element("th", { scope: "col" }, each))));
    const table = element("div", { class: "rows", tabindex: 0, role: "group", "aria-label": "The vocabulary" }, element("table", {}, head, this.#found.body));
    this.#sides.append(table, this.#tree);
    this.node = element(
      "section",
      { class: "vocabulary", "aria-label": "Vocabulary", hidden: true },
      element("h3", {}, "Its vocabulary"),
      element("div", { class: "row" }, this.#search, by.node, order.node, filter.node, this.#kinds.node, this.#found.says),
      this.#sides,
      element("div", { class: "foot" }, this.#found.more),
    );
    this.#searchBy(this.#by);
  }

  /** @param {string} name of the tokenizer */
  async show(name) {
    if (name !== this.#name) this.#kind = "";
    this.#name = name;
    this.node.hidden = false;
    this.#fillTree();
    await this.#found.ask();
  }

  hide() {
    this.node.hidden = true;
    this.#found.end();
  }

  dispose() {
    this.#found.end();
  }

  /** @param {string} by */
  #searchBy(by) {
    this.#by = by;
    this.#search.placeholder = PLACEHOLDERS[by];
    if (this.#name && this.#search.value) void this.#found.ask();
  }

  /** @param {number} from @param {AbortSignal} signal */
  async #find(from, signal) {
    const { by, query } = searchOf(this.#by, this.#search.value);
    const how = { tokenizer: this.#name, by, order: this.#order, show: this.#show, kind: this.#kind, from };
    const { rows, found, all, kinds } = await this.#client.json("trained/vocabulary", how, query, signal);
    this.#offer(kinds);
    return { lines: rows.map((/** @type {any} */ row) => this.#line(row)), found, all };
  }

  /** Offer the kinds of tokens that the vocabulary has. @param {string[]} kinds */
  #offer(kinds) {
    const { select } = this.#kinds;
    if (select.options.length === kinds.length + 1 && kinds.every((kind, at) => select.options[at + 1].value === kind)) return;
    fill(select, ...["", ...kinds].map((kind) => element("option", { value: kind }, kind || ANY_KIND)));
    select.value = this.#kind;
  }

  /** @param {any} row */
  #line({ id, merge, token, parts, bytes, times, count, tied }) {
    const cell = (/** @type {number | null} */ value) => element("td", { class: "n" }, value === null ? "" : number(value));
    const name = button(token || "(no bytes)", () => void this.#showTree(id), { class: "token mono" });
    return element("tr", {}, cell(merge), element("th", { scope: "row" }, name), element("td", { class: "mono" }, parts.join(" + ")), cell(bytes), cell(times), cell(count), cell(tied), element("td", { class: "n" }, String(id)));
  }

  /** @param {number} id */
  async #showTree(id) {
    try {
      const token = await this.#client.token(this.#name, id);
      const alone = token.alone.map((/** @type {any} */ { text, hex }) => text ?? hex).join(" + ");
      const says = token.rank === null ? "Not merged." : alone ? `No merge makes it by itself: its symbols merge to ${alone}.` : `How merge ${number(token.rank + 1)} came about:`;
      this.#fillTree(element("p", { class: "quiet" }, says), drawTree(token.tree));
      this.#tree.scrollIntoView({ block: "nearest" });
    } catch (error) {
      this.#fillTree(element("p", { class: "problem" }, sentenceOf(error)));
    }
  }

  /** @param {...HTMLElement} nodes what is beside the table, if anything */
  #fillTree(...nodes) {
    fill(this.#tree, ...nodes);
    this.#sides.classList.toggle("with-tree", nodes.length > 0);
  }
}
