/**
 * The reader's own text, which goes along from chapter to chapter, and on to the other pages.
 */

import { createMemory } from "../shared/page/memory.js";
import { sourceOf, textOf } from "../shared/text/escapes.js";

export class ReaderText {
  #settings;
  #memory;
  #text = "";
  /** @type {Set<() => void>} */
  #listeners = new Set();

  /**
   * @param {import("../shared/page/shell.js").PageShell} shell
   * @param {import("../shared/page/memory.js").Settings} settings
   */
  constructor(shell, settings) {
    this.#settings = settings;
    this.#text = textOf(settings);
    this.#memory = shell.ownMemory(createMemory(settings, shell.store));
  }

  /** The text; null if the reader has none yet. @returns {string | null} */
  get text() {
    return this.#settings.source === null ? null : this.#text;
  }

  /** @param {string} text */
  set text(text) {
    if (text === this.text) return;
    this.#text = text;
    Object.assign(this.#settings, sourceOf(text));
    this.#memory.save();
    for (const listener of this.#listeners) listener();
  }

  /** @param {() => void} listener called when the text has changed @returns {() => void} unsubscribes */
  onChange(listener) {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
