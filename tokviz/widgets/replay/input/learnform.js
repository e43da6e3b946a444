/**
 * The form for learning merges: a training text, small classic examples, and the trainer's options.
 */

import { element, fill, menu, number, toggle } from "../../shared/dom/elements.js";
import { CLASSICS } from "./classics.js";
import { PATTERNS } from "../../shared/ui/patterns.js";
import { createTextBox } from "../../shared/ui/textbox.js";
import { ALPHABETS, TIES } from "./options.js";

/** @typedef {import("./classics.js").Classic} Classic */
/** @typedef {import("./options.js").LearnOptions} LearnOptions */

export class LearnForm {
  #options;
  #maxMerges;
  #on;
  #about = element("p", { class: "quiet about-example" });
  #classics = menu(
    "Examples",
    [["", "choose a text"], ...CLASSICS.map(({ title }, i) => /** @type {[string, string]} */ ([String(i), title]))],
    "",
    (value) => value && this.#choose(CLASSICS[Number(value)]),
  );
  #examples = element("div", { class: "row examples" }, this.#about, this.#classics.node);
  #text = createTextBox(
    { "aria-label": "Text to learn from", rows: 2, placeholder: "Type or paste a text to learn from" },
    (text) => this.useText(text),
  );
  #pattern = menu("Split", PATTERNS, "", (pattern) => this.#set({ pattern }));
  #alphabet = menu("Alphabet", ALPHABETS, "", (alphabet) => this.#setAlphabet(alphabet));
  #ties = menu("Ties", TIES, "", (ties) => this.#set({ ties }));
  #merges;
  /** How many merges the text has, if fewer than are asked for. */
  #only = element("span", { class: "quiet only", role: "status" });
  #ends = toggle(
    "end-of-word marks",
    false,
    (endOfWord) => this.#set({ endOfWord, ...(endOfWord && { alphabet: "characters" }) }),
    "Each word ends in a symbol of its own. Goes with characters.",
  );

  /**
   * @param {LearnOptions} options changed in place, and only here
   * @param {number} maxMerges
   * @param {object} on
   * @param {(isText: boolean) => void} on.change
   * @param {(classic: Classic) => void} on.classic
   */
  constructor(options, maxMerges, on) {
    this.#options = options;
    this.#maxMerges = maxMerges;
    this.#on = on;
    this.#merges = element("input", { type: "number", min: 0, max: maxMerges, step: 1, change: () => this.#setMerges() });
    this.node = element(
      "div",
      { class: "learn" },
      this.#text.node,
      this.#text.note,
      this.#createSettings(),
    );
    this.show();
  }

  /** The menu of examples, and what the chosen one is about. */
  get examples() {
    return this.#examples;
  }

  #createSettings() {
    return element(
      "div",
      { class: "row settings" },
      this.#pattern.node,
      this.#alphabet.node,
      this.#ties.node,
      element("label", { class: "menu" }, element("span", {}, "Merges"), this.#merges),
      this.#only,
      this.#ends.node,
    );
  }

  /** Show the options, which may have been changed. */
  show() {
    const { text, pattern, alphabet, ties, merges, endOfWord } = this.#options;
    this.#text.show(text);
    this.#pattern.select.value = pattern;
    this.#alphabet.select.value = alphabet;
    this.#ties.select.value = ties;
    this.#merges.value = String(merges);
    this.#ends.input.checked = endOfWord;
  }

  /** Say if a text has fewer merges than are asked for. @param {number | null} learned null if there is no text */
  showLearned(learned) {
    const { merges } = this.#options;
    fill(this.#only, learned !== null && learned < merges ? `this text has only ${number(learned)}` : "");
  }

  /** Learn from the reader's own text. @param {string} text */
  useText(text) {
    this.#classics.select.value = "";
    fill(this.#about);
    this.setText(text);
    this.#on.change(true);
  }

  /** Put a text into the box. @param {string} text */
  setText(text) {
    this.#options.text = text;
    this.show();
  }

  /** @param {Classic} classic */
  #choose(classic) {
    const { title: _, about, writing: __, ...options } = classic;
    Object.assign(this.#options, options);
    this.show();
    fill(this.#about, about);
    this.#on.classic(classic);
  }

  /** End-of-word marks go with characters only. @param {string} alphabet */
  #setAlphabet(alphabet) {
    this.#set({ alphabet, endOfWord: this.#options.endOfWord && alphabet === "characters" });
  }

  #setMerges() {
    const wanted = Math.floor(Number(this.#merges.value));
    const merges = Number.isFinite(wanted) ? wanted : this.#options.merges;
    this.#set({ merges: Math.max(0, Math.min(this.#maxMerges, merges)) });
  }

  /** @param {Partial<LearnOptions>} change */
  #set(change) {
    Object.assign(this.#options, change);
    this.show();
    this.#on.change(false);
  }
}
