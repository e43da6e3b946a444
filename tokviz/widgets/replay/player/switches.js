/**
 * The player's switches; and why some are disabled, in a few words beside them and as their tooltips.
 */

import { element, fill, toggle } from "../../shared/dom/elements.js";

/**
 * @typedef {object} State
 * @property {boolean} canDraw true if the text can be drawn as a tower
 * @property {boolean} isTower true if it is
 * @property {boolean} canUnmerge true if the tower is of the whole text
 * @property {boolean} isSecret true while a class guesses
 */

/**
 * @param {State} state
 * @returns {{tower: string, decode: string}} empty for what is enabled
 */
export function whyDisabled({ canDraw, isTower, canUnmerge, isSecret }) {
  return {
    tower: canDraw ? "" : "for shorter texts and tokens",
    decode: isTower ? (canUnmerge ? (isSecret ? "after the last question" : "") : "not while equal words are drawn once") : "only with the tower",
  };
}

/** One line for all of them. @param {Record<string, string>} reasons */
export const lineOf = (reasons) =>
  Object.entries(reasons)
    .filter(([, reason]) => reason)
    .map(([name, reason]) => `${labelOf(name)}: ${reason}`)
    .join("; ");

/** @param {string} name */
const labelOf = (name) => name[0].toUpperCase() + name.slice(1);

const TITLES = /** @type {const} */ ({
  tower: "Draw the merges as a tower (T)",
  decode: "The way back: from numbers to text (D)",
});

/** @typedef {keyof typeof TITLES} Name */

export class Switches {
  #switches;
  #reasons = element("span", { class: "quiet reasons" });

  /** @param {Record<Name, (isOn: boolean) => void>} on @param {Record<Name, boolean>} isOn at first */
  constructor(on, isOn) {
    const create = (/** @type {Name} */ name) => toggle(labelOf(name), isOn[name], on[name], TITLES[name]);
    this.#switches = { tower: create("tower"), decode: create("decode") };
    /** The switches of the drawing, and why some are disabled. */
    this.nodes = [this.#switches.tower.node, this.#switches.decode.node, this.#reasons];
  }

  /** @param {Name} name */
  isDisabled(name) {
    return this.#switches[name].input.disabled;
  }

  /** @param {Name} name @param {boolean} isOn */
  check(name, isOn) {
    this.#switches[name].input.checked = isOn;
  }

  /** Disable those that do nothing now, and say why. @param {State} state */
  show(state) {
    const reasons = whyDisabled(state);
    for (const name of /** @type {Name[]} */ (Object.keys(TITLES))) {
      const { node, input } = this.#switches[name];
      input.disabled = reasons[name] !== "";
      node.classList.toggle("unused", input.disabled);
      node.title = reasons[name] ? `${labelOf(name)}: ${reasons[name]}` : TITLES[name];
    }
    fill(this.#reasons, lineOf(reasons));
  }
}
