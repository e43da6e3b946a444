/**
 * A text box in the direction of its text that keeps carriage returns, which browsers turn into line breaks, by writing
 * them as escapes, and that shows only the beginning of a very long text.
 */

import { element, fill } from "../dom/elements.js";
import { showDirection } from "../dom/fields.js";
import { readEscapes, sourceOf } from "../text/escapes.js";

/** Maximum text, in UTF-16 units, to which the box adapts its height; a longer text fills the box anyway. */
const TALL = 5_000;
const PLAIN = { spellcheck: "false", autocapitalize: "off", autocomplete: "off" };
const NOTICE =
  "This text came with carriage returns, so escapes are read here: \\r and \\n are line ends, and \\\\ is a backslash.";

/**
 * @param {Record<string, any>} properties
 * @param {(text: string) => void} onText called when the text was edited
 * @param {number} [maxEditable] maximum text that can be edited, in UTF-16 units
 */
export function createTextBox(properties, onText, maxEditable = Infinity) {
  let escapes = false;
  /** The text that the content of the box represents. @returns {string} */
  const text = () => (escapes ? readEscapes(node.value).text : node.value);
  const input = () => (showDirection(node), onText(text()));
  /** What takes the place of all that was there is read from its beginning. */
  const paste = () => node.selectionEnd - node.selectionStart === node.value.length && requestAnimationFrame(() => (node.scrollTop = 0));
  const node = element("textarea", { class: "editor mono", ...PLAIN, ...properties, input, paste });
  const note = element("div", { class: "notice", role: "status" });
  return {
    node,
    /** Notice about carriage returns. */
    note,
    text,
    /** Put a text into the box unless it is already there. @param {string} whole */
    show(whole) {
      node.readOnly = whole.length > maxEditable;
      node.classList.toggle("tall", whole.length > TALL);
      const wanted = node.readOnly ? whole.slice(0, TALL) : whole;
      if (text() !== wanted) ({ source: node.value, escapes } = sourceOf(wanted));
      escapes &&= node.value !== wanted; // off if nothing is escaped
      showDirection(node);
      fill(note, escapes ? NOTICE : null);
    },
  };
}
