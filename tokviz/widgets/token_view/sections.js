/**
 * Sections of the colored text: groups of chunks that follow each other.
 *
 * Browsers compute in each frame where all observed elements and all with `content-visibility: auto` are. Of a long text
 * these are some dozens of sections, and only of those nearby the chunks.
 */

import { element } from "../shared/dom/elements.js";

/** Chunks in a section; at most twice as many after edits. */
const SIZE = 32;

/** @returns {HTMLElement} */
export const createSection = () => element("div", { class: "section" });

/**
 * Divide a section that has become too large, and estimate its height from that of its chunks.
 *
 * @param {Element} section
 * @returns {HTMLElement[]} its parts, of which it is the first
 */
export function divideSection(section) {
  const chunks = /** @type {HTMLElement[]} */ ([...section.children]);
  const parts = [/** @type {HTMLElement} */ (section)];
  if (chunks.length > 2 * SIZE) {
    for (let k = SIZE; k < chunks.length; k += SIZE) {
      const part = createSection();
      part.append(...chunks.slice(k, k + SIZE));
      parts.push(part);
    }
    section.after(...parts.slice(1));
  }
  for (const part of parts) part.style.setProperty("--rows", String(rowsOf(part)));
  return parts;
}

/** Sum of the estimated rows of a section's chunks. @param {HTMLElement} section */
function rowsOf({ children }) {
  const chunks = /** @type {HTMLElement[]} */ ([...children]);
  return chunks.reduce((rows, { style }) => rows + Number(style.getPropertyValue("--rows")), 0);
}
