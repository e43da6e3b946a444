/**
 * The recipe's form: how many merges, the button, and the rest on demand.
 */

import { button, element, fill, menu, number, plural, toggle } from "../shared/dom/elements.js";
import { ALGORITHMS, libraryOf, optionsOf, OWN } from "./engines.js";
import { ALPHABETS, TIES } from "../replay/input/options.js";
import { Alternatives } from "../shared/ui/alternatives.js";
import { OWN_PATTERN, WITH_OWN } from "../shared/ui/patterns.js";
import { MEASURES } from "./settings.js";
import { sampleOptions } from "./source.js";

/** @typedef {import("./settings.js").Recipe} Recipe */
/** @typedef {{pieces: string[], more: boolean, alternatives: import("../shared/ui/alternatives.js").Alternative[], alphabet: number, fitting: number}} Tried what a recipe would do */

/** Why nothing can be learned from a text, and what to do. */
export const NOTHING_TWICE = "No two neighbors occur twice yet: type more, such as a word twice.";

/** @param {Recipe} recipe whether tokviz trains it itself */
const isOwn = ({ algorithm }) => algorithm === OWN;
/** @param {Recipe} recipe whether its words may end in a mark */
const hasWords = (recipe) => isOwn(recipe) && recipe.alphabet === "characters";

