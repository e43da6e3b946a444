/**
 * The glossary of the terms that the player uses.
 */

import { element, fill } from "../../shared/dom/elements.js";

const TERMS = ["symbol", "pair", "merge", "rank", "pre-token", "tie", "vocabulary"];

/** Create the glossary, which is collapsed at first. */
export function createTerms() {
  const list = element("dl");
  const show = async () => {
    const { meaningOf } = await import("../../shared/text/glossary.js");
    fill(list, ...TERMS.flatMap((term) => [element("dt", {}, term), element("dd", {}, meaningOf(term))]));
  };
  return element("details", { class: "terms", toggle: () => void show() }, element("summary", {}, "What do the words mean?"), list);
}
