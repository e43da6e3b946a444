/**
 * The rows of a table that the server finds, part by part. Each question takes the place of the one before.
 */

import { button, debounce, element, fill, number } from "../shared/dom/elements.js";
import { sentenceOf } from "../shared/net/client.js";

const ASK_AFTER_MS = 200;

/**
 * @typedef {object} Part rows from a place on
 * @property {HTMLElement[]} lines
 * @property {number} found rows, of which these are some
 * @property {number} all rows that there are
 */

export class FoundRows {
  #unit;
  #find;
  #shown = 0;
  #asked = new AbortController();
  #later = debounce(() => void this.ask(), ASK_AFTER_MS);
  body = element("tbody");
  says = element("p", { class: "quiet", role: "status" });
  more = button("show more", () => void this.ask(this.#shown));

  /**
   * @param {string} unit what a row is of, in the plural
   * @param {(from: number, signal: AbortSignal) => Promise<Part>} find
   */
  constructor(unit, find) {
    this.#unit = unit;
    this.#find = find;
  }

  /** @param {number} [from] rows before it stay */
  async ask(from = 0) {
    this.#asked.abort();
    const { signal } = (this.#asked = new AbortController());
    try {
      const { lines, found, all } = await this.#find(from, signal);
      if (from) this.body.append(...lines);
      else fill(this.body, ...lines);
      this.#shown = from + lines.length;
      this.more.hidden = this.#shown >= found;
      fill(this.says, `${found === all ? number(all) : `${number(found)} of ${number(all)}`} ${this.#unit}`);
    } catch (error) {
      if (signal.aborted) return;
      fill(this.body); // the rows of the last search would seem to be found
      this.#shown = 0;
      this.more.hidden = true;
      fill(this.says, sentenceOf(error));
    }
  }

  /** Ask once nobody types any more. */
  askLater() {
    this.#later.later();
  }

  /** Ask no more, and wait for no answer. */
  end() {
    this.#later.cancel();
    this.#asked.abort();
  }
}
