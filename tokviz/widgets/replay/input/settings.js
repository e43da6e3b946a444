/**
 * Settings of both stories: how a tokenizer is applied, and the options of the trainer whose merges are learned.
 */

import { element, fill, menu, number, toggle } from "../../shared/dom/elements.js";
import { Alternatives } from "../../shared/ui/alternatives.js";
import { withSigns } from "../../shared/text/invisibles.js";
import { OWN_PATTERN, WITH_OWN } from "../../shared/ui/patterns.js";
import { piecesBetween } from "../model/pretokens.js";
import { ALPHABETS, TIES } from "./options.js";

/** @typedef {import("../state/choices.js").Choices} Choices */

/** @type {[Choices["order"], string][]} */
const ORDERS = [
  ["rank", "by rank, everywhere at once"],
  ["pretoken", "one pre-token after the other"],
];

/** Maximum symbols and pieces of a text that are shown cut. */
const [MAX_CUT, MAX_PIECES] = [600, 60];

export class Settings {
  #state;
  #maxMerges;
  #onChange;
  #order = menu("Order", ORDERS, "", (order) => this.#changed(() => this.#state.choose({ order: /** @type {Choices["order"]} */ (order) })));
  #special = toggle(
    "Special tokens",
    false,
    (special) => this.#changed(() => this.#state.share({ special })),
    "Read <|endoftext|> and its like as control tokens, not as text",
  );
  #pattern = menu("Split", WITH_OWN, "", (pattern) => this.#learn({ pattern, off: "" }));
  #own = element("input", { type: "text", class: "mono", maxlength: 2000, title: "A regular expression, as Python’s regex reads it", input: () => this.#learn({ own: this.#own.value, off: "" }) });
  #ownLabel = element("label", { class: "menu" }, element("span", {}, "Pattern"), this.#own);
  /** What is wrong with the pattern; the page says it, too, but perhaps out of sight. */
  #problem = element("p", { class: "problem", "aria-hidden": "true", hidden: true });
  #cutting = new Alternatives((off) => this.#learn({ off }));
  #alphabet = menu("Alphabet", ALPHABETS, "", (alphabet) => this.#setAlphabet(alphabet));
  #ties = menu("Ties", TIES, "", (ties) => this.#learn({ ties }));
  #merges;
  /** How many merges the text has, if fewer than are asked for. */
  #only = element("span", { class: "quiet only", role: "status" });
  #ends = toggle(
    "End-of-word marks",
    false,
    (endOfWord) => this.#setEnds(endOfWord),
    "Each word ends in a symbol of its own. Goes with characters.",
  );
  /** What else a setting has changed. */
  #also = element("span", { class: "quiet only", role: "status" });
  #learning;

  /**
   * @param {import("../state/state.js").PageState} state its order, special tokens and training options are changed here
   * @param {number} maxMerges
   * @param {() => void} onChange
   * @param {Node[]} about what there is to say about the tokenizer
   */
  constructor(state, maxMerges, onChange, about) {
    this.#state = state;
    this.#maxMerges = maxMerges;
    this.#onChange = onChange;
    this.#merges = element("input", { type: "number", min: 0, max: maxMerges, step: 1, change: () => this.#setMerges() });
    this.#order.node.classList.add("orders"); // of merges only
    this.about = element("div", { class: "about-tokenizer quiet" }, ...about);
    const merges = element("label", { class: "menu" }, element("span", {}, "Merges"), this.#merges);
    this.#learning = [this.#pattern.node, this.#ownLabel, this.#alphabet.node, this.#ties.node, merges, this.#only, this.#ends.node, this.#also];
    this.node = element("div", { class: "row of-story" }, this.#order.node, this.#special.node, ...this.#learning, this.about);
    this.#ownLabel.after(this.#problem, this.#cutting.node);
  }

  /** Show the settings of the story that is watched. */
  show() {
    const { choices, shared } = this.#state;
    const { story, tried, order, learn } = choices;
    const isLearning = story === "learn";
    for (const node of this.#learning) node.hidden = !isLearning;
    this.#ownLabel.hidden = !isLearning || learn.pattern !== OWN_PATTERN;
    if (this.#own.value !== learn.own) this.#own.value = learn.own;
    this.#cutting.node.hidden = !isLearning || learn.pattern === "none";
    this.#order.node.hidden = isLearning;
    this.#special.node.hidden = this.about.hidden = isLearning || tried !== null;
    this.#order.select.value = order;
    this.#special.input.checked = shared.special;
    this.#pattern.select.value = learn.pattern;
    this.#alphabet.select.value = learn.alphabet;
    this.#ties.select.value = learn.ties;
    this.#merges.value = String(learn.merges);
    this.#ends.input.checked = learn.endOfWord;
  }

  /** Say if a text has fewer merges than are asked for. @param {number | null} learned null if there is no text */
  showLearned(learned) {
    const { merges } = this.#state.choices.learn;
    fill(this.#only, learned !== null && learned < merges ? `this text has only ${number(learned)}` : "");
  }

  /** @param {string} sentence "" if nothing is wrong */
  showProblem(sentence) {
    fill(this.#problem, sentence);
    this.#problem.hidden = !sentence || this.#ownLabel.hidden;
  }

  /** Show how the split pattern cuts the training text, and its alternatives. @param {import("../model/replay.js").Replay} replay */
  showCut(replay) {
    this.showProblem("");
    const pieces = piecesBetween(replay, 0, Math.min(replay.n, MAX_CUT)).slice(0, MAX_PIECES).map(({ text }) => withSigns(text));
    this.#cutting.show(replay.meta.alternatives ?? [], this.#state.choices.learn.off, { pieces, more: pieces.length < replay.branches.length });
  }

  /** End-of-word marks go with characters only. @param {string} alphabet */
  #setAlphabet(alphabet) {
    const { endOfWord } = this.#state.choices.learn;
    const isLost = endOfWord && alphabet !== "characters";
    this.#learn({ alphabet, endOfWord: endOfWord && !isLost }, isLost ? "End-of-word marks are off now: they go with characters." : "");
  }

  /** @param {boolean} endOfWord */
  #setEnds(endOfWord) {
    const isOther = endOfWord && this.#state.choices.learn.alphabet !== "characters";
    this.#learn({ endOfWord, ...(endOfWord && { alphabet: "characters" }) }, isOther ? "The alphabet is now the characters in the text: these marks go with them." : "");
  }

  #setMerges() {
    const wanted = Math.floor(Number(this.#merges.value));
    const merges = Number.isFinite(wanted) ? wanted : this.#state.choices.learn.merges;
    this.#learn({ merges: Math.max(0, Math.min(this.#maxMerges, merges)) });
  }

  /** @param {Partial<import("./options.js").LearnOptions>} change @param {string} [also] what is said of it */
  #learn(change, also = "") {
    fill(this.#also, also);
    this.#changed(() => Object.assign(this.#state.choices.learn, change));
  }

  /** @param {() => void} change */
  #changed(change) {
    change();
    this.show();
    this.#onChange();
  }
}
