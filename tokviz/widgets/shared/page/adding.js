/**
 * Tokenizers that the reader adds to those on offer: from files, and, where the server allows it, from the Hugging Face
 * hub.
 */

import { sentenceOf } from "../net/client.js";

/** @typedef {(name: string) => void} Choose */

export class Adding {
  #shell;
  #on;

  /**
   * @param {import("./shell.js").PageShell} shell
   * @param {object} on
   * @param {() => void} [on.offered] the tokenizers on offer are more than before
   * @param {Choose} on.choose use the tokenizer that a file holds
   */
  constructor(shell, on) {
    this.#shell = shell;
    this.#on = on;
  }

  /**
   * Let a picker open files, and fetch tokenizers from the hub where that is allowed.
   *
   * @param {import("../ui/picker.js").Picker} picker
   * @param {Choose} choose
   */
  connect(picker, choose) {
    picker.onOpen = () => this.#shell.chooseFile();
    if (this.#shell.data.hub) picker.onFetch = (name) => void this.#fetch(name, choose);
  }

  /** Add a tokenizer to those on offer, and have the host keep it. @param {any} tokenizer */
  adopt(tokenizer) {
    const { tokenizers } = this.#shell.data;
    if (!tokenizers.some((/** @type {any} */ { name }) => name === tokenizer.name)) tokenizers.push(tokenizer);
    this.#shell.host.adopted?.([tokenizer.name]);
    this.#on.offered?.();
  }

  /** @param {Parameters<import("../net/client.js").Client["openTokenizer"]>} opened */
  open(...opened) {
    const names = opened[0].map(({ name }) => `“${name}”`).join(" and ");
    return this.#add(`Reading the tokenizer in ${names} …`, this.#shell.client.openTokenizer(...opened), this.#on.choose);
  }

  /** @param {string} name of a model on the hub @param {Choose} choose */
  #fetch(name, choose) {
    return this.#add(`Fetching the tokenizer of “${name.replace(/^hf:/i, "")}” …`, this.#shell.client.json("hub-tokenizer", { name }, ""), choose);
  }

  /** @param {string} progress @param {Promise<any>} answer the tokenizer @param {Choose} choose */
  async #add(progress, answer, choose) {
    const shell = this.#shell;
    shell.showProgress(progress);
    try {
      const added = await answer;
      if (shell.isDisposed) return;
      this.adopt(added);
      choose(added.name);
      if (added.problem) shell.report(added.problem);
    } catch (error) {
      shell.report(sentenceOf(error));
    } finally {
      shell.showProgress("");
    }
  }
}
