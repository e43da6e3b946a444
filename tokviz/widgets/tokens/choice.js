/**
 * The tokenizer that the reader chooses, among those offered and those added.
 */

import { element } from "../shared/dom/elements.js";
import { Adding } from "../shared/page/adding.js";
import { Picker } from "../shared/ui/picker.js";

export class TokenizerChoice {
  #shell;
  #settings;
  #picker;

  /**
   * @param {import("../shared/page/shell.js").PageShell} shell
   * @param {{tokenizer: string}} settings
   * @param {(name: string) => void} chosen
   */
  constructor(shell, settings, chosen) {
    this.#shell = shell;
    this.#settings = settings;
    this.#picker = new Picker(chosen);
    const choose = (/** @type {string} */ name) => {
      chosen(name);
      this.update();
    };
    /** Adds tokenizers from files and from the hub. */
    this.adding = new Adding(shell, { offered: () => this.update(), choose });
    this.adding.connect(this.#picker, choose);
    this.node = this.#picker.node;
    /** What there is to say about the choice. */
    this.notes = element("div", { class: "picker-notes" }, ...this.#picker.notes);
    this.update();
  }

  /** Offer the page's tokenizers. */
  update() {
    this.#picker.update(this.#shell.data.tokenizers, this.#settings.tokenizer);
  }
}
