/**
 * The glossary of the terms that the player uses.
 */

import { element } from "../../shared/dom/elements.js";
import { meaningOf } from "../../shared/text/glossary.js";

const TERMS = ["symbol", "pair", "merge", "rank", "pre-token", "tie", "vocabulary"];

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
