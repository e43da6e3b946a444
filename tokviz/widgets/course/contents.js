/**
 * The contents of the course: its chapters, and beside them the lesson for a class.
 */

import { element } from "../shared/dom/elements.js";
import { GLOSSARY_NAME } from "./glossarypage.js";

/** @typedef {{name: string, title: string, lead: string}} Listed */

/**
 * @param {Listed[]} chapters
 * @param {object} how
 * @param {(chapter: string) => boolean} how.isRead
 * @param {(chapter: string) => string} how.address
 * @param {(event: MouseEvent, chapter: string) => void} how.open
 */
export function createContents(chapters, { isRead, address, open }) {
  const next = chapters.find(({ name }) => !isRead(name));
  const rows = chapters.map(({ name, title, lead }) => {
    const state = isRead(name) ? "read" : name === next?.name ? (name === chapters[0].name ? "begin here" : "go on here") : "";
    const link = element("a", { href: address(name), click: (/** @type {MouseEvent} */ event) => open(event, name) }, title);
    return element("li", { class: state.replaceAll(" ", "-") }, element("h2", {}, link, state && element("span", { class: "state quiet" }, state)), element("p", {}, lead));
  });
  return element(
    "div",
    { class: "contents" },
    element("h1", {}, "How a computer reads: a course on tokenizers"),
    element("p", { class: "lead" }, "Short chapters to read alone, five minutes each. Every figure is computed while you look, from what you type into it."),
    element(
      "div",
      { class: "beside" },
      element("ol", { class: "chapters" }, ...rows),
      element(
        "aside",
        { "aria-label": "Besides" },
        element("h2", {}, "The words"),
        element("a", { class: "door", href: address(GLOSSARY_NAME), click: (/** @type {MouseEvent} */ event) => open(event, GLOSSARY_NAME) }, element("b", {}, "Glossary →"), "Every term in a sentence, with an example."),
        element("h2", {}, "For a class"),
        element("a", { class: "door", href: "lesson" }, element("b", {}, "The lesson →"), "45 minutes with questions to vote on: on a projector, on phones, or on paper."),
      ),
    ),
  );
}
