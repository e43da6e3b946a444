/**
 * Legend of the stage's borders, and a glossary.
 */

import { element } from "../../shared/dom/elements.js";

/** @type {[string, string][]} */
const TERMS = [
  ["symbol", "What is joined: at first a single byte (or a character), later a token."],
  ["pair", "Two symbols side by side, with no cut between them. t + h is a pair; once joined, it is the token th."],
  ["merge", "A rule that joins one pair into one new token, wherever the pair stands."],
  ["rank", "The place of a merge in the order in which merges were learned. Of the pairs in a text, the one learned earliest is joined."],
  ["pre-token", "A piece that the text is cut into before any merge, such as a word with the space before it."],
  ["tie", "Several pairs are equally frequent. A rule has to choose, and another rule gives another tokenizer."],
  [
    "vocabulary",
    "All tokens of a tokenizer: the alphabet, what merges make of it, and tokens put in by hand, such as special ones.",
  ],
];

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
    element("span", { class: "of-tower numbers-key" }, "number in a block: merge; under it: id"),
    element("span", { class: "of-tower" }, "tints only tell neighbors apart"),
  );
}

/** Create the glossary, which is collapsed at first. */
export function createTerms() {
  const entries = TERMS.flatMap(([term, means]) => [element("dt", {}, term), element("dd", {}, means)]);
  return element(
    "details",
    { class: "terms" },
    element("summary", {}, "What do the words mean?"),
    element("dl", {}, ...entries),
  );
}
