/**
 * The text once for each tokenizer, side by side, colored by its tokens. The columns scroll together, and what is pointed
 * at in one is lit in all.
 */

import { element, fill } from "../shared/elements.js";
import { createTokenView } from "../tokens/view.js";
import { segmentOf, tokensIn } from "./model.js";

/** @typedef {import("./model.js").Comparison} Comparison */
/** @typedef {ReturnType<typeof createTokenView>} View */

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
      createTokenView(
        pane,
        { onPoint: (i) => pointed(t, i), onSelect: (i) => i !== null && comparison && on.select(segmentOf(comparison, t, i)) },
        `${newNames[t]} tokens of the text`,
      ),
    );
    for (const view of views) view.node.addEventListener("scroll", () => scrolled(view));
  }

  /** @param {number} t @param {number | null} i */
  function pointed(t, i) {
    if (!comparison) return;
    const segment = i === null ? null : segmentOf(comparison, t, i);
    light(segment);
    on.point(segment);
  }

  /** @param {number | null} segment */
  function light(segment) {
    views.forEach((view, t) => view.highlightRange(segment === null || !comparison ? [0, 0] : tokensIn(comparison, t, segment)));
  }

  /** The same text in the same width: the same share of the way is the same place. @param {View} moved */
  function scrolled({ node: { scrollTop, scrollHeight, clientHeight } }) {
    const share = scrollTop / Math.max(1, scrollHeight - clientHeight);
    for (const { node: other } of views) {
      const top = share * Math.max(0, other.scrollHeight - other.clientHeight);
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
      light(segment); // once it is drawn
    },
    dispose() {
      for (const view of views) view.dispose();
      views = [];
      names = "";
    },
  };
}
