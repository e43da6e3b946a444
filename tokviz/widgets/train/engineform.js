/**
 * The options of a training by another library, with the library's names, folded like other settings.
 */

import { element, menu, toggle } from "../shared/dom/elements.js";
import { OPTIONS, optionsOf } from "./engines.js";

/** @typedef {import("./engines.js").Option} Option */
/** @typedef {import("./settings.js").Recipe} Recipe */

export class EngineForm {
  #recipe;
  #onChange;
  /** A row for each option, and a function that shows a value. @type {Map<Option, {node: HTMLElement, show: (value: string) => void}>} */
  #rows;

  /** @param {Recipe} recipe changed in place @param {() => void} onChange */
  constructor(recipe, onChange) {
    this.#recipe = recipe;
    this.#onChange = onChange;
    this.#rows = new Map(OPTIONS.map((option) => [option, this.#row(option)]));
    this.nodes = [...this.#rows.values()].map(({ node }) => node);
  }

  /** Show the options of the recipe's algorithm. */
  show() {
    const shown = optionsOf(this.#recipe.algorithm);
    for (const [option, { node, show }] of this.#rows) {
      node.hidden = !shown.includes(option);
      show(this.#recipe.options[option.name] ?? option.value);
    }
  }

  /** @param {Option} option */
  #row(option) {
    const { node, show } = this.#control(option);
    return { node: element("div", { class: "setting option" }, node, element("p", { class: "quiet hint" }, option.says)), show };
  }

  /** @param {Option} option @returns {{node: HTMLElement, show: (value: string) => void}} */
  #control(option) {
    const { name, kind, value } = option;
    const set = (/** @type {string} */ chosen) => {
      this.#recipe.options = { ...this.#recipe.options, [name]: chosen };
      this.#onChange();
    };
    if (kind === "switch") {
      const { node, input } = toggle(name, value === "1", (on) => set(on ? "1" : "0"));
      return { node, show: (shown) => void (input.checked = shown === "1") };
    }
    if (kind === "choice") {
      const { node, select } = menu(name, option.choices ?? [], value, set);
      return { node, show: (shown) => void (select.value = shown) };
    }
    const [min, max, step] = option.range ?? [];
    const properties = kind === "number" ? { type: "number", min, max, step } : { type: "text", class: "mono", maxlength: 20 };
    const input = element("input", { ...properties, input: () => set(input.value) });
    // What is being typed is left alone.
    const show = (/** @type {string} */ shown) => void (input.value !== shown && (input.value = shown));
    return { node: element("label", { class: "menu" }, element("span", {}, name), input), show };
  }
}
