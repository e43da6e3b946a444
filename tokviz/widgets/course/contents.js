/**
 * The contents of the course: its chapters, and beside them the lesson for a class.
 */

import { element, withTerms } from "../shared/dom/elements.js";
import { browserStorage } from "../shared/dom/storage.js";
import { door, waysOn } from "../shared/ui/doors.js";
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
 * @param {(event: MouseEvent, page: string, fields: string) => void} how.go
 */
export function createContents(chapters, teachers, { isRead, hasPages, address, open, go }) {
  const next = chapters.find(({ name }) => !isRead(name)) ?? chapters[0];
  const rows = chapters.map(({ name, title, lead }) => {
    const state = isRead(name) ? "read" : name === next.name ? (name === chapters[0].name ? "begin here" : "go on here") : "";
    const link = element("a", { href: address(name), click: (/** @type {MouseEvent} */ event) => open(event, name) }, title);
    return element("li", { class: state.replaceAll(" ", "-") }, element("h2", {}, link, state && element("span", { class: "state quiet" }, state)), element("p", {}, lead));
  });
  const way = (/** @type {string} */ name, /** @type {string} */ says) => door(address(name), says, (event) => open(event, name));
  const goOn = `Chapter ${chapters.indexOf(next) + 1} of ${chapters.length}: ${next.title}`;
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
        way(GLOSSARY_NAME, "Glossary: every term in a sentence"),
        hasPages() && element("h2", {}, "For a class"),
        hasPages() && door("lesson", "The lesson: 45 minutes, questions to vote on"),
        hasPages() && way(teachers, "Other courses: CS336, Hugging Face’s, minbpe"),
      ),
    ),
    waysOn(way(next.name, goOn), hasPages() && door(".", "Your own text in tokens", (event) => go(event, "", ""))),
  );
}
