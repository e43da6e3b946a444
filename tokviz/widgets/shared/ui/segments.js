/**
 * A choice between a few things that stand side by side, as radio buttons.
 */

import { element } from "../dom/elements.js";

let made = 0;

/**
 * Create the choice.
 *
 * @template {string} Value
 * @param {string} label
 * @param {[Value, label: string][]} options
 * @param {Value} initial
 * @param {(value: Value) => void} choose called when another is chosen
 */
export function createSegments(label, options, initial, choose) {
  const name = `segments-${made++}`;
  const inputs = options.map(([value]) => {
    const input = element("input", { type: "radio", name, value, change: () => choose(value) });
    input.checked = value === initial;
    return input;
  });
  const labels = options.map(([, text], k) => element("label", {}, inputs[k], element("span", {}, text)));
  const node = element("div", { class: "segments", role: "radiogroup", "aria-label": label }, ...labels);

  return {
    node,
    /** Show a value as chosen. @param {Value} value */
    show(value) {
      for (const input of inputs) input.checked = input.value === value;
    },
  };
}
