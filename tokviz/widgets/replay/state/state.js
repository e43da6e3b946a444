/**
 * The page's state, from the link and the tab: its own choices, and what all pages share. Each change is
 * remembered.
 */

import { sourceOf, textOf } from "../../shared/text/escapes.js";
import { createMemory, recall } from "../../shared/page/memory.js";
import { firstOptions } from "../input/classics.js";
import { Bookmarks } from "./bookmarks.js";
import { canShow, FIRST_TEXT, firstChoices } from "./choices.js";
import { readLink } from "./link.js";

/** @typedef {import("./choices.js").Choices} Choices */
/** @typedef {import("../../shared/page/memory.js").Settings} Settings */
/** @typedef {Pick<import("../../shared/page/shell.js").PageShell, "data" | "link" | "store">} Shell what the state uses of it */

export class PageState {
  /** Settings that all pages share; the memory adds the choices. @type {Settings} */
  #settings;
  #text;

  /**
   * @param {Shell} shell `data` may have a `start`: initial choices
   */
  constructor({ data, link, store }) {
    const offers = (data.tokenizers ?? []).filter(canShow);
    const stored = store.read();
    const linked = link && readLink(link, offers.map((/** @type {import("./choices.js").Offered} */ { name }) => name));
    this.#settings = recall(stored, offers);
    if (linked) {
      const tokenizer = linked.tokenizer ?? this.#settings.tokenizer;
      Object.assign(this.#settings, { special: linked.special, tokenizer });
    }
    this.#text = this.#settings.source === null ? FIRST_TEXT : textOf(this.#settings);
    /** True if the page was opened with a link to a tokenizer that is not here. */
    this.lacksTokenizer = Boolean(link?.tokenizer && !linked?.tokenizer);
    const first = firstChoices();
    if (this.#text !== FIRST_TEXT) first.steps.apply = 0; // the reader's own is read from its beginning
    /** @type {Choices} */
    this.choices = { ...first, ...stored?.replay, ...data.start, ...linked?.choices };
    this.choices.learn = { ...firstOptions(), ...this.choices.learn };
    this.bookmarks = new Bookmarks(this.choices.steps);
    const remembered = Object.assign(this.#settings, { replay: this.choices });
    this.memory = createMemory(remembered, store);
  }

  /** What all pages share. @returns {import("./choices.js").Shared} */
  get shared() {
    return { text: this.#text, tokenizer: this.#settings.tokenizer, special: this.#settings.special };
  }

  /** @param {string} text of all pages */
  setText(text) {
    this.#text = text;
    Object.assign(this.#settings, sourceOf(text));
    this.memory.save();
  }

  /** Change settings of all pages. @param {{tokenizer?: string, special?: boolean}} change */
  share(change) {
    Object.assign(this.#settings, change);
    this.memory.save();
  }

  /** @param {Partial<Choices>} change */
  choose(change) {
    Object.assign(this.choices, change);
    this.remember();
  }

  /** Remember the choices and bookmarks, which were changed in place. */
  remember() {
    this.memory.save();
  }
}
