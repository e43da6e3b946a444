/**
 * The recipe's form: how many merges, how the text is cut first, and the rest on demand.
 */

import { button, element, fill, menu, number, toggle } from "../shared/dom/elements.js";
import { EngineForm } from "./engineform.js";
import { ALGORITHMS, libraryOf, OWN } from "./engines.js";
import { ALPHABETS, allOf, MEASURES, OWN_PATTERN, PATTERNS, TIES } from "./settings.js";

/** @typedef {import("./settings.js").Recipe} Recipe */
/** @typedef {{pieces: string[], more: boolean, alphabet: number, fitting: number}} Tried what a recipe would do */

export class Form {
  #recipe;
  #on;
  /** @type {Tried | null} */
  #tried = null;
  #count = element("input", { type: "number", min: 0, max: 200_000, "aria-label": "How many", input: () => this.#set({ count: this.#count.value }) });
  #algorithm;
  #engine;
  #by;
  #pattern;
  #own;
  #alphabet;
  #mark;
  #markLabel;
  #ties;
  #specials;
  #measure;
  #other;
  #sum = element("p", { class: "quiet sum", "aria-live": "polite" });
  #cut = element("p", { class: "cuts mono", "aria-label": "How the text is cut" });
  #problem = element("p", { class: "problem", role: "alert" });
  #go = button("Train", () => this.#on.train(), { class: "button go" });
  #cancel = button("cancel", () => this.#on.cancel(), { hidden: true });

