/**
 * The row of the merges known: a button that plays them, the slider, and their number; or why there is none.
 */

import { debounce, element, fill } from "../shared/dom/elements.js";
import { MergeSlider } from "../seek/slider.js";
import { sayTooLong, whatDecides } from "../seek/wording.js";

/** @typedef {import("../shared/text/tokenization.js").TokenizationModel} Model */

/** Time without a key after which the merges of a text are asked for, and length of the longest such text, in UTF-16 units. */
const [ASK_AFTER_MS, ASK_UP_TO] = [500, 20_000];

export class FewerMerges {
  #limit;
  #settings;
  #answers;
  #on;
  /** What makes the tokens. @type {string | null | undefined} */
  #algorithm = "bpe";
  #slider = new MergeSlider({ seek: (k) => this.#know(k), watch: () => void this.#load() });
  #reason = element("p", { class: "reason quiet", role: "status" });
  #askLater = debounce(() => void this.#load(), ASK_AFTER_MS);

  /**
   * @param {object} sources
   * @param {number} sources.limit longest text, in bytes
   * @param {Pick<import("../shared/page/memory.js").Settings, "merges">} sources.settings
   * @param {() => Pick<import("./answers.js").Answers, "model" | "full" | "current" | "seeking" | "refusal" | "askMerges" | "know">} sources.answers
   * @param {object} on
   * @param {(before: Model, merges: number | null) => void} on.known another number of merges was chosen than that of the model
   * @param {() => void} on.loaded the merges of the text have come
   */
  constructor({ limit, settings, answers }, on) {
    this.#limit = limit;
    this.#settings = settings;
    this.#answers = answers;
    this.#on = on;
    const { play, rail, known } = this.#slider;
    // Whoever comes to the slider is about to move it.
    const come = () => void this.#load();
    this.node = element("section", { class: "fewer", "aria-label": "Merges known", pointerenter: come, focusin: come }, play, rail, known, this.#reason);
    this.newest = this.#slider.newest;
  }

  /** Whether not all merges are known, so that tokens may change in every frame. */
  get isUsed() {
    return this.#settings.merges !== null && this.#answers().seeking !== null;
  }

  /** Whether the merges of a text are needed with its tokens. @param {string} text */
  needs(text) {
    return this.#settings.merges !== null && this.#reasonAgainst(text.length) === "";
  }

  /** @param {number} bytes of the text, or fewer */
  #reasonAgainst(bytes) {
    return whatDecides(this.#algorithm) || (bytes > this.#limit ? sayTooLong(this.#limit) : "");
  }

  /** Another tokenizer is used. @param {string | null | undefined} algorithm what makes its tokens */
  use(algorithm) {
    this.#algorithm = algorithm;
    this.#slider.unload();
  }

  /** Ask for the merges of the text, unless they are known, or there is no answer about this text yet. */
  async #load() {
    const { full, current, seeking, refusal } = this.#answers();
    if (!full || !current || seeking || refusal || this.#reasonAgainst(full.byteOffsets[full.n])) return;
    if (await this.#answers().askMerges()) this.#show();
    if (this.#answers().seeking) this.#on.loaded();
  }

  /** Show the text under the first k merges. @param {number} k */
  #know(k) {
    const { model, seeking } = this.#answers();
    const merges = k === seeking?.seek.merges ? null : k;
    this.#settings.merges = merges;
    this.#answers().know(merges);
    if (model) this.#on.known(model, merges);
  }

  /** There are tokens of another text, or of another tokenizer. */
  tokensChanged() {
    this.#show();
    const { full, seeking } = this.#answers();
    if (full && !seeking && full.text.length <= ASK_UP_TO) this.#askLater.later();
  }

  #show() {
    const { full, seeking, refusal } = this.#answers();
    const reason = full ? this.#reasonAgainst(full.byteOffsets[full.n]) || refusal : "";
    if (this.#reason.textContent !== reason) fill(this.#reason, reason);
    this.node.classList.toggle("without", reason !== "");
    this.#slider.play.disabled = reason !== "";
    if (seeking && !reason) this.#slider.load(seeking, this.#settings.merges ?? seeking.seek.merges);
    else if (reason) this.#slider.unload();
    else this.#slider.wait();
  }

  dispose() {
    this.#askLater.cancel();
    this.#slider.unload();
  }
}
