/**
 * The title of the tab: what is on screen, before the page's own name. It changes when the reader pauses, so that no key
 * press waits for it.
 *
 * At each run of a page, Streamlit writes the title that the page has by itself; what is on screen then comes back
 * before anybody sees it.
 */

import { debounce, number } from "../dom/elements.js";

/** Pause of the reader in milliseconds after which the title changes. */
const PAUSE_MS = 250;
/** Maximum tokenizers named; browsers show 20 to 40 characters of a title. */
const MAX_NAMED = 4;

/**
 * Say how many tokens a text has: "GPT-2 58, cl100k 47".
 *
 * @param {[label: string, tokens: number][]} counts by the names of tokenizers, of which models in parentheses are left out
 */
export function sayCounts(counts) {
  const named = counts.slice(0, MAX_NAMED).map(([label, tokens]) => `${label.replace(/(?<=.) \(.*$/, "")} ${number(tokens)}`);
  return `${named.join(", ")}${counts.length > MAX_NAMED ? " …" : ""}`;
}

export class TabTitle {
  #page;
  #shown = "";
  #change = debounce(() => this.#write(), PAUSE_MS);
  #observer = new MutationObserver(() => document.title === this.#alone && this.#write());

  /** @param {string} page its name */
  constructor(page) {
    this.#page = page;
    const title = document.querySelector("head > title");
    if (title) this.#observer.observe(title, { childList: true });
    this.#write();
  }

  /** The title that Streamlit writes. */
  get #alone() {
    return `${this.#page} · tokviz`;
  }

  get #title() {
    return this.#shown ? `${this.#shown} · ${this.#page}` : this.#alone;
  }

  /** Say what is on screen, soon. @param {string} what "" for nothing in particular */
  show(what) {
    if (what === this.#shown) return;
    this.#shown = what;
    this.#change.later();
  }

  #write() {
    if (document.title !== this.#title) document.title = this.#title;
  }

  dispose() {
    this.#change.cancel();
    this.#observer.disconnect();
  }
}
