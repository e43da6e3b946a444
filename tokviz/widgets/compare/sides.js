/**
 * The text once per tokenizer, side by side, colored by token. The columns scroll together, and the segment pointed at
 * in one column is highlighted in all.
 */

import { element, fill } from "../shared/dom/elements.js";
import { TokenView } from "../token_view/view.js";
import { segmentOf, tokensIn } from "./model.js";

/** @typedef {import("./model.js").Comparison} Comparison */
/** @typedef {import("../token_view/view.js").TokenView} View */

/**
 * @param {object} on
 * @param {(segment: number | null) => void} on.point
 * @param {(segment: number) => void} on.select
 */
export function createSides(on) {
  /** @type {Comparison | null} */
  let comparison = null;
  /** @type {View[]} */
  let views = [];
  let names = "";
  const node = element("div", { class: "sides" });

  /** @param {Comparison} shown @param {string} lang */
  function show(shown, lang) {
    comparison = shown;
    if (names !== shown.names.join()) makeViews(shown.names);
    views.forEach((view, t) => view.show(shown.models[t], { marks: true, lang }));
  }

  /** @param {string[]} newNames */
  function makeViews(newNames) {
    for (const view of views) view.dispose();
    names = newNames.join();
    const panes = newNames.map((name) => element("div", { class: "side" }, element("h3", {}, name)));
    fill(node, ...panes);
    views = panes.map((pane, t) =>
      new TokenView(
        pane,
        {
          onPoint: (i) => pointChanged(t, i),
          onSelect: (i) => i !== null && comparison && on.select(segmentOf(comparison, t, i)),
        },
        `${newNames[t]} tokens of the text`,
      ),
    );
    for (const view of views) view.node.addEventListener("scroll", () => syncScroll(view));
  }

  /** @param {number} t @param {number | null} i */
  function pointChanged(t, i) {
    if (!comparison) return;
    const segment = i === null ? null : segmentOf(comparison, t, i);
    highlight(segment);
    on.point(segment);
  }

  /** @param {number | null} segment */
  function highlight(segment) {
    views.forEach((view, t) => view.highlightRange(segment === null || !comparison ? [0, 0] : tokensIn(comparison, t, segment)));
  }

  /**
   * Scroll all columns alike. They have the same text and width, so equal fractions are equal positions.
   *
   * @param {View} moved
   */
  function syncScroll({ node: { scrollTop, scrollHeight, clientHeight } }) {
    const fraction = scrollTop / Math.max(1, scrollHeight - clientHeight);
    for (const { node: other } of views) {
      const top = fraction * Math.max(0, other.scrollHeight - other.clientHeight);
      if (Math.abs(other.scrollTop - top) > 1) other.scrollTop = top;
    }
  }

  return {
    node,
    show,
    /** @param {number} segment */
    scrollTo(segment) {
      const shown = comparison;
      if (shown) views.forEach((view, t) => view.scrollTo(tokensIn(shown, t, segment)[0]));
      highlight(segment); // after the views have drawn it
    },
    dispose() {
      for (const view of views) view.dispose();
      views = [];
      names = "";
    },
  };
}
