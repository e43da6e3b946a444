/**
 * The view of a comparison: in which of its layouts the text stands, which tokenizer is in place, and how large the type is.
 */

import { element, fill, isStill, number } from "../shared/dom/elements.js";
import { saySigns } from "../shared/text/invisibles.js";
import { createSegments } from "../shared/ui/segments.js";
import { fitType, unfitType } from "../token_view/fitting.js";
import { sayHint } from "./dock.js";
import { ComparedText } from "./comparedtext.js";
import { LAYOUTS } from "./settings.js";

/** @typedef {import("./model.js").Comparison} Comparison */

/** When the page flips by itself, after it has opened, and when it flips back, in milliseconds. */
const [FLIP_MS, BACK_MS] = [1200, 3200];

export class Views extends ComparedText {
  #inputs;
  /** Holds the switch for the tokenizer whose tokens are in place. */
  #flipper = element("div", { class: "flipper" });
  /** @type {ReturnType<typeof createSegments> | null} */
  #switch = null;
  /** On the switch, how many tokens each tokenizer has. @type {HTMLElement[]} */
  #counts = [];
  /** How to read the text, and what to do. @type {HTMLElement} */
  #how = element("span", { class: "how" });
  /** What the signs in the text stand for. */
  #signs = element("span");
  hint = element("p", { class: "hint quiet" }, this.#how, this.#signs);
  #names = "";
  /** The tokenizer whose tokens are in place. */
  #shown = 0;
  #isPresented = false;
  #isPeeking = false;
  /** Aborted once the page need not flip by itself. */
  #introduction = new AbortController();

  /**
   * @param {import("./inputs.js").Inputs} inputs whose settings say which layout is on screen
   * @param {HTMLElement} panes the view is put into it
   * @param {import("./comparedtext.js").TextListeners} on
   */
  constructor(inputs, panes, on) {
    const pane = element("div", { class: "compared-pane" });
    super(pane, on);
    this.#inputs = inputs;
    /** The text, and what stands around it. @type {HTMLElement} */
    this.pane = pane;
    pane.prepend(this.#flipper);
    panes.append(pane);
    const { view } = inputs.settings.compare;
    this.choice = createSegments("View", LAYOUTS, view, (chosen) => this.#change(chosen)).node;
    this.#change(view);
  }

  /** @param {Comparison} comparison */
  show(comparison) {
    super.show(comparison, this.#inputs.settings.lang);
    this.#offer(comparison);
    fill(this.#signs, saySigns(comparison.text));
    this.#fit();
  }

  /** Flip once and back, to show what flipping is, unless the reader begins before. */
  introduce() {
    const { signal } = this.#introduction;
    if (signal.aborted || isStill()) return;
    const timers = [setTimeout(() => this.peek(true), FLIP_MS), setTimeout(() => this.#introduction.abort(), BACK_MS)];
    signal.addEventListener("abort", () => (timers.forEach(clearTimeout), this.peek(false)));
    for (const begun of ["pointerdown", "keydown"]) document.addEventListener(begun, () => this.#introduction.abort(), { signal, capture: true });
  }

  /** While presented, the type is as large as there is room for. @param {boolean} isPresented */
  present(isPresented) {
    this.#isPresented = isPresented;
    this.#fit();
  }

  /** Where the text is in place, show the next tokenizer's tokens while a key is held. @param {boolean} isHeld */
  peek(isHeld) {
    const count = this.comparison?.names.length;
    if (isHeld === this.#isPeeking) return;
    this.#isPeeking = isHeld;
    if (!count || this.#inputs.settings.compare.view !== "place") return;
    const shown = (this.#shown + Number(isHeld)) % count;
    this.#switch?.show(String(shown));
    this.flip(shown);
  }

  dispose() {
    this.#introduction.abort();
    super.dispose();
  }

  /** @param {import("./comparedtext.js").Layout} view */
  #change(view) {
    this.#inputs.change({ view });
    this.#flipper.hidden = view !== "place";
    const hold = element("span", { class: "hold" }, ", or hold ", element("kbd", {}, "B"));
    fill(this.#how, ...(view === "place" ? ["Switch from one to the other", hold, ": what changes flashes. "] : []), `${sayHint(view)} `);
    this.layOut(view);
    this.pane.classList.toggle("in-place", view === "place");
    this.pane.classList.toggle("in-columns", view === "sides");
    this.#fit();
  }

  /** Offer the tokenizers to choose from, each with its number of tokens. @param {Comparison} comparison */
  #offer({ names, colors, models }) {
    if (this.#names !== names.join("\n")) this.#createSwitch(names, colors);
    this.#counts.forEach((count, t) => fill(count, number(models[t].n)));
  }

  /** @param {string[]} names @param {number[]} colors */
  #createSwitch(names, colors) {
    this.#names = names.join("\n");
    const options = names.map((name, t) => /** @type {[string, string]} */ ([String(t), name]));
    this.#switch = createSegments("Tokenizer in place", options, "0", (t) => this.#flip(Number(t)));
    const { node } = this.#switch;
    this.#counts = names.map(() => element("b"));
    [...node.children].forEach((label, t) => {
      label.classList.add(`own-${colors[t]}`);
      label.querySelector("span")?.append(" ", this.#counts[t]);
    });
    fill(this.#flipper, node);
    this.#shown = 0;
    this.node.dataset.shown = "0";
  }

  /** @param {number} t */
  #flip(t) {
    this.#shown = t;
    this.flip(t);
  }

  #fit() {
    if (this.#isPresented && this.comparison) fitType(this.pane, this.comparison.text.length, [this.node], this.hint.offsetHeight);
    else unfitType(this.pane);
  }
}
