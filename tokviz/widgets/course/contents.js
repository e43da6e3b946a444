/**
 * The contents of the course: its chapters, and beside them the lesson for a class.
 */

import { element, withTerms } from "../shared/dom/elements.js";
import { browserStorage } from "../shared/dom/storage.js";
import { GLOSSARY_NAME } from "./glossarypage.js";

/** The chapters that were read to their end. Only this browser knows. @param {string} base the app's root, which keeps two apps on one host apart */
export function createProgress(base) {
  const key = `tokviz:${base}:read`;
  /** @returns {string[]} */
  const all = () => {
    const stored = browserStorage.readJson(key);
    return Array.isArray(stored) ? stored.filter((name) => typeof name === "string") : [];
  };
  return {
    /** @param {string} chapter */
    isRead: (chapter) => all().includes(chapter),
    /** @param {string} chapter */
    read: (chapter) => browserStorage.write(key, JSON.stringify([...new Set([...all(), chapter])])),
  };
}

/** @typedef {{name: string, title: string, lead: string}} Listed */

const LEAD =
  "What a *tokenizer* does with a text: from *code points* and *bytes*, by *pairs* and *merges*, to the *tokens* of *byte pair encoding*. " +
  "Short chapters to read alone, five minutes each.";
const LIVE = "Every figure is computed while you look, from what you type into it.";
const PACKED = "This file has the figures of the chapters’ own texts. For a text of yours, open the course on its site.";

/**
 * @param {Listed[]} chapters
 * @param {string} teachers the page for teachers
 * @param {object} how
 * @param {(chapter: string) => boolean} how.isRead
 * @param {() => boolean} how.hasPages
 * @param {(chapter: string) => string} how.address
 * @param {(event: MouseEvent, chapter: string) => void} how.open
 */
export function createContents(chapters, teachers, { isRead, hasPages, address, open }) {
  const next = chapters.find(({ name }) => !isRead(name));
  const rows = chapters.map(({ name, title, lead }) => {
    const state = isRead(name) ? "read" : name === next?.name ? (name === chapters[0].name ? "begin here" : "go on here") : "";
    const link = element("a", { href: address(name), click: (/** @type {MouseEvent} */ event) => open(event, name) }, title);
    return element("li", { class: state.replaceAll(" ", "-") }, element("h2", {}, link, state && element("span", { class: "state quiet" }, state)), element("p", {}, lead));
  });
  const door = (/** @type {string} */ name, /** @type {string} */ title, /** @type {string} */ teaser) =>
    element("a", { class: "door", href: address(name), click: (/** @type {MouseEvent} */ event) => open(event, name) }, element("b", {}, `${title} →`), teaser);
  return element(
    "div",
    { class: "contents" },
    element("h1", {}, "How a computer reads: a course on tokenizers"),
    element("p", { class: "lead" }, ...withTerms(`${LEAD} ${hasPages() ? LIVE : PACKED}`)),
    element(
      "div",
      { class: "beside" },
      element("ol", { class: "chapters" }, ...rows),
      element(
        "aside",
        { "aria-label": "Besides" },
        element("h2", {}, "The words"),
        door(GLOSSARY_NAME, "Glossary", "Every term in a sentence, with an example."),
        hasPages() && element("h2", {}, "For a class"),
        hasPages() && element("a", { class: "door", href: "lesson" }, element("b", {}, "The lesson →"), "45 minutes with questions to vote on: on a projector, on phones, or on paper."),
        hasPages() && door(teachers, "Other courses", "What goes with CS336, Hugging Face’s course and minbpe, and their own results."),
      ),
    ),
  );
}
