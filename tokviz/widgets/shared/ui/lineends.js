/**
 * Keep carriage returns in a text box, where browsers turn them into line breaks, by writing them as escapes. The box has
 * the direction of its text.
 */

import { element, fill } from "../dom/elements.js";
import { showDirection } from "../dom/fields.js";
import { readEscapes, sourceOf } from "../text/escapes.js";

const NOTICE =
  "This text came with carriage returns, so escapes are read here: \\r and \\n are line ends, and \\\\ is a backslash.";

/** @param {HTMLTextAreaElement} box */
export function keepLineEnds(box) {
  let escapes = false;
  const note = element("div", { class: "notice", role: "status" });
  /** The text that the content of the box represents. */
  const text = () => (escapes ? readEscapes(box.value).text : box.value);
  box.addEventListener("input", () => showDirection(box));
  return {
    /** Notice shown while escapes are on. */
    note,
    text,
    /** Put a text into the box unless it is already there. @param {string} wanted */
    show(wanted) {
      if (text() !== wanted) ({ source: box.value, escapes } = sourceOf(wanted));
      escapes &&= box.value !== wanted; // off if nothing is escaped
      showDirection(box);
      fill(note, escapes ? NOTICE : null);
    },
  };
}
