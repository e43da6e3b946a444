/**
 * The sentences of a chapter as elements.
 */

import { element, keepSigns, term } from "../shared/dom/elements.js";
import { entryOf } from "../shared/text/glossary.js";

/** @typedef {{kind: "text" | "code" | "emphasis" | "figure" | "chapter" | "page" | "web", text: string, target: string, value: string}} Part */

/**
 * @typedef {object} Ways where the links of a chapter lead
 * @property {(event: MouseEvent, figure: string, value: string) => void} show put a value into a figure
 * @property {(figure: string, value: string) => string} figure the address of a figure with a value
 * @property {() => boolean} hasPages whether there are pages of the app, which links can lead to
 * @property {(chapter: string) => string} address
 * @property {(event: MouseEvent, chapter: string) => void} open a chapter
 * @property {(event: MouseEvent, page: string, fields: string) => void} go to a page of the app, with the reader's text
 */

/** @param {Part[]} parts @param {Ways} ways @returns {(Node | string)[]} */
export const proseOf = (parts, ways) => keepSigns(parts.map((part) => partNode(part, ways)));

/** @param {Part} part @param {Ways} ways */
function partNode({ kind, text, target, value }, ways) {
  if (kind === "code") return element("code", {}, text);
  if (kind === "emphasis") return entryOf(text) ? term(text) : element("em", {}, text);
  if (kind === "figure") return figureLink({ text, target, value }, ways);
  if (kind === "web") return element("a", { href: target, target: "_blank", rel: "noopener" }, text);
  if (kind === "chapter" || (kind === "page" && ways.hasPages())) return wayLink({ kind, text, target, value }, ways);
  return text;
}

/** A link to a chapter, or to a page of the app. @param {Part} part @param {Ways} ways @param {string | null} [look] its class */
export function wayLink({ kind, text, target, value }, ways, look = null) {
  const isChapter = kind === "chapter";
  const go = (/** @type {MouseEvent} */ event) => (isChapter ? ways.open(event, target) : ways.go(event, target, value));
  return element("a", { href: isChapter ? ways.address(target) : target || ".", class: look, click: go }, text);
}

/** A link that puts a value into a figure of the chapter. @param {Pick<Part, "text" | "target" | "value">} part @param {Ways} ways */
function figureLink({ text, target, value }, ways) {
  const show = (/** @type {MouseEvent} */ event) => ways.show(event, target, value);
  return element("a", { href: ways.figure(target, value), class: "try", click: show }, text);
}
