/**
 * The options of a training by another library, with the library's names, folded like other settings.
 */

import { element, menu, toggle } from "../shared/dom/elements.js";
import { optionsOf } from "./engines.js";

/** @typedef {import("./engines.js").Option} Option */
/** @typedef {import("./settings.js").Recipe} Recipe */

/** Create the options of the recipe's algorithm. @param {Recipe} recipe changed in place @param {() => void} onChange @returns {HTMLElement[]} */
export function createOptions(recipe, onChange) {
  return optionsOf(recipe.algorithm).map((option) => {
    const set = (/** @type {string} */ chosen) => {
      recipe.options = { ...recipe.options, [option.name]: chosen };
      onChange();
    };
    const control = createControl(option, recipe.options[option.name] ?? option.value, set);
    return element("div", { class: "setting option" }, control, element("p", { class: "quiet hint" }, option.says));
  });
}

/** @param {Option} option @param {string} value @param {(chosen: string) => void} set @returns {HTMLElement} */
function createControl({ name, kind, choices = [], range }, value, set) {
  if (kind === "switch") return toggle(name, value === "1", (on) => set(on ? "1" : "0")).node;
  if (kind === "choice") return menu(name, choices, value, set).node;
  const [min, max, step] = range ?? [];
  const properties = kind === "number" ? { type: "number", min, max, step } : { type: "text", class: "mono", maxlength: 20 };
  const input = element("input", { ...properties, value, input: () => set(input.value) });
  return element("label", { class: "menu" }, element("span", {}, name), input);
}
