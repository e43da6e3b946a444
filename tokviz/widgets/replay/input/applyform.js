/**
 * The form for applying merges: a published tokenizer and the text of all pages, or learned merges and a new word.
 */

import { button, element, fill, menu, plural, toggle } from "../../shared/dom/elements.js";
import { Picker } from "../../shared/ui/picker.js";
import { createPresets } from "../../shared/ui/presets.js";
import { createTextBox } from "../../shared/ui/textbox.js";
import { canShow, FIRST_TEXT } from "../state/choices.js";

/** @typedef {import("../state/choices.js").Choices} Choices */
/** @typedef {{samples: any[], kinds: Record<string, string>}} Samples */

/** Texts short enough to be fully visible. */
const SHORT = [FIRST_TEXT, "unbelievable", " unbelievable", "New York", "aaaaaaaa", "مرحبا", "東京"];
const SHORT_PREFIX = "short:";
/** Maximum text that can be edited here, in UTF-16 units; of a longer text only the beginning is shown. */
const MAX_EDITABLE = 120_000;
/** Characters of the training text by which the reader recognizes it. */
const MAX_QUOTED = 24;

/** @type {[Choices["order"], string][]} */
const ORDERS = [
  ["rank", "by rank, everywhere at once"],
  ["pretoken", "one pre-token after the other"],
];

export class ApplyForm {
  #on;
  #picker = new Picker((tokenizer) => this.#on.tokenizer(tokenizer));
  #presets;
  /** Which learned merges are applied, instead of the menu of tokenizers. */
  #learned = element("p", { class: "notice learned" });
  #text = createTextBox(
    {
      "aria-label": "Your text",
      placeholder: "Type or paste a text",
      rows: 1,
      autocorrect: "off",
      blur: () => this.#on.leave(),
    },
    (text) => this.#on.text(text),
    MAX_EDITABLE,
  );
  #special;
  /** What there is to say about the tokenizer. */
  #about = element("div", { class: "about-tokenizer quiet" }, ...this.#picker.notes);

  /**
   * @param {Samples} samples
   * @param {{order: Choices["order"], special: boolean}} initial
   * @param {object} on
   * @param {(text: string) => void} on.text
   * @param {(name: string) => void} on.sample
   * @param {(tokenizer: string) => void} on.tokenizer
   * @param {(order: Choices["order"]) => void} on.order
   * @param {(special: boolean) => void} on.special
   * @param {() => void} on.relearn go back to learning
   * @param {() => void} on.publish apply a published tokenizer again
   * @param {() => void} on.leave
   */
  constructor(samples, { order, special }, on) {
    this.#on = on;
    this.#presets = this.#createPresets(samples);
    const title = "Read <|endoftext|> and its like as control tokens, not as text";
    this.#special = toggle("special tokens", special, (special) => on.special(special), title);
    const orders = menu("Order", ORDERS, order, (order) => on.order(/** @type {Choices["order"]} */ (order)));
    orders.node.classList.add("orders"); // of merges only
    this.node = element(
      "div",
      { class: "apply" },
      this.#learned,
      this.#text.node,
      this.#text.note,
      element("div", { class: "row settings" }, this.#picker.node, orders.node, this.#special.node, this.#about),
    );
  }

  /** The menu of examples. */
  get examples() {
    return this.#presets.node;
  }

  /** @param {Samples} samples */
  #createPresets({ samples, kinds }) {
    const short = SHORT.map((text) => ({ name: SHORT_PREFIX + text, title: text.replaceAll(" ", "·"), kind: "short" }));
    return createPresets([...short, ...samples], { short: "A word or two", ...kinds }, (name) =>
      name.startsWith(SHORT_PREFIX) ? this.#on.text(name.slice(SHORT_PREFIX.length)) : this.#on.sample(name),
    );
  }

  /** @param {Choices} choices */
  show({ tried, learn }) {
    for (const node of [this.#picker.node, this.#special.node, this.#about]) node.hidden = tried !== null;
    if (!tried) return fill(this.#learned);
    const merges = plural(tried.merges, "merge");
    fill(
      this.#learned,
      element("span", {}, `Here are the first ${merges} learned from “${beginning(learn.text)}”.`),
      button("back to learning", () => this.#on.relearn()),
      button("use a published tokenizer", () => this.#on.publish()),
    );
  }

  /** @param {string} text */
  showText(text) {
    this.#text.show(text);
  }

  /** @param {string} name */
  showSample(name) {
    this.#presets.show(name);
  }

  focus() {
    this.#text.node.focus();
  }

  /** @param {any[]} tokenizers @param {string} chosen */
  updateTokenizers(tokenizers, chosen) {
    this.#picker.update(tokenizers.filter(canShow), chosen);
  }

  get picker() {
    return this.#picker;
  }
}

/** @param {string} text */
function beginning(text) {
  const characters = Array.from(text);
  return characters.length > MAX_QUOTED ? `${characters.slice(0, MAX_QUOTED).join("")}…` : text;
}
