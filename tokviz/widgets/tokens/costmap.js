/**
 * The map of a long text at its edge: where tokens are many for their characters, and a way to get there.
 */

import { debounce, element } from "../shared/dom/elements.js";
import { svg } from "../shared/dom/svg.js";

/** @typedef {Pick<import("../shared/text/tokenization.js").TokenizationModel, "text" | "n" | "starts">} Model */
/** @typedef {{start: number, length: number, tokens: number}} Line its start in the text, its characters with the line end, and its tokens */

/** Bands of the map at most, and tokens per character from which on each darker color begins. */
const MAX_BANDS = 240;
const LEVELS = [0.2, 0.3, 0.45, 0.7, 1.1];
/** Time without a key after which a text is mapped, and lines of a text of which one may be worth going to. */
const [AFTER_MS, MANY] = [600, 12];
/** Minimum length of a line whose cost means something, in UTF-16 units. */
const LEAST = 12;

/** The tokens of each line of a text. @param {Model} model @returns {Line[]} */
export function linesOf({ text, n, starts }) {
  /** @type {Line[]} */
  const lines = [];
  let token = 0;
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf("\n", start) + 1 || text.length;
    const first = token;
    while (token < n && starts[token] < end) token++;
    lines.push({ start, length: end - start, tokens: token - first });
    start = end;
  }
  return lines;
}

/** The line that has most tokens for its characters. @param {Line[]} lines @returns {{number: number, cost: number, start: number} | null} `number`: from 1 */
export function dearest(lines) {
  const costs = lines.map(({ length, tokens }) => (length < LEAST ? 0 : tokens / length));
  const most = costs.reduce((best, cost, k) => (cost > costs[best] ? k : best), 0);
  return costs[most] ? { number: most + 1, cost: costs[most], start: lines[most].start } : null;
}

/**
 * Levels of the bands of a map, from 0 for few tokens per character.
 *
 * @param {Line[]} lines @param {number} columns characters that a row has room for
 * @returns {number[]}
 */
export function levelsOf(lines, columns) {
  const heights = lines.map(({ length }) => Math.max(1, Math.ceil((length - 1) / columns)));
  const total = heights.reduce((sum, height) => sum + height, 0);
  const bands = Array.from({ length: Math.min(MAX_BANDS, total) }, () => ({ tokens: 0, length: 0 }));
  let row = 0;
  lines.forEach(({ tokens, length }, k) => {
    for (let part = 0; part < heights[k]; part++, row++) {
      const band = bands[Math.floor((row * bands.length) / total)];
      band.tokens += tokens / heights[k];
      band.length += length / heights[k];
    }
  });
  return bands.map(({ tokens, length }) => LEVELS.filter((least) => tokens / length >= least).length);
}

export class CostMap {
  #scroller;
  #drawing = svg("svg", { preserveAspectRatio: "none" });
  #window = element("i", {});
  #isDue = false;
  /** Pixels of the map for one of the text. */
  #scale = 0;

  #later = debounce(() => this.#update(), AFTER_MS);
  #model;
  #on;

  /**
   * @param {HTMLElement} scroller of the text
   * @param {() => Model | null} model of the text to map; null for none
   * @param {object} on
   * @param {() => void} on.lead the reader is about to scroll the text here
   * @param {(line: ReturnType<typeof dearest>) => void} on.mapped with the line that costs most; null if none is worth going to
   * @param {AbortSignal} signal
   */
  constructor(scroller, model, on, signal) {
    this.#scroller = scroller;
    this.#model = model;
    this.#on = on;
    const go = (/** @type {PointerEvent} */ event) => this.#go(event);
    this.node = element("div", {
      class: "map",
      hidden: true,
      "aria-hidden": "true", // a list of tokens, and a link to the dearest line, say the same
      title: "Dark: many tokens per character",
      pointerdown: (/** @type {PointerEvent} */ event) => {
        on.lead();
        this.node.setPointerCapture(event.pointerId);
        go(event);
      },
      pointermove: (/** @type {PointerEvent} */ event) => event.buttons && go(event),
    }, this.#drawing, this.#window);
    scroller.addEventListener("scroll", () => this.#showWindowSoon(), { signal, passive: true });
  }

  /** The text has changed, or how it is shown. */
  outdate() {
    this.#later.later();
  }

  #update() {
    const model = this.#model();
    const lines = model && linesOf(model);
    this.#show(lines);
    this.#on.mapped(lines && lines.length >= MANY ? dearest(lines) : null);
  }

  /** @param {Line[] | null} lines null for no map */
  #show(lines) {
    this.node.hidden = !lines;
    if (!lines) return;
    const columns = this.#scroller.clientWidth / (0.6 * parseFloat(getComputedStyle(this.#scroller).fontSize)) - 4;
    const levels = levelsOf(lines, Math.max(10, columns));
    this.#drawing.setAttribute("viewBox", `0 0 1 ${levels.length}`);
    const bandsAt = (/** @type {number} */ level) => levels.map((each, k) => (each === level ? `M0 ${k}H1v1.02H0Z` : "")).join("");
    this.#drawing.replaceChildren(...[...LEVELS, 0].map((_, level) => svg("path", { d: bandsAt(level), fill: `var(--ramp-${level})` })));
    const { clientHeight, scrollHeight } = this.#scroller;
    this.#scale = this.node.clientHeight / scrollHeight;
    this.#window.style.height = `${clientHeight * this.#scale}px`;
    this.#showWindow();
  }

  /** After the frame, when the page is laid out anyway. */
  #showWindowSoon() {
    if (this.#isDue || this.node.hidden) return;
    this.#isDue = true;
    requestAnimationFrame(() => setTimeout(() => this.#showWindow()));
  }

  #showWindow() {
    this.#isDue = false;
    if (this.node.hidden) return;
    this.#window.style.transform = `translateY(${(this.#scroller.scrollTop * this.#scale).toFixed(1)}px)`; // which lays out nothing
  }

  /** Scroll so that what is at the pointer stands in the middle. @param {PointerEvent} event */
  #go({ clientY }) {
    const { top, height } = this.node.getBoundingClientRect();
    const { scrollHeight, clientHeight } = this.#scroller;
    this.#scroller.scrollTop = ((clientY - top) / height) * scrollHeight - clientHeight / 2;
  }

  dispose() {
    this.#later.cancel();
  }
}
