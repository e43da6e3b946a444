/**
 * Tokenizer picker: always shows the choice, its vocabulary size and the models that use it; also searches by model.
 *
 * A combobox with a listbox as in the WAI-ARIA practices: focus stays in the text box, arrow keys move the active
 * option, Enter picks it, Escape closes.
 */

import { button, element, fill, listed, number, plural, withTerms } from "../dom/elements.js";
import { withSigns } from "../text/invisibles.js";

const NOT_LISTED =
  "For another open model, drop its file tokenizer.json on this page: its tokenizer is then in this list. " +
  "The tokenizers of some closed models, such as newer Claude models, are not published, so their tokens can't be counted here.";

const FETCHES =
  "Press Enter to fetch the tokenizer of this model from the Hugging Face hub: owner and name, as in hf:Qwen/Qwen3-8B. " +
  "The hub gets the name, and nothing of your text.";

/** What the names of tokenizers from the Hugging Face hub begin with. */
const HUB = /^\s*hf:/i;

/** @type {Listed} */
const NONE = { texts: [], more: 0 };

/** Well-known models whose tokenizers can't be offered; choosing one says why. @type {Offer[]} */
const WITHHELD = [
  { name: "", label: "Llama", vocabSize: null, numTokens: null, models: ["llama*", "meta-llama/*", "codellama*"], kind: "withheld" },
  { name: "", label: "Gemma", vocabSize: null, numTokens: null, models: ["gemma*", "google/gemma*"], kind: "withheld" },
];

/**
 * @typedef {object} Offer a tokenizer on offer
 * @property {string} name
 * @property {string} label
 * @property {number | null} vocabSize the highest id + 1; null if it depends on the text
 * @property {number | null} numTokens fewer, if some ids have no token
 * @property {string[]} models that use it, as programs write them; "gpt-4o-*" stands for all names with that prefix
 * @property {string[]} [usedBy] the same in short, as people write them
 * @property {"bpe" | "simple" | "engine" | "withheld"} kind
 * @property {Listed} [before] special tokens that a model gets before a text
 * @property {Listed} [after] and after it
 */

/** @typedef {{texts: string[], more: number}} Listed the first texts, and the number of further ones */

/** The tokenizer to compare with: GPT-2, or for GPT-2 itself, GPT-4's. @param {string} tokenizer @returns {[name: string, label: string]} */
export const otherThan = (tokenizer) => (tokenizer === "gpt2" ? ["cl100k_base", "GPT-4’s tokenizer"] : ["gpt2", "GPT-2"]);

export class Picker {
  /**
   * Called with what is typed to fetch a tokenizer from the hub, as in hf:Qwen/Qwen3-8B; null where that is not allowed.
   *
   * @type {((name: string) => void) | null}
   */
  onFetch = null;
  /** Called to open a file with a tokenizer, which may also be dropped on the page. */
  onOpen = () => {};
  #onChoose;
  #id;
  /** @type {Offer[]} */
  #offers = [];
  /** @type {Offer | undefined} */
  #chosen;
  /** @type {Offer[]} */
  #shown = [];
  #active = -1;
  #list;
  #message;
  #popup;
  #input;
  #about;
  #around;
  /** Says why the tokenizer that was asked for is not offered. */
  #refusal = element("p", { class: "problem refusal", role: "alert" });

