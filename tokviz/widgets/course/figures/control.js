/**
 * The same characters as text and as control.
 */

import { element } from "../../shared/dom/elements.js";
import { createBothWays } from "../bothways.js";
import { createField } from "../field.js";

/** @param {import("../figures.js").Context} context @returns {import("../figures.js").Figure} */
export function create(context) {
  let value = "";
  const field = createField({ label: "A text with a special token", most: 200, kind: "mono full-field" }, (text) => (show(text), context.changed()));
  const both = createBothWays(context, "of the text");

  /** @param {string} text */
  function show(text) {
    value = text;
    field.show(text);
    both.ask(text, "gpt2");
  }

  return { node: element("div", {}, field.node, both.node, both.problem), value: () => value, show, dispose: both.dispose };
}
