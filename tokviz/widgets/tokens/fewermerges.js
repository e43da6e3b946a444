/**
 * What if it knew less? The text under the first merges of the tokenizer alone: a line that opens to a slider.
 */

import { button, element, fill } from "../shared/dom/elements.js";
import { browserStorage } from "../shared/dom/storage.js";
import { MergeSlider } from "../seek/slider.js";
import { sayTooLong, whatDecides } from "../seek/wording.js";

/** @typedef {import("../shared/text/tokenization.js").TokenizationModel} Model */

/** Where the browser keeps that somebody has watched the merges. */
const KEY = "tokviz:watched";

export class FewerMerges {
  #limit;
  #settings;
  #answers;
  #on;
  /** What makes the tokens. @type {string | null | undefined} */
  #algorithm = "bpe";
  #slider = new MergeSlider({ seek: (k) => this.#know(k), watch: () => this.#watched() });
  #title = button("", () => this.#setOpen(!this.isOpen), { class: "unfolds", "aria-expanded": "false" });
  #reason = element("p", { class: "quiet", role: "status" });
  #panel = element("div", { class: "panel", hidden: true }, this.#reason, this.#slider.node);

  /**
   * @param {object} sources
   * @param {number} sources.limit longest text, in bytes
   * @param {Pick<import("../shared/page/memory.js").Settings, "merges">} sources.settings
   * @param {() => Pick<import("./answers.js").Answers, "model" | "full" | "seeking" | "refusal" | "askMerges" | "forgetMerges" | "know">} sources.answers
   * @param {object} on
   * @param {(before: Model, merges: number | null) => void} on.known another number of merges was chosen than that of the model
   * @param {() => void} on.shown the slider is shown, or no longer, or why there is none
   */
  constructor({ limit, settings, answers }, on) {
    this.#limit = limit;
    this.#settings = settings;
    this.#answers = answers;
    this.#on = on;
    this.#title.append(this.#slider.title);
    this.#slider.watch.classList.toggle("inviting", browserStorage.read(KEY) === null);
    this.node = element("section", { class: "fewer", "aria-label": "Fewer merges" }, element("div", { class: "row" }, this.#title, this.#slider.buttons), this.#panel);
  }

  get isOpen() {
    return !this.#panel.hidden;
  }

  /** Whether the merges of a text are needed. @param {string} text */
  needs(text) {
    return this.isOpen && this.#reasonAgainst(text) === "";
  }

  /** @param {string} text */
  #reasonAgainst(text) {
    return whatDecides(this.#algorithm) || (text.length > this.#limit ? sayTooLong(this.#limit) : "");
  }

  /** Another tokenizer is used. @param {string | null | undefined} algorithm what makes its tokens */
  use(algorithm) {
    this.#algorithm = algorithm;
    this.#slider.buttons.hidden = whatDecides(algorithm) !== "";
  }

  /** Open the panel, as the reader does. */
  open() {
    this.#setOpen(true);
  }

  /** @param {boolean} isOpen */
  #setOpen(isOpen) {
    this.#panel.hidden = !isOpen;
    this.node.classList.toggle("open", isOpen);
    this.#title.setAttribute("aria-expanded", String(isOpen));
    if (isOpen) return void this.#load();
    this.#slider.unload();
    this.#know(null);
    this.#answers().forgetMerges();
    this.#on.shown();
  }

  /** Ask for the merges of the text, if there are tokens already: else they come with these. */
  async #load() {
    const { full } = this.#answers();
    if (!full) return;
    this.show();
    if (this.needs(full.text) && (await this.#answers().askMerges())) this.show();
    this.#on.shown();
  }

  /** Show the text under the first k merges. @param {number | null} k null for all */
  #know(k) {
    const { model, seeking } = this.#answers();
    const merges = k === seeking?.seek.merges ? null : k;
    this.#settings.merges = merges;
    this.#answers().know(merges);
    if (model) this.#on.known(model, merges);
  }

  #watched() {
    browserStorage.write(KEY, "1");
    this.#slider.watch.classList.remove("inviting");
    if (!this.isOpen) this.#setOpen(true);
  }

  /** Show the merges of the text shown, if the panel is open. */
  show() {
    const { full, seeking, refusal } = this.#answers();
    if (!this.isOpen || !full) return;
    const reason = this.#reasonAgainst(full.text) || refusal;
    fill(this.#reason, reason || (!seeking && element("span", { class: "late" }, "The merges of this text are on their way.")));
    this.#slider.node.hidden = reason !== "" || !seeking;
    if (seeking && !reason) this.#slider.load(seeking, this.#settings.merges ?? seeking.seek.merges);
    else if (reason) this.#slider.unload();
  }

  dispose() {
    this.#slider.unload();
  }
}
