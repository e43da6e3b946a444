/**
 * The template: one of those inside, or the reader's own, edited live or opened from a model's files.
 */

import { button, element, menu, offer } from "../shared/dom/elements.js";
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

/** @param {string} file its name */
export const sayNoTemplate = (file) => `“${file}” holds no chat template that fits.`;

export class Template {
  #client;
  #conversation;
  #on;
  #menu;
  #offered;
  #box;
  #editor;

  /**
   * @param {import("../shared/net/client.js").Client} client
   * @param {Conversation} conversation changed in place
   * @param {() => [name: string, title: string][]} offered
   * @param {{change: () => void, open: () => void, problem: (sentence: string) => void, replaced: (before: Conversation) => void}} on
   *   `replaced`: the reader's own template gave way to another
   */
  constructor(client, conversation, offered, on) {
    this.#client = client;
    this.#conversation = conversation;
    this.#on = on;
    this.#offered = offered;
    this.#menu = menu("template", [], "", (name) => void this.#choose(name, conversation.own !== ""));
    this.#box = element("textarea", { class: "editor mono", rows: 12, maxlength: MAX_TEMPLATE, spellcheck: "false", wrap: "off", "aria-label": "Your template", input: () => this.#typed() });
    const open = button("Open a file", on.open, { title: "chat_template.jinja or tokenizer_config.json" });
    this.#editor = element("div", { class: "own-template", hidden: true }, this.#box, element("div", { class: "row" }, open, element("span", { class: "quiet" }, "chat_template.jinja, or tokenizer_config.json")));
    /** The choice. */
    this.node = element("span", { class: "template row" }, this.#menu.node, button("edit", () => void this.#choose(OWN, false), { class: "button edit-template", title: "Edit this template" }));
    /** The reader's own template. */
    this.editor = this.#editor;
    this.show();
  }

  show() {
    const { template, own } = this.#conversation;
    offer(this.#menu.select, [...this.#offered(), [OWN, "one of your own"]], template);
    this.#editor.hidden = template !== OWN;
    if (this.#box.value !== own) this.#box.value = own;
  }

  /** Use a template as the reader's own. @param {{own: string, specials: Record<string, string>}} newer */
  use(newer) {
    const before = structuredClone(this.#conversation);
    Object.assign(this.#conversation, newer, { template: OWN });
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
    this.show();
    this.#on.change();
  }
}
