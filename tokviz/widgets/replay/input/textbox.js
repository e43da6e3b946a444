/**
 * A text box that keeps carriage returns, and shows only the beginning of a very long text.
 */

import { element } from "../../shared/dom/elements.js";
import { keepLineEnds } from "../../shared/ui/lineends.js";

/** Maximum text, in UTF-16 units, to which the box adapts its height; a longer text fills the box anyway. */
const TALL = 5_000;
const PLAIN = { spellcheck: "false", autocapitalize: "off", autocomplete: "off" };

/**
 * @param {Record<string, any>} properties
 * @param {(text: string) => void} onText called when the text was edited
 * @param {number} [maxEditable] maximum text that can be edited, in UTF-16 units
 */
export function createTextBox(properties, onText, maxEditable = Infinity) {
  const node = element("textarea", { class: "editor mono", ...PLAIN, ...properties, input: () => onText(written.text()) });
  const written = keepLineEnds(node);
  return {
    node,
    /** Notice about carriage returns. */
    note: written.note,
    /** @param {string} text */
    show(text) {
      node.readOnly = text.length > maxEditable;
      node.classList.toggle("tall", text.length > TALL);
      written.show(node.readOnly ? text.slice(0, TALL) : text);
    },
  };
}
