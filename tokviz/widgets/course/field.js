/**
 * A short text field of a figure, and figures that show an answer about what is in their field and nothing else.
 */

import { element } from "../shared/dom/elements.js";
import { createAsking } from "./asking.js";

/**
 * @typedef {object} FieldOptions
 * @property {string} label
 * @property {number} most characters
 * @property {string} [kind] class
 * @property {number} [lines] more than one for a box of lines
 */

/** @param {FieldOptions} options @param {(text: string) => void} onText */
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

/**
 * A figure that asks about the text in its field, which is its value.
 *
 * @param {import("./figures.js").Context} context
 * @param {object} what
 * @param {string} what.name its class
 * @param {string} what.route
 * @param {FieldOptions} what.field
 * @param {(field: HTMLElement) => HTMLElement[]} what.parts what is in the figure, with the field among it
 * @param {(typed: string) => string} [what.read] what is asked about of what is typed; for "" nothing is
 * @param {(answer: any) => void} draw
 */
export function createFieldFigure(context, { name, route, field: options, parts, read }, draw) {
  let value = "";
  const asking = createAsking(context, draw);
  const field = createField(options, (typed) => put(read ? read(typed) : typed));

  /** @param {string} text */
  function show(text) {
    value = text;
    field.show(value);
    void asking.ask({ route, text: value });
  }

  /** Show what the reader puts in. @param {string} text */
  function put(text) {
    if (read && !text) return;
    show(text);
    context.changed();
  }

  return { node: element("div", { class: name }, ...parts(field.node), asking.problem), value: () => value, show, put, dispose: () => asking.dispose() };
}
