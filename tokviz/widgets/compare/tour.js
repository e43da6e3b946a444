/**
 * Guided tour of the opening text: places that show how tokenizers differ, one after the other. A stop asks a question;
 * the card beneath it answers for the tokenizers on screen.
 */

import { button, element, fill } from "../shared/dom/elements.js";
import { placeOf } from "./model.js";

/** @typedef {import("./model.js").Comparison} Comparison */

/**
 * @typedef {object} Stop
 * @property {string} before text just before the place, to find it
 * @property {string} place text of the place
 * @property {string} title
 * @property {string} asks a question to think about before reading on
 */

/** @type {Stop[]} */
export const STOPS = [
  {
    before: "",
    place: "     hello",
    title: "Spaces in front of a word",
    asks: "Is a run of spaces one token, or is each space one?",
  },
  {
    before: "DON",
    place: "'T",
    title: "An apostrophe between capitals",
    asks: "Endings such as 's and 't are often cut off in one piece. Does that hold for capitals?",
  },
  {
    before: "IT'S",
    place: " 2026",
    title: "A year",
    asks: "Where would you cut four digits with a space in front?",
  },
  {
    before: "if ready",
    place: ":\n",
    title: "The end of a line of Python",
    asks: "Does a line end join the sign in front of it?",
  },
  {
    before: ":\n",
    place: "    print",
    title: "The indented line",
    asks: "Indentation is everywhere in code. What does it cost?",
  },
  {
    before: "\n123",
    place: "4567",
    title: "A long number",
    asks: "Into which groups do the digits of 1234567 fall?",
  },
  {
    before: "pizza",
    place: " 🍕",
    title: "An emoji",
    asks: "A pizza takes four bytes, and a space one more. Into how many tokens do they go?",
  },
  {
    before: "🍕 ",
    place: "你好",
    title: "Another script",
    asks: "Each of these two characters takes three bytes. Do they stay whole?",
  },
  {
    before: "supercalifragil",
    place: "isticexp",
    title: "A very long word",
    asks: "A long and rare word falls into pieces. Are they the same ones everywhere?",
  },
];

/**
 * Segment of a stop: the first difference in its place, or the first segment if all cut the place alike.
 *
 * @param {Comparison} comparison
 * @param {Stop} stop
 * @returns {number | null} null if the text has no such place
 */
export function segmentAt(comparison, { before, place }) {
  const found = comparison.text.indexOf(before + place);
  if (found < 0) return null;
  const from = found + before.length;
  const inPlace = (/** @type {number} */ segment) => {
    const [start, end] = placeOf(comparison, segment);
    return start < from + place.length && end > from;
  };
  const all = Array.from(comparison.isDiffering.keys());
  return comparison.differing.find(inPlace) ?? all.find(inPlace) ?? null;
}

export class Tour {
  /** @type {Comparison | null} */
  #comparison = null;
  /** Index of the current stop; -1 when no tour is running. */
  #at = -1;
  #text;
  #selection;

  #count = element("span", { class: "count" });
  #back = button("◀ back", () => this.step(-1), { title: "Key: P" });
  #next = button("", () => this.step(1), { title: "Key: N" });
  #title = element("h2");
  #asks = element("p", { class: "quiet" });

  /**
   * @param {import("./tourtext.js").TourText} text that it is of
   * @param {import("./selection.js").Selection} selection in which each stop is shown
   */
  constructor(text, selection) {
    this.#text = text;
    this.#selection = selection;
    /** The button that starts the tour. */
    this.start = button("guided tour", () => void text.prepare().then((isReady) => isReady && this.step(1)), {
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
      element("div", { role: "status" }, this.#title, this.#asks),
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
    this.#showStop();
    this.#text.arrive();
    this.#selection.follow();
    if (this.#at === 0) this.#next.focus({ preventScroll: true }); // the back button may have had focus and is now disabled
  }

  #end() {
    this.#leave();
    this.start.focus({ preventScroll: true });
  }

  #leave() {
    this.#at = -1;
    this.#toggle();
    this.#selection.clear();
    this.#text.end();
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
    if (segment !== null) this.#selection.reveal(segment);
  }
}
