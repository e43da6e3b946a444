/**
 * What the reader compares: the text, the tokenizers, and the settings, all of which are remembered.
 */

import { element, toggle } from "../shared/dom/elements.js";
import { ownOf } from "../shared/net/madetokenizers.js";
import { Adding } from "../shared/page/adding.js";
import { createMemory } from "../shared/page/memory.js";
import { PageText } from "../shared/page/pagetext.js";
import { Editor } from "../shared/ui/editor.js";
import { Picker } from "../shared/ui/picker.js";
import { createTokenizerList } from "../shared/ui/tokenizerlist.js";
import { linked, linkFields } from "./link.js";
import { initialSettings, MAX_TOKENIZERS, MIN_TOKENIZERS } from "./settings.js";

/** @typedef {import("./settings.js").Settings} Settings */

/** What the first two tokenizers are introduced with in the line of prose; the rest are with "and". */
const WORDS = ["Compare", "with"];

/**
 * @typedef {object} InputListeners
 * @property {() => void} ask the question changed
 */

export class Inputs {
  #shell;
  #on;
  #memory;
  #list;

  /**
   * @param {import("../shared/page/shell.js").PageShell} shell
   * @param {InputListeners} on
   */
  constructor(shell, on) {
    this.#shell = shell;
    this.#on = on;
    /** What the page understood of its link; null without a link. */
    this.link = shell.link && linked(shell.link, shell.data);
    const stored = shell.store.read();
    /** Whether the tab has not shown the page before. */
    this.isFirst = !stored?.compare;
    /** @type {Settings} */
    this.settings = initialSettings(shell.data.tokenizers, stored, this.link);
    this.editor = this.#createEditor();
    this.#memory = shell.ownMemory(createMemory(this.settings, shell.store));
    this.pageText = new PageText(shell, this.settings, { editor: this.editor, memory: this.#memory }, { ask: () => on.ask() });
    /** Adds tokenizers from files and from the hub. */
    this.adding = new Adding(shell, { offered: () => this.update(), choose: (name) => this.#list.add(name) });
    this.#list = this.#createList();
    const special = toggle(
      "Special tokens",
      this.settings.special,
      (special) => this.#ask(() => this.changeShared({ special })),
      "Read <|endoftext|> and its like as control tokens, not as text",
      "special token",
    );
    /** The tokenizers and how they read the text, a message about the link, and the editor. @type {HTMLElement[]} */
    this.nodes = [element("div", { class: "row choices" }, element("div", { class: "chooser", role: "group", "aria-label": "Tokenizers" }, ...this.#list.nodes), special.node, this.pageText.escapes), this.pageText.note, this.editor.node];
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
    this.#memory.save();
  }

  /** Change settings that other pages share. @param {Partial<Pick<Settings, "special" | "window">>} settings */
  changeShared(settings) {
    Object.assign(this.settings, settings);
    this.#memory.save();
  }

  /** Show new choices; the text and the chosen tokenizers belong to the reader and are kept. */
  update() {
    this.#list.update(this.#shell.data.tokenizers, this.settings.compare.tokenizers);
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

  #createList() {
    const connect = this.adding.connect.bind(this.adding);
    /** @type {Parameters<typeof createTokenizerList>[0]["draw"]} */
    const draw = ({ offer, place, count, offers, pick }) => {
      const title = place ? `Compared tokenizer${count > MIN_TOKENIZERS ? ` (${place})` : ""}` : "Reference";
      const picker = new Picker(pick, title, `tokenizer-${place}`);
      connect(picker, pick);
      picker.update(offers, offer.name);
      return [element("span", { class: "quiet", "aria-hidden": "true" }, WORDS[place] ?? "and"), picker.node];
    };
    const choose = (/** @type {string[]} */ tokenizers) => this.#ask(() => this.change({ tokenizers }));
    return createTokenizerList({ draw, nameOf: ({ label }) => label, connect, choose }, [MIN_TOKENIZERS, MAX_TOKENIZERS]);
  }

  #createEditor() {
    return new Editor({
      change: () => this.#ask(() => this.pageText.remember()),
      tooLong: () => this.pageText.tooLong(),
    });
  }

  /** Ask anew after a change. @param {() => void} change */
  #ask(change) {
    change();
    this.#on.ask();
  }
}
