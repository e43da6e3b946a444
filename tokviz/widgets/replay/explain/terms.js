/**
 * Legend of the stage's borders, and a glossary.
 */

import { element } from "../../shared/dom/elements.js";
import { meaningOf } from "../../shared/text/glossary.js";

/** The terms that the player uses. */
const TERMS = ["symbol", "pair", "merge", "rank", "pre-token", "tie", "vocabulary"];

/** Create the legend of the borders on the stage, and of a tower's numbers and tints. */
export function createLegend() {
  const sign = (/** @type {string} */ role, /** @type {string} */ means) =>
    element("span", {}, element("i", { class: `sign ${role}` }), means);
  return element(
    "p",
    { class: "signs" },
    sign("next", "joined next"),
    sign("new", "just joined"),
    sign("made", "joined before"),
    element("span", { class: "of-tower numbers-key" }, "number in a block: its merge; at the end, ids stand beneath"),
    element("span", { class: "of-tower" }, "tints mean nothing: they tell blocks apart"),
  );
}

/** Create the glossary, which is collapsed at first. */
export function createTerms() {
  const entries = TERMS.flatMap((term) => [element("dt", {}, term), element("dd", {}, meaningOf(term))]);
  return element(
    "details",
    { class: "terms" },
    element("summary", {}, "What do the words mean?"),
    element("dl", {}, ...entries),
  );
}
