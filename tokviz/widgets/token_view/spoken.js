/**
 * The keyboard's token for screen readers: the active option of a list box.
 */

import { element } from "../shared/dom/elements.js";
import { sayToken } from "../shared/text/speak.js";

export class SpokenToken {
  /** The one spoken last comes first. */
  #options;
  /** @type {HTMLElement} */
  #listbox;

  /**
   * @param {HTMLElement} listbox
   * @param {string} name unique on the page
   */
  constructor(listbox, name) {
    this.#listbox = listbox;
    const common = { class: "spoken", hidden: true, role: "option", "aria-selected": "false" };
    this.#options = [1, 2].map((turn) => element("div", { id: `${name} option ${turn}`.replaceAll(" ", "-"), ...common }));
    listbox.append(...this.#options);
  }

  /**
   * @param {import("../shared/text/tokenization.js").TokenizationModel} model
   * @param {number} i
   * @param {boolean} isSelected
   */
  speak(model, i, isSelected) {
    // Screen readers speak when another option becomes active, so the two alternate.
    const [before, option] = this.#options;
    this.#options = [option, before];
    before.hidden = true;
    option.hidden = false;
    option.textContent = sayToken(model, i);
    option.setAttribute("aria-posinset", String(i + 1));
    option.setAttribute("aria-setsize", String(model.n));
    option.setAttribute("aria-selected", String(isSelected));
    this.#listbox.setAttribute("aria-activedescendant", option.id);
  }
}
