/**
 * Carriage returns in a text box, which browsers turn into line breaks: a text that has some is written with escapes.
 */

import { element, fill } from "./elements.js";
import { readEscapes, sourceOf } from "./escapes.js";

const SAYS =
  "This text came with carriage returns, so escapes are read here: \\r and \\n are line ends, and \\\\ is a backslash.";

/** @param {HTMLTextAreaElement} box */
export function keepLineEnds(box) {
  let escapes = false;
  const note = element("div", { class: "notice", role: "status" });
  /** The text that is meant by what stands in the box. */
  const text = () => (escapes ? readEscapes(box.value).text : box.value);
  return {
    /** Says that escapes are read, as long as they are. */
    note,
    text,
    /** Put a text into the box, unless it stands there. @param {string} wanted */
    show(wanted) {
      if (text() !== wanted) ({ source: box.value, escapes } = sourceOf(wanted));
      escapes &&= box.value !== wanted; // without any, they need not be read
      fill(note, escapes ? SAYS : null);
    },
  };
}
