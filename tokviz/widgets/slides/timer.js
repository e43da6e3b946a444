/**
 * The time that a step has taken, beside the time that is planned for it.
 */

import { element, fill } from "../shared/dom/elements.js";
import { filled } from "../room/text.js";
import { sayTime } from "./places.js";

const TICK_MS = 1000;

export class Timer {
  node = element("span", { class: "timer", role: "timer" });
  #text;
  #planned = 0;
  /** When the step began, in ms of the clock. */
  #started = 0;
  #ticking = setInterval(() => this.#show(), TICK_MS);

  /** @param {string} text with `{passed}` and `{planned}` */
  constructor(text) {
    this.#text = text;
  }

  /** @param {number} started ms of the clock, as `Date.now()` @param {number} planned minutes; 0 if none are */
  start(started, planned) {
    this.#started = started;
    this.#planned = planned;
    this.#show();
  }

  #show() {
    if (!this.#started) return;
    const passed = Date.now() - this.#started;
    fill(this.node, this.#planned ? filled(this.#text, { passed: sayTime(passed), planned: this.#planned }) : sayTime(passed));
    this.node.classList.toggle("over", this.#planned > 0 && passed > this.#planned * 60_000);
  }

  dispose() {
    clearInterval(this.#ticking);
  }
}