export class Form {
  #recipe;
  #on;
  /** @type {Tried | null} */
  #tried = null;
  #count = element("input", { type: "number", min: 0, max: 200_000, "aria-label": "How many", input: () => this.#set({ count: this.#count.value }) });
  #by;
  /** Options of another library's algorithm. */
  #options = element("div", { class: "options" });
  /** Settings that some recipes have. @type {[node: HTMLElement, isShown: (recipe: Recipe) => boolean][]} */
  #settings = [];
  /** How many merges were learned, while the recipe and the text are those that they were learned with. @type {number | null} */
  #learned = null;
  #sum = element("p", { class: "quiet sum", "aria-live": "polite" });
  #note = element("p", { class: "quiet note", role: "status" });
  #cutting = new Alternatives((off) => this.#set({ off }));
  #problem = element("p", { class: "problem", role: "alert" });
  /** The setting that was changed last. @type {Element | null} */
  #field = null;
  #go = button("Train", () => this.#on.train(), { class: "button primary go" });
  #cancel = button("Cancel", () => this.#on.cancel(), { class: "button go", hidden: true });

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
    this.#count.value = recipe.count;
    const set = (/** @type {keyof Recipe} */ name) => (/** @type {string} */ value) => this.#set({ [name]: value });
    const choice = (/** @type {"pattern" | "alphabet" | "ties" | "measure"} */ name, /** @type {string} */ label, /** @type {[string, string][]} */ choices) =>
      menu(label, choices, recipe[name], set(name)).node;
    const typed = (/** @type {"own" | "markLabel" | "specials"} */ name, /** @type {string} */ label, properties = {}) => {
      const input = element("input", { type: "text", class: "mono", value: recipe[name], ...properties, input: () => set(name)(input.value) });
      return element("label", { class: "menu typed" }, element("span", {}, label), input);
    };
    const algorithm = menu("", ALGORITHMS, recipe.algorithm, (chosen) => this.#set({ algorithm: chosen, options: {}, by: chosen === OWN ? "merges" : "size", count: "" }));
    algorithm.select.setAttribute("aria-label", "Algorithm");
    this.#by = menu("", [["merges", "Merges"], ["size", "Vocabulary size"]], recipe.by, (by) => this.#set({ by: /** @type {any} */ (by), count: "" }));
    this.#by.select.setAttribute("aria-label", "What is counted");
    const other = menu("The sample", [], "", set("other"));
    fill(other.select, ...sampleOptions(offers));
    other.select.value = recipe.other;
    const more = [
      element("div", { class: "setting algorithm" }, algorithm.node),
      this.#setting(choice("pattern", "Split", WITH_OWN), isOwn, "It cuts the text first; merges never cross its cuts."),
      this.#setting(typed("own", "Pattern", { maxlength: 2000, title: "A regular expression, as Python’s regex reads it" }), (each) => isOwn(each) && each.pattern === OWN_PATTERN),
      this.#cutting.node,
      this.#options,
      this.#setting(choice("alphabet", "Start from", ALPHABETS), isOwn, "What merging begins with. Only with all 256 bytes can every text be encoded."),
      this.#setting(toggle("Words end in a mark", recipe.mark, (mark) => this.#set({ mark })).node, hasWords),
      this.#setting(typed("markLabel", "Mark", { maxlength: 100 }), (each) => hasWords(each) && each.mark),
      this.#setting(choice("ties", "Ties go to", TIES), isOwn, "Several pairs are often equally frequent, and which of them is joined first changes the tokenizer."),
      this.#setting(typed("specials", "Special tokens", { maxlength: 20_000, placeholder: "<|endoftext|>" }), isOwn, "With spaces between. The text is cut at them, and they take no part in merges."),
      this.#setting(choice("measure", "Measure on", MEASURES), () => true, "Only text that a tokenizer has not seen shows how well it does elsewhere."),
      this.#setting(other.node, ({ measure }) => measure === "sample"),
    ];
    const note = (/** @type {Event} */ { target }) => (this.#field = /** @type {Element} */ (target).closest(".setting"));
    this.node = element(
      "section",
      { class: "part recipe", "aria-label": "Recipe", input: note },
      element("div", { class: "setting" }, this.#by.node, this.#count),
      this.#sum,
      this.#problem,
      this.#go,
      this.#cancel,
      this.#note,
      element("details", { class: "more" }, element("summary", {}, "More settings"), ...more),
    );
    this.#showOptions();
    this.#showSettings();
  }

  /** @param {HTMLElement} control @param {(recipe: Recipe) => boolean} isShown @param {string} [explained] @returns {HTMLElement} */
  #setting(control, isShown, explained) {
    const node = element("div", { class: "setting" }, control, explained && element("p", { class: "quiet hint" }, explained));
    this.#settings.push([node, isShown]);
    return node;
  }

  /** Show what the recipe would do with the text. @param {Tried | null} tried null while that isn't known */
  showTried(tried) {
    this.#tried = tried;
    const { alternatives, pieces, more } = tried ?? { alternatives: [], pieces: [], more: false };
    this.#cutting.show(alternatives, this.#recipe.off, { pieces, more });
    this.#showSum();
  }

  /** Show how many merges were learned. @param {number | null} merges null if that is of another recipe or text */
  showLearned(merges) {
    if (merges === this.#learned) return;
    this.#learned = merges;
    this.#showSum();
  }

  /** Say nothing of what a training would learn. */
  hush() {
    fill(this.#sum);
  }

  /** Whether no two neighbors occur twice in the text, so that nothing can be learned. */
  get isVain() {
    return this.#isOwn && this.#tried?.fitting === 0;
  }

  /** Say what there is to say before a training. @param {string} sentence */
  say(sentence) {
    fill(this.#note, sentence);
  }

  /** Say what is wrong at the field that was changed last, if it is in sight. @param {string} sentence "" if nothing is wrong */
  showProblem(sentence) {
    const field = this.#field?.checkVisibility() ? this.#field : this.#sum;
    if (sentence && this.#problem.previousSibling !== field) field.after(this.#problem);
    fill(this.#problem, sentence);
    if (sentence) this.showTried(null);
  }

  /** @param {boolean} isRunning */
  showRunning(isRunning) {
    // What begins and what ends a training hand the focus to each other.
    const [leaves, stays] = isRunning ? [this.#go, this.#cancel] : [this.#cancel, this.#go];
    const hadFocus = leaves.matches(":focus");
    this.#go.hidden = isRunning;
    this.#cancel.hidden = !isRunning;
    if (hadFocus) stays.focus({ preventScroll: true });
  }

  /** The number of merges that a training would learn, as far as is known. */
  get merges() {
    const { by, count } = this.#recipe;
    const start = (this.#tried?.alphabet ?? 256) + this.#numSpecials;
    if (this.#learned !== null) return this.#learned;
    if (!count) return this.#tried?.fitting ?? 1000;
    return by === "size" ? Math.max(0, Number(count) - start) : Number(count);
  }

  /** What a training would learn, as far as is known, in words. */
  get goal() {
    if (this.#isOwn) return plural(this.merges, "merge");
    const size = this.#recipe.count || this.#tried?.fitting;
    return size ? `up to ${plural(Number(size), "piece")}` : "pieces";
  }

  get #isOwn() {
    return isOwn(this.#recipe);
  }

  get #numSpecials() {
    return this.#recipe.specials.split(/\s+/).filter(Boolean).length;
  }

  /** @param {Partial<Recipe>} change */
  #set(change) {
    Object.assign(this.#recipe, "pattern" in change || "own" in change ? { ...change, off: "" } : change);
    if ("by" in change) {
      this.#count.value = "";
      this.#by.select.value = this.#recipe.by;
    }
    if ("algorithm" in change) {
      this.showTried(null);
      this.#showOptions();
    }
    this.#showSettings();
    this.#on.change();
  }

  #showOptions() {
    fill(this.#options, ...createOptions(this.#recipe, () => this.#set({})));
  }

  #showSettings() {
    this.#by.select.disabled = !this.#isOwn; // other libraries are told a size
    for (const [node, isShown] of this.#settings) node.hidden = !isShown(this.#recipe);
    this.#showSum();
  }

  /** @param {number} characters different ones in the text */
  #saySize(characters) {
    const bytes = libraryOf(this.#recipe.algorithm) === "sentencepiece" && this.#recipe.options.byte_fallback === "1" ? " and for 256 bytes" : "";
    const room = `The text has ${plural(characters, "different character")}. The vocabulary needs room for them${bytes}.`;
    return this.#recipe.count ? room : `${room} The size fits the length of the text, unless you type another.`;
  }

  /** Add up the vocabulary. */
  #showSum() {
    this.#count.placeholder = "as many as fit";
    if (!this.#tried) return fill(this.#sum);
    const { alphabet: start, fitting } = this.#tried;
    const fits = this.#recipe.by === "size" && this.#isOwn ? start + this.#numSpecials + (this.#learned ?? fitting) : (this.#learned ?? fitting);
    this.#count.placeholder = String(fits);
    if (!this.#isOwn) return fill(this.#sum, this.#saySize(start));
    const unit = this.#recipe.alphabet === "characters" ? "character" : "byte";
    const specials = this.#numSpecials ? ` + ${this.#numSpecials} special` : "";
    const merges = this.merges;
    if (this.isVain) return fill(this.#sum, NOTHING_TWICE);
    const sum = start + merges + this.#numSpecials;
    const isLess = this.#learned !== null && this.#recipe.count !== "" && Number(this.#recipe.count) > (this.#recipe.by === "size" ? sum : merges);
    const why = isLess ? `. The text gave no more of the ${number(Number(this.#recipe.count))} asked for.` : this.#recipe.count ? "" : ". The length of the text decides, unless you type a number.";
    fill(this.#sum, `${plural(start, unit)} + ${plural(merges, "merge")}${specials} = ${number(sum)} different tokens${why}`);
  }
}

/** Create the options of the recipe's algorithm, with the library's names. @param {Recipe} recipe changed in place @param {() => void} onChange @returns {HTMLElement[]} */
function createOptions(recipe, onChange) {
  return optionsOf(recipe.algorithm).map((option) => {
    const set = (/** @type {string} */ chosen) => {
      recipe.options = { ...recipe.options, [option.name]: chosen };
      onChange();
    };
    const control = createControl(option, recipe.options[option.name] ?? option.value, set);
    return element("div", { class: "setting option" }, control, element("p", { class: "quiet hint" }, option.says));
  });
}

/** @param {import("./engines.js").Option} option @param {string} value @param {(chosen: string) => void} set @returns {HTMLElement} */
function createControl({ name, kind, choices = [], range }, value, set) {
  if (kind === "switch") return toggle(name, value === "1", (on) => set(on ? "1" : "0")).node;
  if (kind === "choice") return menu(name, choices, value, set).node;
  const [min, max, step] = range ?? [];
  const properties = kind === "number" ? { type: "number", min, max, step } : { type: "text", class: "mono", maxlength: 20 };
  const input = element("input", { ...properties, value, input: () => set(input.value) });
  return element("label", { class: "menu" }, element("span", {}, name), input);
}
