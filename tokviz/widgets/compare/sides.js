/**
 * The text once per tokenizer, side by side, colored by token where the tokenizers differ and faint where they all cut
 * alike. The columns scroll together, and the segment pointed at in one column is highlighted in all.
 */

import { element, fill } from "../shared/dom/elements.js";
import { TokenView } from "../token_view/view.js";
import { segmentOf, tokensIn } from "./model.js";

/** @typedef {import("./model.js").Comparison} Comparison */
/**
 * @typedef {object} SidesListeners
 * @property {(segment: number | null) => void} point
 * @property {(segment: number) => void} select
 */

export class Sides {
  /** @type {Comparison | null} */
  #comparison = null;
  /** One for each tokenizer. @type {TokenView[]} */
  #views = [];
  /** The tokenizers of these views. */
  #names = "";
  #on;
  /** @type {HTMLElement} */
  node = element("div", { class: "sides" });

  /** @param {SidesListeners} on */
  constructor(on) {
    this.#on = on;
  }

  /** @param {Comparison} comparison @param {string} lang language of the text; "" if unknown */
  show(comparison, lang) {
    this.#comparison = comparison;
    if (this.#names !== comparison.names.join()) this.#createViews(comparison.names);
    this.#views.forEach((view, t) => {
      const differs = (/** @type {number} */ i) => comparison.isDiffering[segmentOf(comparison, t, i)] === 1;
      view.show(comparison.models[t], { marks: true, lang, differs });
    });
  }

  /** @param {number} segment */
  scrollTo(segment) {
    const comparison = this.#comparison;
    if (comparison) this.#views.forEach((view, t) => view.scrollTo(tokensIn(comparison, t, segment)[0]));
    this.#highlight(segment); // after the views have drawn it
  }

  /** The scrolling elements, one for each tokenizer. */
  get views() {
    return this.#views.map(({ node }) => node);
  }

  /** Dispose of the views, until a comparison is shown again. */
  dispose() {
    for (const view of this.#views) view.dispose();
    this.#views = [];
    this.#names = "";
  }

  /** @param {string[]} names */
  #createViews(names) {
    for (const view of this.#views) view.dispose();
    this.#names = names.join();
    const panes = names.map((name) => element("div", { class: "side" }, element("h2", {}, name)));
    fill(this.node, ...panes);
    this.#views = panes.map((pane, t) => {
      const handlers = {
        onPoint: (/** @type {number | null} */ i) => this.#point(t, i),
        onSelect: (/** @type {number | null} */ i) => this.#select(t, i),
      };
      return new TokenView(pane, handlers, `${names[t]} tokens of the text`);
    });
    for (const view of this.#views) view.node.addEventListener("scroll", () => this.#syncScroll(view));
  }

  /** @param {number} t @param {number | null} i */
  #point(t, i) {
    if (!this.#comparison) return;
    const segment = i === null ? null : segmentOf(this.#comparison, t, i);
    this.#highlight(segment);
    this.#on.point(segment);
  }

  /** @param {number} t @param {number | null} i */
  #select(t, i) {
    if (i !== null && this.#comparison) this.#on.select(segmentOf(this.#comparison, t, i));
  }

  /** @param {number | null} segment */
  #highlight(segment) {
    const comparison = this.#comparison;
    this.#views.forEach((view, t) => {
      view.highlightId(null); // the same place in all columns, not the same token elsewhere
      view.highlightRange(segment === null || !comparison ? [0, 0] : tokensIn(comparison, t, segment));
    });
  }

  /**
   * Scroll all columns alike. They have the same text and width, so equal fractions are equal positions.
   *
   * @param {TokenView} moved
   */
  #syncScroll({ node: { scrollTop, scrollHeight, clientHeight } }) {
    const fraction = scrollTop / Math.max(1, scrollHeight - clientHeight);
    for (const { node } of this.#views) {
      const top = fraction * Math.max(0, node.scrollHeight - node.clientHeight);
      if (Math.abs(node.scrollTop - top) > 1) node.scrollTop = top;
    }
  }
}
