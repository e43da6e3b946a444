/**
 * The most frequent characters and words of the reader's text, and how many occur only once.
 */

import { element, fill, number, plural } from "../../shared/dom/elements.js";
import { barsOf } from "../bars.js";
import { createOwnFigure } from "../ownfigure.js";

/** @typedef {{all: number, different: number, once: number, most: [text: string, count: number][]}} Frequent */

/** @param {import("../figures.js").Context} context @returns {import("../figures.js").Figure} */
export function create(context) {
  const sides = element("div", { class: "two" });
  return createOwnFigure(context, {
    route: "frequencies",
    parts: [sides],
    draw: ({ characters, words }) => fill(sides, sideOf("character", characters), sideOf("word", words)),
  });
}

/** @param {string} one @param {Frequent} frequent */
function sideOf(one, { all, different, once, most }) {
  return element(
    "section",
    { "aria-label": `${one}s` },
    element("h3", {}, `${plural(all, one)}, ${number(different)} different`),
    element("dl", { class: "measures-bars" }, ...barsOf(most.map(([name, value]) => ({ name, value })))),
    element("p", { class: "quiet" }, `${number(once)} of the ${number(different)} stand here only once.`),
  );
}
