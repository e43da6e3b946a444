/**
 * A number whose digits roll to those of the next one.
 */

import { element } from "../shared/dom/elements.js";

const DIGIT = /\d/;

export class RollingNumber {
  #text = "";
  /** The signs from the right, so that ones roll to ones. @type {HTMLElement[]} */
  #signs = [];

  /** @param {HTMLElement} node that holds the number */
  constructor(node = element("span")) {
    this.node = node;
    node.classList.add("rolling");
  }

  /** Write a number at once. @param {string} text */
  write(text) {
    if (text === this.#text && !this.#signs.length) return;
    this.#text = text;
    this.#signs = [];
    this.node.textContent = text;
  }

  /** Roll to a number. @param {string} text */
  roll(text) {
    if (text === this.#text && this.#signs.length) return;
    if (!this.#signs.length) this.node.textContent = "";
    this.#text = text;
    const signs = Array.from(text).reverse();
    while (this.#signs.length > signs.length) this.#signs.pop()?.remove();
    for (const [place, sign] of signs.entries()) {
      this.#signs[place] ??= this.#add();
      const shown = this.#signs[place];
      if (shown.textContent === sign) continue;
      shown.textContent = sign;
      shown.classList.toggle("digit", DIGIT.test(sign));
      shown.style.setProperty("--digit", sign);
    }
  }

  #add() {
    const sign = element("span", {});
    this.node.prepend(sign);
    return sign;
  }
}
