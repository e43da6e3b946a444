/**
 * A short text field of a figure.
 */

import { element } from "../shared/dom/elements.js";

/**
 * @param {object} options
 * @param {string} options.label
 * @param {number} options.most characters
 * @param {string} [options.kind] class
 * @param {number} [options.lines] more than one for a box of lines
 * @param {(text: string) => void} onText
 */
export function createField({ label, most, kind = "glyph", lines = 1 }, onText) {
  let isComposing = false;
  const typed = () => !isComposing && onText(input.value.slice(0, most));
  const input = element(lines > 1 ? "textarea" : "input", {
    ...(lines > 1 ? { rows: lines } : { type: "text" }),
    class: kind,
    "aria-label": label,
    autocapitalize: "off",
    autocomplete: "off",
    autocorrect: "off",
    spellcheck: "false",
    dir: "auto",
    input: typed,
    focus: () => lines > 1 || input.select(),
    compositionstart: () => (isComposing = true),
    compositionend: () => ((isComposing = false), typed()),
  });
  return {
    node: input,
    /** @param {string} text */
    show(text) {
      if (input.value !== text) input.value = text;
    },
  };
}
