/**
 * All terms of the field, with their meanings and examples.
 */

import { element } from "../shared/dom/elements.js";
import { exampleOf, GLOSSARY } from "../shared/text/glossary.js";

/** The name of the glossary in links, beside those of chapters. */
export const GLOSSARY_NAME = "glossary";

/** @param {string} course the page's address, "" in a file with the chapters */
export function createGlossary(course) {
  const entries = [...GLOSSARY.values()].flatMap((entry) => {
    const href = exampleOf(entry, course);
    const example = href && element("a", { href, "aria-label": `An example: ${entry.term}` }, "An example");
    return [element("dt", {}, entry.term), element("dd", {}, `${entry.means} `, example)];
  });
  return element("div", { class: "glossary" }, element("h1", { tabindex: -1 }, "Glossary"), element("p", { class: "lead" }, "The words of the field, each with an example to play with."), element("dl", {}, ...entries));
}
