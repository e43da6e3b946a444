/**
 * The notice about a text with curly quotes, with a button that makes them straight.
 */

import { button, element, fill, plural } from "../dom/elements.js";
import { QUOTES } from "../text/invisibles.js";

export class QuoteNotice {
  node = element("div", { class: "notice", role: "status" });
  #straighten;
  #shown = 0;

  /** @param {() => void} straighten */
  constructor(straighten) {
    this.#straighten = straighten;
  }

  /** @param {string} source */
  show(source) {
    const quotes = countCurly(source);
    if (quotes === this.#shown) return;
    this.#shown = quotes;
    const says = `${plural(quotes, "curly quote")}: to a tokenizer, don’t and don't are different texts.`;
    fill(this.node, ...(quotes ? [element("span", {}, says), button("Make straight", this.#straighten)] : []));
  }
}

const CURLY_QUOTES = new RegExp(`[${QUOTES}]`, "g");
const CURLY_SINGLE = /[‘’‚‛]/;

/** @param {string} text */
export const countCurly = (text) => text.match(CURLY_QUOTES)?.length ?? 0;

/** The text with straight quotes, of the same length. @param {string} text */
export function straightened(text) {
  return text.replace(CURLY_QUOTES, (quote) => (CURLY_SINGLE.test(quote) ? "'" : '"'));
}
