/**
 * The template: one of those inside, or the reader's own, edited live or opened from a model's files.
 */

import { button, element, fill, menu, offer } from "../shared/dom/elements.js";
import { sentenceOf } from "../shared/net/client.js";
import { OWN } from "./conversation.js";

/** @typedef {import("./conversation.js").Conversation} Conversation */

/** Names of files that may hold a template. */
export const TEMPLATE_FILE = /\.jinja$|^(tokenizer_config|chat_template)\.json$/;
/** Maximum characters, as on the server. */
const MAX_TEMPLATE = 200_000;
const SPECIALS = ["bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token"];

/**
 * Read a template from a file: `chat_template.jinja`, or the settings of a tokenizer. Null if there is none in it.
 *
 * @param {string} text
 * @returns {{own: string, specials: Record<string, string>} | null}
 */
export function readTemplate(text) {
  if (!text.trimStart().startsWith("{") || /^\s*\{[%{#]/.test(text)) return /\{[%{]/.test(text) ? { own: text, specials: {} } : null;
  let config;
  try {
    config = JSON.parse(text);
  } catch {
    return null;
  }
  const given = config.chat_template;
  const named = Array.isArray(given) ? Object.fromEntries(given.map((each) => [each?.name, each?.template])) : given;
  const listed = named?.default ?? named;
  if (typeof listed !== "string") return null;
  const contents = SPECIALS.map((name) => [name, config[name]?.content ?? config[name]]);
  return { own: listed, specials: Object.fromEntries(contents.filter(([, each]) => typeof each === "string")) };
}

/**
 * Read the line of a template that a sentence names; null if it names none.
 *
 * @param {string} sentence
 */
export function lineIn(sentence) {
  const found = /^Line (\d+) of the template: /.exec(sentence);
  return found && { line: Number(found[1]), says: `Line ${found[1]}: ${sentence.slice(found[0].length)}` };
}

/** @param {string} file its name */
export const sayNoTemplate = (file) => `“${file}” holds no chat template that fits.`;

export class Template {
  #client;
  #conversation;
  #on;
  #menu;
  #offered;
  #box;
  #instead;
  #edit;
  #isOpen = false;
  /** How high the lines are down to the one that the error is in; 0 without one. */
  #height = 0;
  #above = element("div", { class: "editor mono above", "aria-hidden": "true" });
  #error = element("p", { class: "line-error", role: "alert" });

  /**
   * @param {import("../shared/net/client.js").Client} client
   * @param {Conversation} conversation changed in place
   * @param {() => [name: string, title: string][]} offered
   * @param {HTMLElement} instead what the editor takes the place of
   * @param {{change: () => void, open: () => void, problem: (sentence: string) => void, replaced: (before: Conversation) => void}} on
   *   `replaced`: the reader's own template gave way to another
   */
  constructor(client, conversation, offered, instead, on) {
    this.#client = client;
    this.#conversation = conversation;
    this.#on = on;
    this.#offered = offered;
    this.#instead = instead;
    this.#menu = menu("template", [], "", (name) => void this.#choose(name, conversation.own !== ""));
    this.#box = element("textarea", { class: "editor mono", maxlength: MAX_TEMPLATE, spellcheck: "false", "aria-label": "Your template", input: () => this.#typed(), scroll: () => this.#placeError() });
    const open = button("Open a file", on.open, { title: "chat_template.jinja or tokenizer_config.json" });
    const back = button("Back to the messages", () => (this.#open(false), this.#edit.focus()));
    this.#edit = button("Edit", () => void this.#choose(OWN, false), { class: "button edit-template", title: "Edit this template" });
    /** The choice. */
    this.node = element("span", { class: "template row" }, this.#menu.node, this.#edit);
    /** The reader's own template. */
    this.editor = element("div", { class: "own-template", hidden: true }, element("div", { class: "row" }, back, open), element("div", { class: "lines" }, this.#box, this.#above, this.#error));
    this.show();
  }

  show() {
    const { template, own } = this.#conversation;
    offer(this.#menu.select, [...this.#offered(), [OWN, "one of your own"]], template);
    if (this.#box.value !== own) this.#box.value = own;
    this.#open(this.#isOpen && template === OWN);
  }

  /** Show the editor in place of the messages, or these. @param {boolean} isOpen */
  #open(isOpen) {
    this.#isOpen = isOpen;
    this.editor.hidden = !isOpen;
    this.#instead.hidden = isOpen;
    this.#placeError();
  }

  /**
   * Say what is wrong under its line, if that is in sight.
   *
   * @param {string} sentence "" if nothing is
   * @returns {boolean} whether it is said
   */
  refuse(sentence) {
    const found = this.#isOpen ? lineIn(sentence) : null;
    fill(this.#above, found && this.#box.value.split("\n", found.line).map((/** @type {string} */ line) => `${line}\n`).join(""));
    this.#height = found ? this.#above.offsetHeight : 0;
    fill(this.#error, found?.says ?? "");
    this.#error.title = found?.says ?? ""; // a long one is cut, so that it covers no line
    this.#placeError();
    return found !== null;
  }

  /** Stand under the line; at the edge that it is scrolled beyond, if it is. */
  #placeError() {
    if (!this.#height || !this.#isOpen) return;
    const under = parseFloat(getComputedStyle(this.#box).paddingTop) + this.#height - this.#box.scrollTop;
    this.#error.style.top = `${Math.max(0, Math.min(under, this.#box.clientHeight - this.#error.offsetHeight))}px`;
  }

  /** Use a template as the reader's own. @param {{own: string, specials: Record<string, string>}} newer */
  use(newer) {
    const before = structuredClone(this.#conversation);
    Object.assign(this.#conversation, newer, { template: OWN });
    this.#isOpen = true;
    this.show();
    this.#on.change();
    if (before.own) this.#on.replaced(before);
  }

  #typed() {
    this.#conversation.own = this.#box.value;
    this.#on.change();
  }

  /** Choose a template. One's own begins with the one on screen, unless it is kept. @param {string} name @param {boolean} isKept */
  async #choose(name, isKept) {
    const conversation = this.#conversation;
    const before = conversation.template;
    if (name === OWN && before !== OWN && !isKept) {
      try {
        const { text, special_tokens: specials } = await this.#client.json("chat/template", { name: before });
        if (conversation.template !== before) return; // another was chosen meanwhile
        return this.use({ own: text, specials });
      } catch (error) {
        return this.#on.problem(sentenceOf(error));
      }
    }
    conversation.template = name;
    this.#isOpen = name === OWN;
    this.show();
    this.#on.change();
  }
}
