/**
 * What the reader compares: the text, the tokenizers, and the settings, all of which are remembered.
 */

import { element, toggle } from "../shared/dom/elements.js";
import { ownOf } from "../shared/net/madetokenizers.js";
import { Adding } from "../shared/page/adding.js";
import { createMemory } from "../shared/page/memory.js";
import { PageText } from "../shared/page/pagetext.js";
import { Editor } from "../shared/ui/editor.js";
import { createChooser } from "./chooser.js";
import { linked, linkFields } from "./link.js";
import { initialSettings } from "./settings.js";

/** @typedef {import("./settings.js").Settings} Settings */

/**
 * @typedef {object} InputListeners
 * @property {() => void} ask the question changed
 */

export class Inputs {
  #shell;
  #on;
  #memory;
  #chooser;

  /**
   * @param {import("../shared/page/shell.js").PageShell} shell
   * @param {Parameters<typeof createMemory>[3] & {adopted?: (names: string[]) => void}} session called with what the
   *   session keeps
   * @param {InputListeners} on
   */
  constructor(shell, session, on) {
    this.#shell = shell;
    this.#on = on;
    /** What the page understood of its link; null without a link. */
    this.link = shell.link && linked(shell.link, shell.data);
    const stored = shell.store.read();
    /** Whether the tab has not shown the page before. */
    this.isFirst = !stored?.compare;
    /** @type {Settings} */
    this.settings = initialSettings(shell.data, stored, this.link);
    this.editor = this.#createEditor();
    const currentText = () => this.editor.reading().text;
    this.#memory = shell.ownMemory(createMemory(this.settings, currentText, shell.store, session));
    this.pageText = new PageText(shell, this.settings, { editor: this.editor, memory: this.#memory }, { ask: () => on.ask() });
    /** Adds tokenizers from files and from the hub. */
    this.adding = new Adding(shell, { adopted: session.adopted, offered: () => this.update(), choose: (name) => this.#chooser.add(name) });
    this.#chooser = createChooser(
      (tokenizers) => this.#ask(() => this.change({ tokenizers })),
      (picker, choose) => this.adding.connect(picker, choose),
    );
    const special = toggle(
      "Special tokens",
      this.settings.special,
      (special) => this.#ask(() => this.changeShared({ special })),
      "Read <|endoftext|> and its like as control tokens, not as text",
      "special token",
    );
    /** The tokenizers and how they read the text, a message about the link, and the editor. @type {HTMLElement[]} */
    this.nodes = [element("div", { class: "row choices" }, this.#chooser.node, special.node, this.pageText.escapes), this.pageText.note, this.editor.node];
    this.update();
  }

  /** What is asked of the server. @returns {import("./answers.js").Question} */
  question() {
    const { compare, special } = this.settings;
    return { text: this.editor.reading().text, tokenizers: compare.tokenizers, special };
  }

  /** Change settings of this page. @param {Partial<import("./settings.js").OwnSettings>} settings */
  change(settings) {
    Object.assign(this.settings.compare, settings);
    this.#memory.settingsChanged({});
  }

  /** Change settings that other pages share. @param {Partial<Pick<Settings, "special" | "window">>} settings */
  changeShared(settings) {
    Object.assign(this.settings, settings);
    this.#memory.settingsChanged(settings);
  }

  /** Show new choices; the text and the chosen tokenizers belong to the reader and are kept. */
  update() {
    this.#chooser.update(this.#shell.data.tokenizers, this.settings.compare.tokenizers);
  }

  /** Load the initial text. */
  async begin() {
    await this.pageText.begin(this.link);
  }

  /** Content of a link to the current view. @param {number | null} at byte offset of the selected difference */
  async linkContent(at) {
    const { compare } = this.settings;
    const sample = this.pageText.sample();
    const text = sample ? null : this.editor.reading().text;
    const names = compare.second ? [...compare.tokenizers, compare.textTokenizer] : compare.tokenizers;
    const fields = await linkFields(compare, this.settings, sample, at);
    return { fields, text, own: ownOf(names, this.#shell.data.tokenizers) };
  }

  #createEditor() {
    return new Editor({
      change: () => this.#ask(() => this.pageText.remember()),
      caret: () => {},
      leave: () => this.#memory.leave(),
      tooLong: () => this.pageText.tooLong(),
    });
  }

  /** Ask anew after a change. @param {() => void} change */
  #ask(change) {
    change();
    this.#on.ask();
  }
}