  /**
   * @param {(name: string) => void} onChoose
   * @param {string} [name] label, which tells several pickers apart
   * @param {string} [id] of the text box, unique on the page
   * @param {string} [placeholder] shown while nothing is chosen
   */
  constructor(onChoose, name = "Tokenizer", id = "tokenizer", placeholder = "") {
    this.#onChoose = onChoose;
    this.#id = id;
    this.#list = element("ul", { role: "listbox", id: `${id}-list`, "aria-label": "Tokenizers" });
    this.#message = element("p", { class: "quiet", role: "status" });
    this.#popup = element("div", { class: "popup", hidden: true }, this.#list, this.#message);
    this.#input = this.#createInput();
    this.#input.placeholder = placeholder;
    this.#about = element("p", { class: "about quiet", id: `about-${id}` });
    this.#around = element("p", { class: "around quiet", id: `around-${id}` });
    const label = element("label", { class: "unseen", for: id }, name);
    const field = element("div", { class: "field" }, this.#input, this.#popup);
    this.node = element("div", { class: "picker" }, label, field, this.#refusal, this.#about, this.#around);
    // Pressing on the list must not move focus out of the text box: that would close the list before the click.
    for (const press of ["pointerdown", "mousedown"])
      this.#popup.addEventListener(press, (/** @type {Event} */ event) => event.preventDefault());
  }

  /** What there is to say about the choice: elsewhere than the picker, where a page wants that. */
  get notes() {
    return [this.#about, this.#around];
  }

  /** @param {Offer[]} offers @param {string} name of the chosen one */
  update(offers, name) {
    this.#offers = offers;
    this.#setChosen(offers.find((offer) => offer.name === name));
    if (this.#popup.hidden) this.#close();
  }

  #createInput() {
    const input = element("input", {
      type: "text",
      id: this.#id,
      role: "combobox",
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
      "aria-controls": `${this.#id}-list`,
      "aria-expanded": "false",
      "aria-autocomplete": "list",
      "aria-describedby": `about-${this.#id} around-${this.#id}`,
      focus: () => input.select(),
      click: () => this.#open(),
      input: () => this.#show(this.#isFromHub() ? [] : search(this.#all, input.value), true),
      keydown: (/** @type {KeyboardEvent} */ event) => this.#handleKey(event),
      blur: () => this.#close(),
    });
    return input;
  }

  #open() {
    if (this.#popup.hidden) this.#show(this.#all, false);
  }

  get #all() {
    return [...this.#offers, ...WITHHELD];
  }

  #close() {
    this.#popup.hidden = true;
    this.#input.setAttribute("aria-expanded", "false");
    this.#input.removeAttribute("aria-activedescendant");
    this.#input.value = this.#chosen?.label ?? "";
  }

  /** @param {Offer[]} found @param {boolean} searching */
  #show(found, searching) {
    this.#shown = found;
    this.#refuse();
    fill(this.#list, ...found.map((offer, index) => this.#option(offer, index)));
    const missing = found.length ? "" : `No tokenizer here is called “${this.#input.value.trim()}” or used by such a model. `;
    const fetches = this.onFetch ? " Or type the name of a model on the Hugging Face hub, as in hf:Qwen/Qwen3-8B." : "";
    if (searching && this.#isFromHub()) fill(this.#message, FETCHES);
    else fill(this.#message, found.length && searching ? "" : missing + NOT_LISTED + fetches);
    this.#popup.hidden = false;
    this.#input.setAttribute("aria-expanded", "true");
    this.#activate(searching ? Math.min(0, found.length - 1) : found.indexOf(/** @type {Offer} */ (this.#chosen)));
  }

  /** @param {Offer} offer @param {number} index */
  #option(offer, index) {
    return element(
      "li",
      {
        role: "option",
        id: `${this.#id}-${index}`,
        "aria-selected": String(offer === this.#chosen),
        click: () => this.#choose(offer),
      },
      element("b", {}, offer.label),
      element("span", { class: "quiet" }, describe(offer)),
    );
  }

  /** @param {number} index */
  #activate(index) {
    this.#list.children[this.#active]?.classList.remove("active");
    this.#active = index;
    const option = this.#list.children[index];
    this.#input[option ? "setAttribute" : "removeAttribute"]("aria-activedescendant", option?.id);
    option?.classList.add("active");
    option?.scrollIntoView({ block: "nearest" });
  }

  /** @param {KeyboardEvent} event */
  #handleKey(event) {
    if (event.isComposing) return;
    const last = this.#shown.length - 1;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (this.#popup.hidden) return this.#open();
      const next = this.#active + (event.key === "ArrowDown" ? 1 : -1);
      this.#activate(next > last ? 0 : next < 0 ? last : next);
    } else if (event.key === "Enter" && !this.#popup.hidden && this.#shown[this.#active]) {
      event.preventDefault();
      this.#choose(this.#shown[this.#active]);
    } else if (event.key === "Enter" && !this.#popup.hidden && this.#isFromHub()) {
      event.preventDefault();
      const name = this.#input.value.trim();
      this.#close();
      this.onFetch?.(name);
    } else if (event.key === "Escape") {
      this.#close();
      this.#input.select();
    }
  }

  #isFromHub() {
    return this.onFetch !== null && HUB.test(this.#input.value);
  }

  /** @param {Offer} offer */
  #choose(offer) {
    if (offer.kind === "withheld") {
      this.#close();
      return this.#refuse(...this.#sayWhyNot(offer.label));
    }
    this.#setChosen(offer);
    this.#close();
    this.#onChoose(offer.name);
  }

