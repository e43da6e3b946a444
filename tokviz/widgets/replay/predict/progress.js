/**
 * How far a reader who plays the tokenizer has come: a dot for each merge, filled where the first guess was right, and the
 * score.
 */

import { element, fill, number } from "../../shared/dom/elements.js";

/** Maximum merges that have dots. */
const MAX_DOTS = 40;

export class Progress {
  /** Whether the first guess was right, by step. @type {Map<number, boolean>} */
  #marks = new Map();
  #dots = element("span", { class: "dots", "aria-hidden": "true" });
  #score = element("span", { class: "score", role: "status" });
  /** @type {HTMLElement[]} */
  nodes = [this.#dots, this.#score];

  /** Note a guess, or with false also an answer that was shown; only the first of a step counts. @param {number} step @param {boolean} isRight */
  mark(step, isRight) {
    if (!this.#marks.has(step)) this.#marks.set(step, isRight);
  }

  /** @param {number} k the position shown @param {number} steps @param {string} [end] what is said of the text before the score, after the last merge */
  show(k, steps, end = "") {
    const stateOf = (/** @type {number} */ step) => (this.#marks.has(step) ? (this.#marks.get(step) ? "right" : "wrong") : step === k ? "at" : null);
    fill(this.#dots, ...Array.from({ length: steps <= MAX_DOTS ? steps : 0 }, (_, step) => element("i", { class: stateOf(step) })));
    const right = [...this.#marks.values()].filter(Boolean).length;
    const score = this.#marks.size ? `${number(right)} of ${number(this.#marks.size)} right` : "";
    fill(this.#score, [end, score].filter(Boolean).join(", "));
  }

  reset() {
    this.#marks.clear();
  }
}
