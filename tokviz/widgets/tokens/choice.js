/**
 * The tokenizer that the reader chooses, among those offered and those opened from files.
 */

import { element } from "../shared/dom/elements.js";
import { sentenceOf } from "../shared/net/client.js";
import { Picker } from "../shared/ui/picker.js";

export class TokenizerChoice {
  #shell;
  #settings;
  #on;
  #picker;

  /**
   * @param {import("../shared/page/shell.js").PageShell} shell
   * @param {import("../shared/page/memory.js").Settings} settings
   * @param {object} on
   * @param {(name: string) => void} on.choose
   * @param {(names: string[]) => void} on.adopted a tokenizer was opened from a file
   */
  constructor(shell, settings, on) {
    this.#shell = shell;
    this.#settings = settings;
    this.#on = on;
    this.#picker = new Picker((name) => on.choose(name));
    this.#picker.onOpen = () => shell.chooseFile();
    if (shell.data.hub) this.#picker.onFetch = (name) => void this.#fetch(name);
    this.node = this.#picker.node;
    /** What there is to say about the choice. */
    this.notes = element("div", { class: "picker-notes" }, ...this.#picker.notes);
    this.update();
  }

  /** Offer the page's tokenizers. */
  update() {
    this.#picker.update(this.#shell.data.tokenizers, this.#settings.tokenizer);
  }

  /** @param {string} name of a file that holds a tokenizer @param {Uint8Array<ArrayBuffer>} bytes */
  open(name, bytes) {
    return this.#add(`Reading the tokenizer in “${name}” …`, this.#shell.client.openTokenizer(name, bytes));
  }

  /** @param {string} name of a model on the hub */
  #fetch(name) {
    return this.#add(`Fetching the tokenizer of “${name.replace(/^hf:/i, "")}” …`, this.#shell.client.fetchTokenizer(name));
  }

  /** @param {string} progress @param {Promise<any>} answer the tokenizer that is opened */
  async #add(progress, answer) {
    const shell = this.#shell;
    shell.showProgress(progress);
    try {
      const opened = await answer;
      if (shell.isDisposed) return;
      shell.data.tokenizers.push(opened);
      this.#picker.update(shell.data.tokenizers, opened.name);
      this.#on.adopted([opened.name]);
      this.#on.choose(opened.name);
    } catch (error) {
      shell.report(sentenceOf(error));
    } finally {
      shell.showProgress("");
    }
  }
}
