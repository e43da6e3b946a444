/**
 * The lines beneath the text: each says in a sentence what it holds, and opens to show it.
 */

import { element, fill } from "../shared/dom/elements.js";

/** Names of the folds, as they are remembered and written in links. */
export const FOLDS = /** @type {const} */ (["places", "bill", "classes", "agreement", "text", "why"]);

/** @typedef {typeof FOLDS[number]} FoldName */

export class Folds {
  #names;
  #change;

  /**
   * @param {readonly FoldName[]} names of those that are open
   * @param {(names: FoldName[]) => void} change called with the open ones when the reader opens or folds one
   */
  constructor(names, change) {
    this.#names = new Set(names);
    this.#change = change;
    /** @type {HTMLElement} */
    this.node = element("div", { class: "folds" });
  }

  /** @param {FoldName} name */
  isOpen(name) {
    return this.#names.has(name);
  }

  /** Remember whether one is open. @param {FoldName} name @param {boolean} isOpen */
  remember(name, isOpen) {
    if (isOpen === this.isOpen(name)) return;
    if (isOpen) this.#names.add(name);
    else this.#names.delete(name);
    this.#change([...this.#names]);
  }

  /**
   * Add a fold beneath the others.
   *
   * @param {FoldName} name
   * @param {string} title
   * @param {() => void} update called when it is opened, and by `refresh` while it is open
   * @param {...(Node | string)} content
   */
  add(name, title, update, ...content) {
    const refresh = () => node.open && update();
    const toggle = () => (this.remember(name, node.open), refresh());
    const says = element("span", { class: "says" });
    const summary = element("summary", {}, element("b", {}, title), " ", says);
    /** @type {HTMLDetailsElement} */
    const node = element("details", { class: "fold", open: this.isOpen(name), toggle }, summary, ...content);
    this.node.append(node);
    return {
      node,
      /** Say what is in it. @param {string} sentence */
      say: (sentence) => fill(says, sentence),
      /** Update what is in it if it is open. */
      refresh,
    };
  }
}