  /** Say why a tokenizer is not offered, or nothing. @param {...(Node | string)} reasons */
  #refuse(...reasons) {
    fill(this.#refusal, ...reasons);
  }

  /** @param {string} family of models @returns {(Node | string)[]} */
  #sayWhyNot(family) {
    const why = " Their license sets conditions for passing them on. Download tokenizer.json from the model's page, then drop it on this page, or ";
    return [
      element("b", {}, `${family}'s tokenizers are not included.`),
      why,
      button("Open it", () => this.onOpen()),
      ...(this.#chosen ? [". Still shown here: ", element("b", {}, this.#chosen.label)] : []),
      ".",
    ];
  }

  /** @param {Offer | undefined} offer */
  #setChosen(offer) {
    if (offer?.name !== this.#chosen?.name) this.#refuse();
    this.#chosen = offer;
    this.#input.value = offer?.label ?? "";
    fill(this.#about, ...(offer ? withTerms(`*Tokenizer*: ${describe(offer).replace("vocabulary", "*vocabulary*")}`) : []));
    this.#about.title = offer?.models.join(", ") ?? "";
    fill(this.#around, offer ? sayAround(offer) : "");
  }
}

/**
 * Return the tokenizers that match a search, best first: those whose name or a model's name equals it, then the closest
 * family of models, then names that start with it, then the rest.
 *
 * @param {Offer[]} offers @param {string} typed @returns {Offer[]}
 */
export function search(offers, typed) {
  const query = simplify(typed);
  if (!query) return offers;
  return offers
    .map((offer) => ({
      offer,
      score: Math.max(...[offer.name, offer.label, ...offer.models].map((name) => matchScore(name, query))),
    }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .map(({ offer }) => offer);
}

/** Score how well a name matches a search; 0 is no match. @param {string} name @param {string} query */
function matchScore(name, query) {
  const simple = simplify(name);
  if (simple === query) return 1000;
  // A version with a date or size belongs to the family: "gpt-4o-2024-05-13" is a "gpt-4o".
  const family = simple.endsWith("*") ? simple.slice(0, -1) : `${simple}-`;
  if (query.startsWith(family)) return 100 + family.length;
  if (simple.startsWith(query)) return 2;
  return simple.includes(query) ? 1 : 0;
}

/** @param {string} name */
const simplify = (name) =>
  name
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, "-");

/**
 * Describe the special tokens around a text that a model gets, which no page shows or counts.
 *
 * @param {Pick<Offer, "before" | "after">} offer
 */
export function sayAround({ before = NONE, after = NONE }) {
  const places = [
    ...(before.texts.length ? [`${joinTokens(before)} in front of the text`] : []),
    ...(after.texts.length ? [`${joinTokens(after)} ${before.texts.length ? "behind it" : "behind the text"}`] : []),
  ];
  if (!places.length) return "";
  const they = before.texts.length + after.texts.length > 1 ? "they are" : "it is";
  return `A model also gets ${places.join(" and ")}; ${they} not shown or counted.`;
}

/** @param {Listed} tokens */
function joinTokens({ texts, more }) {
  return listed([...texts.map(withSigns), ...(more ? [`${number(more)} more`] : [])]);
}

/** @param {Offer} offer */
export function describe({ vocabSize, numTokens, label, kind, usedBy = [] }) {
  if (kind === "withheld") return "not included; opens from its file";
  const size = vocabSize === null || numTokens === null ? "its vocabulary is the words of your text" : `vocabulary of ${plural(numTokens, "token")}`;
  const models = usedBy.join(", ");
  const isSaid = label === models || label.endsWith(`(${models})`);
  return models && !isSaid ? `${size}, used by ${models}` : size;
}
