/**
 * The work of applying GPT-2's merges to the reader's text, by three ways: how many pairs each looks at.
 */

import { element, fill, number, plural } from "../../shared/dom/elements.js";
import { barsOf } from "../bars.js";
import { createOwnFigure } from "../ownfigure.js";

/** @typedef {{all_merges: number, lowest_first: number, new_neighbors: number, bytes: number, cut: boolean, tokens: number}} Cost */

/** @param {import("../figures.js").Context} context @returns {import("../figures.js").Figure} */
export function create(context) {
  const bars = element("dl", { class: "measures-bars" });
  const title = element("p", { class: "quiet" }, "Pairs that are looked at, word by word, until all merges are done:");
  const says = element("p", { class: "says" });
  return createOwnFigure(context, {
    route: "cost",
    parts: [title, bars, says],
    draw(/** @type {Cost} */ cost) {
      fill(bars, ...barsOf([
        { name: "merge after merge", value: cost.all_merges },
        { name: "look at all pairs after each merge", value: cost.lowest_first },
        { name: "look only at the new pairs", value: cost.new_neighbors },
      ]));
      fill(says, sayCost(cost));
    },
  });
}

/** @param {Cost} cost */
export function sayCost({ all_merges, new_neighbors, bytes, cut, tokens }) {
  const text = `${cut ? "The first " : ""}${plural(bytes, "byte")}, ${plural(tokens, "token")}.`;
  if (!new_neighbors) return `${text} No two neighbors, no work.`;
  return `${text} The first way looks at ${number(Math.round(all_merges / new_neighbors))} times as many pairs as the last.`;
}
