/**
 * A table of rows that the server finds, part by part, with a search. Each question takes the place of the one before.
 */

import { button, debounce, element, fill, headOf, menu, number } from "../shared/dom/elements.js";
import { problemOf } from "../shared/net/client.js";

const ASK_AFTER_MS = 200;

/**
 * @typedef {object} Part rows from a place on
 * @property {HTMLElement[]} lines
 * @property {number} matches rows that the search found, of which these are some
 * @property {number} all rows of the table
 */

export class SearchTable {
  /** Name of the tokenizer whose rows they are. */
  tokenizer = "";
  /** Whether the rows are of an earlier tokenizer, or none. */
  #isOld = true;
  #unit;
  #shown = 0;
  #asked = new AbortController();
  #later = debounce(() => void this.ask(), ASK_AFTER_MS);
  #body = element("tbody");
  #says = element("p", { class: "quiet", role: "status" });
  #more = button("show more", () => void this.ask(this.#shown));
  #controls;

  /**
   * @param {string} name what the table holds, as in "Search the pieces"
   * @param {string} unit what a row is of, in the plural
   * @param {string[]} heads
   * @param {Record<string, any>} search properties of the field
   */
  constructor(name, unit, heads, search) {
    this.#unit = unit;
    this.search = element("input", { type: "search", class: "mono", "aria-label": `Search the ${name}`, ...search, input: () => this.#later.later() });
    this.#controls = element("div", { class: "row" }, this.search, this.#says);
    const label = name[0].toUpperCase() + name.slice(1);
    this.rows = element("div", { class: "rows", tabindex: 0, role: "group", "aria-label": `The ${name}` }, element("table", {}, headOf(heads), this.#body));
    this.node = element(
      "details",
      { class: `vocabulary ${name}`, role: "region", "aria-label": label, hidden: true, toggle: () => this.#open() },
      element("summary", {}, `Its ${name}`),
      this.#controls,
      this.rows,
      element("div", { class: "foot" }, this.#more),
    );
  }

  /** Offer another tokenizer's rows, which are found once somebody looks at them. @param {string} name */
  offer(name) {
    this.tokenizer = name;
    this.node.hidden = false;
    this.#isOld = true;
    this.#open();
  }

  #open() {
    if (!this.node.open || !this.#isOld) return;
    this.#isOld = false;
    void this.ask();
  }

  /** Find rows: each table in its way. @param {number} _from @param {AbortSignal} _signal @returns {Promise<Part>} */
  find(_from, _signal) {
    throw new Error("each table finds its own rows");
  }

  /** Add a menu, beside the search, of which each choice asks anew. @param {string} label @param {[string, string][]} choices @returns {HTMLSelectElement} */
  addMenu(label, choices) {
    const { node, select } = menu(label, choices, choices[0][0], () => void this.ask());
    this.#says.before(node);
    return select;
  }

  /** @param {number} [from] rows before it stay */
  async ask(from = 0) {
    this.#asked.abort();
    const { signal } = (this.#asked = new AbortController());
    try {
      const { lines, matches, all } = await this.find(from, signal);
      if (from) this.#body.append(...lines);
      else fill(this.#body, ...lines);
      this.#shown = from + lines.length;
      this.#more.hidden = this.#shown >= matches;
      fill(this.#says, `${matches === all ? number(all) : `${number(matches)} of ${number(all)}`} ${this.#unit}`);
    } catch (error) {
      if (signal.aborted) return;
      fill(this.#body); // the rows of the last search would seem to be found
      this.#shown = 0;
      this.#more.hidden = true;
      fill(this.#says, problemOf(error));
    }
  }

  hide() {
    this.node.hidden = true;
    this.dispose();
  }

  /** Ask no more, and wait for no answer. */
  dispose() {
    this.#later.cancel();
    this.#asked.abort();
  }
}
