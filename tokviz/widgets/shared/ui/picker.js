/**
 * Tokenizer picker: always shows the choice, its vocabulary size and the models that use it; also searches by model.
 *
 * A combobox with a listbox as in the WAI-ARIA practices: focus stays in the text box, arrow keys move the active
 * option, Enter picks it, Escape closes.
 */

import { element, fill, number } from "../dom/elements.js";
import { withSigns } from "../text/marks.js";

const NOT_LISTED =
  "Open models, such as Llama 3, Qwen or DeepSeek, come with a file, tokenizer.json: open it on the Tokens page, and their " +
  "tokenizer is in this list. Those of some closed models, such as Claude's newer ones, are not published, so they " +
  "can't be counted offline.";

/** @type {Listed} */
const NONE = { texts: [], more: 0 };

/** Maximum models named; the rest are only counted. */
const MAX_MODELS_NAMED = 4;

/**
 * @typedef {object} Offer a tokenizer on offer
 * @property {string} name
 * @property {string} label
 * @property {number | null} vocabSize null if it depends on the text
 * @property {string[]} models "gpt-4o-*" stands for all names with that prefix
 * @property {"bpe" | "simple"} kind
 * @property {Listed} [before] special tokens that its file puts before a text for a model
 * @property {Listed} [after] and after it
 */

/** @typedef {{texts: string[], more: number}} Listed the first texts, and the number of further ones */

/**
 * @param {(name: string) => void} onChoose
 * @param {string} [name] label, which tells several pickers apart
 * @param {string} [id] of the text box, unique on the page
 */
export function createPicker(onChoose, name = "Tokenizer", id = "tokenizer") {
  /** @type {Offer[]} */
  let offers = [];
  /** @type {Offer | undefined} */
  let chosen;
  /** @type {Offer[]} */
  let shown = [];
  let active = -1;

  const list = element("ul", { role: "listbox", id: `${id}-list`, "aria-label": "Tokenizers" });
  const message = element("p", { class: "quiet", role: "status" });
  const popup = element("div", { class: "popup", hidden: true }, list, message);
  const input = element("input", {
    type: "text",
    id,
    role: "combobox",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    "aria-controls": `${id}-list`,
    "aria-expanded": "false",
    "aria-autocomplete": "list",
    "aria-describedby": `about-${id} around-${id}`,
    focus: () => input.select(),
    click: open,
    input: () => show(search(offers, input.value), true),
    keydown: handleKey,
    blur: close,
  });
  const about = element("p", { class: "about quiet", id: `about-${id}` });
  const around = element("p", { class: "around quiet", id: `around-${id}` });
  const label = element("label", { for: id }, name);
  const node = element("div", { class: "picker" }, label, element("div", { class: "field" }, input, popup), about, around);
  // Pressing on the list must not move focus out of the text box: that would close the list before the click.
  popup.addEventListener("pointerdown", (/** @type {Event} */ event) => event.preventDefault());
  popup.addEventListener("mousedown", (/** @type {Event} */ event) => event.preventDefault());

  function open() {
    if (popup.hidden) show(offers, false);
  }

  function close() {
    popup.hidden = true;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
    input.value = chosen?.label ?? "";
  }

  /** @param {Offer[]} found @param {boolean} searching */
  function show(found, searching) {
    shown = found;
    fill(list, ...found.map(option));
    const missing = found.length ? "" : `No tokenizer here is called “${input.value.trim()}” or used by such a model. `;
    fill(message, found.length && searching ? "" : missing + NOT_LISTED);
    popup.hidden = false;
    input.setAttribute("aria-expanded", "true");
    activate(searching ? Math.min(0, found.length - 1) : found.indexOf(/** @type {Offer} */ (chosen)));
  }

  /** @param {Offer} offer @param {number} index */
  function option(offer, index) {
    return element(
      "li",
      {
        role: "option",
        id: `${id}-${index}`,
        "aria-selected": String(offer === chosen),
        click: () => choose(offer),
      },
      element("b", {}, offer.label),
      element("span", { class: "quiet" }, describe(offer, input.value === chosen?.label ? "" : input.value)),
    );
  }

  /** @param {number} index */
  function activate(index) {
    list.children[active]?.classList.remove("active");
    active = index;
    const option = list.children[index];
    input[option ? "setAttribute" : "removeAttribute"]("aria-activedescendant", option?.id);
    option?.classList.add("active");
    option?.scrollIntoView({ block: "nearest" });
  }

  /** @param {KeyboardEvent} event */
  function handleKey(event) {
    if (event.isComposing) return;
    const last = shown.length - 1;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (popup.hidden) return open();
      const next = active + (event.key === "ArrowDown" ? 1 : -1);
      activate(next > last ? 0 : next < 0 ? last : next);
    } else if (event.key === "Enter" && !popup.hidden && shown[active]) {
      event.preventDefault();
      choose(shown[active]);
    } else if (event.key === "Escape") {
      close();
      input.select();
    }
  }

  /** @param {Offer} offer */
  function choose(offer) {
    setChosen(offer);
    close();
    onChoose(offer.name);
  }

  /** @param {Offer | undefined} offer */
  function setChosen(offer) {
    chosen = offer;
    input.value = offer?.label ?? "";
    fill(about, offer ? describe(offer, "") : "");
    about.title = offer?.models.join(", ") ?? "";
    fill(around, offer ? sayAround(offer) : "");
  }

  return {
    node,
    /** @param {Offer[]} newOffers @param {string} name of the chosen one */
    update(newOffers, name) {
      offers = newOffers;
      setChosen(offers.find((offer) => offer.name === name));
      if (popup.hidden) close();
    },
  };
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
 * Describe the special tokens that a tokenizer's file puts around a text, which no page shows or counts.
 *
 * @param {Pick<Offer, "before" | "after">} offer
 */
export function sayAround({ before = NONE, after = NONE }) {
  const places = [
    ...(before.texts.length ? [`${joinTokens(before)} in front of the text`] : []),
    ...(after.texts.length ? [`${joinTokens(after)} ${before.texts.length ? "behind it" : "behind the text"}`] : []),
  ];
  if (!places.length) return "";
  const they = before.texts.length + after.texts.length > 1 ? "these are" : "that is";
  return `For a model, its file also puts ${places.join(" and ")}; ${they} neither shown nor counted here.`;
}

/** @param {Listed} tokens */
function joinTokens({ texts, more }) {
  const named = [...texts.map(withSigns), ...(more ? [`${number(more)} more`] : [])];
  return named.length > 1 ? `${named.slice(0, -1).join(", ")} and ${named[named.length - 1]}` : named[0];
}

/** @param {Offer} offer @param {string} typed models that match it are named first */
function describe({ vocabSize, models }, typed) {
  const query = simplify(typed);
  const sorted = query ? [...models].sort((one, other) => matchScore(other, query) - matchScore(one, query)) : models;
  const named = sorted.filter((model) => !model.endsWith("*")).slice(0, MAX_MODELS_NAMED);
  const size = vocabSize === null ? "its vocabulary is the words of your text" : `vocabulary of ${number(vocabSize)}`;
  if (!named.length) return size;
  const more = models.length - named.length;
  return `${size}, used by ${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
