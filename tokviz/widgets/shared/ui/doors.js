/**
 * Ways on from a page, each with what it would show of the text; and which tokenizer to compare with.
 */

import { element, isForBrowser, plural } from "../dom/elements.js";

/** The tokenizer to compare with: GPT-2, or for GPT-2 itself, GPT-4's. @param {string} tokenizer @returns {[name: string, label: string]} */
export const otherThan = (tokenizer) => (tokenizer === "gpt2" ? ["cl100k_base", "GPT-4’s tokenizer"] : ["gpt2", "GPT-2"]);

/**
 * Say what a comparison would show.
 *
 * @param {string} label of the other tokenizer
 * @param {number} other its number of tokens
 * @param {number} own
 */
export function teaserOf(label, other, own) {
  if (other === own) return `${label} takes ${plural(other, "token")}, too. The same ones?`;
  return `${label} takes ${plural(other, "token")}. Where, and why?`;
}

/**
 * A link to another page. Where the app's navigation has one, that is followed instead, which keeps the page loaded.
 *
 * @param {string} page
 * @param {string} label
 * @param {Node} teaser
 */
export function door(page, label, teaser) {
  const follow = (/** @type {MouseEvent} */ event) => {
    const link = isForBrowser(event) ? null : document.querySelector(`[data-testid="stTopNavLink"][href$="/${page}"]`);
    if (!(link instanceof HTMLElement)) return;
    event.preventDefault();
    link.click();
  };
  return element("a", { class: "door", href: page, click: follow }, element("b", {}, `${label} →`), teaser);
}
