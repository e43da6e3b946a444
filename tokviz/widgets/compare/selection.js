/**
 * The selected segment, and the card about it.
 */

import { debounce, fill } from "../shared/dom/elements.js";
import { sentencesOf } from "./explaining.js";
import { differenceAfter, differenceIn, firstAbove, placeOf } from "./model.js";
import { sayPicture } from "./picture.js";

/** @typedef {import("./model.js").Comparison} Comparison */

const EXPLAIN_AFTER_MS = 80;

/**
 * @typedef {object} SelectionParts what shows the selection, or knows about it
 * @property {Pick<import("./answers.js").Answers, "comparison" | "explain" | "reasonsRefusal" | "recall">} answers
 * @property {Pick<import("./comparedtext.js").ComparedText, "choose" | "scrollTo" | "bringIntoView">} views
 * @property {Pick<import("./differences.js").Differences, "placeOf" | "standAt">} differences
 * @property {Pick<import("./dock.js").Dock, "explain" | "bringIntoView">} dock where it is explained
 * @property {Element} spoken live region that says how and why the selected segment is cut differently
 */

export class Selection {
  #parts;
  /** The selected segment. @type {number | null} */
  #chosen = null;
  /** Byte offset of the difference to start at. @type {number | null} */
  #startByte = null;
  #explainLater = debounce(() => void this.#explain(), EXPLAIN_AFTER_MS);

  /** @param {SelectionParts} parts */
  constructor(parts) {
    this.#parts = parts;
  }

  /** Byte offset of the selected segment; null if there is none. */
  get byte() {
    const { comparison } = this.#parts.answers;
    return comparison && this.#chosen !== null ? comparison.boundaries[this.#chosen] : null;
  }

  /** Select the difference at a byte offset in the next comparison. @param {number | null} byte null for none */
  startAt(byte) {
    this.#startByte = byte;
  }

  /**
   * Show a new comparison. If it is of the same text, the selection stays at its place.
   *
   * @param {Comparison} comparison
   * @param {Comparison | null} previous
   */
  show(comparison, previous) {
    const chosen = this.#chosen;
    this.clear();
    if (chosen !== null && previous?.text === comparison.text) {
      const kept = differenceAfter(comparison, placeOf(previous, chosen)[0]);
      if (kept !== undefined) this.reveal(kept);
    }
    if (this.#startByte !== null) this.goTo(firstAbove(comparison.boundaries, this.#startByte) - 1);
    this.#startByte = null;
  }

  /** Select a segment that is in view; let go of it if it is selected. @param {number} segment */
  select(segment) {
    if (segment === this.#chosen) return this.clear();
    this.#parts.differences.standAt(segment);
    this.#choose(segment);
    this.#parts.dock.bringIntoView();
  }

  /** Select a segment and scroll its view to it. @param {number} segment */
  reveal(segment) {
    this.#parts.differences.standAt(segment);
    this.#choose(segment);
    this.#parts.views.scrollTo(segment);
  }

  /** Select a segment, if it exists, and scroll the page to it. @param {number} segment */
  goTo(segment) {
    const { answers, views } = this.#parts;
    if (!answers.comparison || segment >= answers.comparison.isDiffering.length) return;
    this.reveal(segment);
    views.bringIntoView();
  }

  clear() {
    this.#choose(null);
  }

  dispose() {
    this.#explainLater.cancel();
  }

  /** @param {number | null} segment */
  #choose(segment) {
    this.#chosen = segment;
    this.#parts.views.choose(segment);
    this.showCard();
  }

  /** Show the card anew, as when the reasons came after the comparison, or there are none. */
  showCard() {
    const segment = this.#chosen;
    const { answers, dock, differences, spoken } = this.#parts;
    const { comparison } = answers;
    const difference = comparison && segment !== null ? differenceIn(comparison, segment) : -1;
    if (!comparison || segment === null || difference < 0) return dock.explain(segment, null);
    const explanation = answers.recall(segment);
    const place = differences.placeOf(difference);
    dock.explain(segment, { bits: comparison.bits[difference], refusal: answers.reasonsRefusal, explanation });
    if (!explanation) return this.#explainLater.later();
    fill(spoken, [`${place}.`, sayPicture(comparison, segment, []), ...sentencesOf(explanation)].join(" "));
  }

  async #explain() {
    const { answers } = this.#parts;
    const { comparison } = answers;
    const segment = this.#chosen;
    if (!comparison || segment === null) return;
    const [explanation] = await answers.explain([segment]).catch(() => [null]);
    if (explanation && comparison === answers.comparison && segment === this.#chosen) this.showCard();
  }
}
