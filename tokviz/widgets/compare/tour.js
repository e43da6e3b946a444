/**
 * Guided tour of the opening text, one stop after the other.
 */

import { button, element, fill } from "../shared/dom/elements.js";
import { outcome, segmentAt, STOPS } from "./stops.js";

/** @typedef {import("./model.js").Comparison} Comparison */

/**
 * @typedef {object} TourListeners
 * @property {() => Promise<boolean>} prepare show the opening text; resolves to false if that fails
 * @property {(segment: number) => void} stop called at each stop, and when the comparison at a stop changes
 * @property {() => void} arrive called when the reader moves to a stop
 * @property {() => void} end
 */

export class Tour {
  /** @type {Comparison | null} */
  #comparison = null;
  /** Index of the current stop; -1 when no tour is running. */
  #at = -1;
  #on;

  #count = element("span", { class: "count" });
  #back = button("◀ back", () => this.step(-1), { title: "Key: P" });
  #next = button("", () => this.step(1), { title: "Key: N" });
  #title = element("h2");
  #asks = element("p", { class: "quiet" });
  #says = element("p");

  /** @param {TourListeners} on */
  constructor(on) {
    this.#on = on;
    /** The button that starts the tour. */
    this.start = button("guided tour", () => void this.#begin(), {
      title: "Places in the example text where tokenizers may differ, one after the other",
    });
    const close = button("×", () => this.#end(), { "aria-label": "End the tour", title: "Key: Escape" });
    /** The current stop; hidden while no tour is running. @type {HTMLElement} */
    this.node = element(
      "section",
      {
        class: "tour",
        "aria-label": "Guided tour",
        hidden: true,
        keydown: (/** @type {KeyboardEvent} */ event) => event.key === "Escape" && !event.defaultPrevented && this.#end(),
      },
      element("div", { class: "row" }, this.#back, this.#count, this.#next, close),
      element("div", { role: "status" }, this.#title, this.#asks, this.#says),
    );
  }

  get isOn() {
    return this.#at >= 0;
  }

  /** @param {Comparison} comparison the one on screen; the tour ends if its text is gone */
  show(comparison) {
    this.#comparison = comparison;
    if (!this.isOn) return;
    if (STOPS.some((stop) => segmentAt(comparison, stop) !== null)) this.#showStop();
    else this.#leave();
  }

  /** @param {1 | -1} by */
  step(by) {
    if (this.#at + by >= STOPS.length) return this.#end();
    this.#at = Math.max(0, this.#at + by);
    this.#arrive();
    if (this.#at === 0) this.#next.focus({ preventScroll: true }); // the back button may have had focus and is now disabled
  }

  async #begin() {
    if (!(await this.#on.prepare())) return;
    this.#at = 0;
    this.#arrive();
    this.#next.focus({ preventScroll: true });
  }

  #arrive() {
    this.#showStop();
    this.#on.arrive();
  }

  #end() {
    this.#leave();
    this.start.focus({ preventScroll: true });
  }

  #leave() {
    this.#at = -1;
    this.#toggle();
    this.#on.end();
  }

  /** Show the tour while it is running, and else the button that starts it. */
  #toggle() {
    this.node.hidden = !this.isOn;
    this.start.hidden = this.isOn;
  }

  #showStop() {
    this.#toggle();
    const stop = STOPS[this.#at];
    this.#back.disabled = this.#at === 0;
    this.#next.textContent = this.#at === STOPS.length - 1 ? "end" : "next stop ▶";
    fill(this.#count, `${this.#at + 1} of ${STOPS.length}`);
    fill(this.#title, stop.title);
    fill(this.#asks, stop.asks);
    const segment = this.#comparison && segmentAt(this.#comparison, stop);
    fill(this.#says, this.#comparison && segment !== null && outcome(this.#comparison, segment));
    if (segment !== null) this.#on.stop(segment);
  }
}