  /**
   * @param {import("./settings.js").Offers} offers
   * @param {Recipe} recipe changed in place
   * @param {object} on
   * @param {() => void} on.change
   * @param {() => void} on.train
   * @param {() => void} on.cancel
   */
  constructor(offers, recipe, on) {
    this.#recipe = recipe;
    this.#on = on;
    const set = (/** @type {string} */ name) => (/** @type {string} */ value) => this.#set(/** @type {any} */ ({ [name]: value }));
    const type = (/** @type {string} */ name, /** @type {string} */ label, properties = {}) => {
      const input = element("input", { type: "text", class: "mono", ...properties, input: () => set(name)(input.value) });
      return { input, node: element("label", { class: "menu typed" }, element("span", {}, label), input) };
    };
    this.#algorithm = menu("", ALGORITHMS, recipe.algorithm, (algorithm) => this.#set({ algorithm, options: {}, by: algorithm === OWN ? "merges" : "size", count: "" }));
    this.#algorithm.select.setAttribute("aria-label", "Algorithm");
    this.#engine = new EngineForm(recipe, () => this.#set({}));
    this.#by = menu("", [["merges", "Merges"], ["size", "Vocabulary size"]], recipe.by, (by) => this.#set({ by: /** @type {any} */ (by), count: "" }));
    this.#by.select.setAttribute("aria-label", "What is counted");
    this.#pattern = menu("Split", PATTERNS, recipe.pattern, set("pattern"));
    this.#own = type("own", "Pattern", { maxlength: 2000, title: "A regular expression, as Python’s regex reads it" });
    this.#alphabet = menu("Start from", ALPHABETS, recipe.alphabet, set("alphabet"));
    this.#mark = toggle("words end in a mark", recipe.mark, (mark) => this.#set({ mark }));
    this.#markLabel = type("markLabel", "Mark", { maxlength: 100 });
    this.#ties = menu("Ties go to", TIES, recipe.ties, set("ties"));
    this.#specials = type("specials", "Special tokens", { maxlength: 20_000, placeholder: "<|endoftext|>" });
    this.#measure = menu("Measure on", MEASURES, recipe.measure, set("measure"));
    this.#other = menu("The sample", sampleChoices(offers), recipe.other, set("other"));
    const more = [
      ...this.#engine.nodes,
      setting(this.#alphabet, "What merging begins with. Only with all 256 bytes can every text be encoded."),
      setting(this.#mark),
      setting(this.#markLabel),
      setting(this.#ties, "Several pairs are often equally frequent, and which of them is joined first changes the tokenizer."),
      setting(this.#specials, "With spaces between. The text is cut at them, and they take no part in merges."),
      setting(this.#measure, "Only text that a tokenizer has not seen shows how well it does elsewhere."),
      setting(this.#other),
    ];
    this.node = element(
      "section",
      { class: "part recipe", "aria-label": "Recipe" },
      element("div", { class: "row head" }, element("h2", {}, "Recipe")),
      element("div", { class: "setting algorithm" }, this.#algorithm.node),
      element("div", { class: "setting" }, this.#by.node, this.#count),
      this.#sum,
      setting(this.#pattern, "It cuts the text first; merges never cross its cuts."),
      setting(this.#own),
      this.#cut,
      element("details", { class: "more" }, element("summary", {}, "more settings"), ...more),
      this.#problem,
      this.#go,
      this.#cancel,
    );
    this.show();
  }

  /** Show the recipe, after a change from outside. */
  show() {
    const { algorithm, by, count, pattern, own, alphabet, mark, markLabel, ties, specials, measure, other } = this.#recipe;
    for (const [{ select }, value] of /** @type {const} */ ([[this.#algorithm, algorithm], [this.#by, by], [this.#pattern, pattern], [this.#alphabet, alphabet], [this.#ties, ties], [this.#measure, measure], [this.#other, other]]))
      select.value = value;
    this.#count.value = count;
    this.#mark.input.checked = mark;
    for (const [{ input }, value] of /** @type {const} */ ([[this.#own, own], [this.#markLabel, markLabel], [this.#specials, specials]])) input.value = value;
    this.#showFields();
  }

  /** Show what the recipe would do with the text. @param {Tried | null} tried null while that isn't known */
  showTried(tried) {
    this.#tried = tried;
    this.#count.placeholder = tried ? String(this.#fitting(tried)) : "as many as fit";
    const pieces = tried?.pieces.map((piece) => element("span", {}, piece)) ?? [];
    fill(this.#cut, ...pieces, tried?.more && "…");
    this.#cut.hidden = !pieces.length;
    this.#showSum();
  }

  /** @param {string} sentence "" if nothing is wrong */
  showProblem(sentence) {
    fill(this.#problem, sentence);
    if (sentence) this.showTried(null);
  }

  /** @param {boolean} isRunning */
  showRunning(isRunning) {
    this.#go.disabled = isRunning;
    this.#cancel.hidden = !isRunning;
  }

  /** The number of merges that a training would learn, as far as is known. */
  get merges() {
    const { by, count } = this.#recipe;
    const start = (this.#tried?.alphabet ?? 256) + this.#numSpecials;
    if (!count) return this.#tried?.fitting ?? 1000;
    return by === "size" ? Math.max(0, Number(count) - start) : Number(count);
  }

  /** What a training would learn, as far as is known, in words. */
  get goal() {
    if (this.#isOwn) return `${number(this.merges)} merges`;
    const size = this.#recipe.count || this.#tried?.fitting;
    return size ? `up to ${number(Number(size))} pieces` : "pieces";
  }

  get #isOwn() {
    return this.#recipe.algorithm === OWN;
  }

  get #numSpecials() {
    return this.#recipe.specials.split(/\s+/).filter(Boolean).length;
  }

  /** @param {Tried} tried */
  #fitting({ alphabet, fitting }) {
    return this.#recipe.by === "size" && this.#isOwn ? alphabet + fitting + this.#numSpecials : fitting;
  }

  /** @param {Partial<Recipe>} change */
  #set(change) {
    Object.assign(this.#recipe, change);
    if ("by" in change) {
      this.#count.value = "";
      this.#by.select.value = this.#recipe.by;
    }
    if ("algorithm" in change) this.showTried(null);
    this.#showFields();
    this.#on.change();
  }

  #showFields() {
    const { pattern, alphabet, mark, measure } = this.#recipe;
    const isOwn = this.#isOwn;
    this.#by.select.disabled = !isOwn; // other libraries are told a size
    this.#engine.show();
    const fields = /** @type {[{node: HTMLElement}, boolean][]} */ ([
      [this.#pattern, isOwn],
      [this.#own, isOwn && pattern === OWN_PATTERN],
      [this.#alphabet, isOwn],
      [this.#mark, isOwn && alphabet === "characters"],
      [this.#markLabel, isOwn && alphabet === "characters" && mark],
      [this.#ties, isOwn],
      [this.#specials, isOwn],
      [this.#other, measure === "sample"],
    ]);
    for (const [{ node }, isShown] of fields) /** @type {HTMLElement} */ (node.parentElement).hidden = !isShown;
    this.#showSum();
  }

  /** @param {number} characters different ones in the text */
  #saySize(characters) {
    const bytes = libraryOf(this.#recipe.algorithm) === "sentencepiece" && this.#recipe.options.byte_fallback === "1" ? " and for 256 bytes" : "";
    const room = `The text has ${number(characters)} different characters. The vocabulary needs room for them${bytes}.`;
    return this.#recipe.count ? room : `${room} The size fits the length of the text, unless you type another.`;
  }

  /** Add up the vocabulary. */
  #showSum() {
    if (!this.#tried) return fill(this.#sum);
    const { alphabet: start, fitting } = this.#tried;
    if (!this.#isOwn) return fill(this.#sum, this.#saySize(start));
    const units = this.#recipe.alphabet === "characters" ? "characters" : "bytes";
    const specials = this.#numSpecials ? ` + ${this.#numSpecials} special` : "";
    const merges = this.merges;
    if (!fitting && !this.#recipe.count) return fill(this.#sum, "No two neighbors occur twice yet: type more, such as a word twice.");
    const fits = this.#recipe.count ? "" : ". The length of the text decides, unless you type a number.";
    fill(this.#sum, `${number(start)} ${units} + ${number(merges)} merges${specials} = ${number(start + merges + this.#numSpecials)} tokens${fits}`);
  }
}

/** @param {{node: HTMLElement}} control @param {string} [explained] */
function setting({ node }, explained) {
  return element("div", { class: "setting" }, node, explained && element("p", { class: "quiet hint" }, explained));
}

/** @param {import("./settings.js").Offers} offers @returns {[string, string][]} */
function sampleChoices({ samples, kinds, large }) {
  const all = Object.entries(kinds).map(([kind, title]) => /** @type {[string, string]} */ ([allOf(kind), `${title} (all)`]));
  return [...[...large, ...samples].map(({ name, title }) => /** @type {[string, string]} */ ([name, title])), ...all];
}
