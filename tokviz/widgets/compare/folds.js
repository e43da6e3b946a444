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
   * @param {() => void} update called when it is opened, and by `show` while it is open
   * @param {...(Node | string)} content
   * @returns {Fold}
   */
  add(name, title, update, ...content) {
    const fold = new Fold(title, this.isOpen(name), content, (isOpen) => {
      this.remember(name, isOpen);
      if (isOpen) update();
    });
    fold.update = update;
    this.node.append(fold.node);
    return fold;
  }
}

export class Fold {
  #says = element("span", { class: "says" });
  /** Update its content; called only while it is open. */
  update = () => {};

  /**
   * @param {string} title
   * @param {boolean} isOpen
   * @param {(Node | string)[]} content
   * @param {(isOpen: boolean) => void} toggled
   */
  constructor(title, isOpen, content, toggled) {
    const summary = element("summary", {}, element("b", {}, title), " ", this.#says);
    /** @type {HTMLDetailsElement} */
    this.node = element("details", { class: "fold", toggle: () => toggled(this.node.open) }, summary, ...content);
    this.node.open = isOpen;
  }

  get isOpen() {
    return this.node.open;
  }

  open() {
    this.node.open = true;
  }

  /** Say what is in it. @param {string} sentence */
  say(sentence) {
    fill(this.#says, sentence);
  }

  /** Update what is in it if it is open. */
  refresh() {
    if (this.isOpen) this.update();
  }

  /** Say what is in it, and show that if it is open. @param {string} sentence */
  show(sentence) {
    this.say(sentence);
    this.refresh();
  }
}
