/**
 * The two views of a comparison, aligned and side by side, of which one is on screen.
 */

import { element } from "../shared/dom/elements.js";
import { createSegments } from "../shared/ui/segments.js";
import { fitType, unfitType } from "../token_view/fitting.js";
import { Score } from "./score.js";
import { Sides } from "./sides.js";

/** @typedef {import("./model.js").Comparison} Comparison */
/** @typedef {import("./settings.js").OwnSettings["view"]} View */

/** @type {[View, label: string][]} */
const VIEWS = [
  ["aligned", "aligned"],
  ["sides", "side by side"],
];

export class Views {
  #inputs;
  #answers;
  #panes;
  #score;
  #sides;
  #isPresented = false;

  /**
   * @param {import("./inputs.js").Inputs} inputs whose settings say which view is on screen
   * @param {Pick<import("./answers.js").Answers, "comparison">} answers
   * @param {HTMLElement} panes the views are put into it; it has the class "with-card" while a segment is selected
   * @param {import("./score.js").ScoreListeners} on
   */
  constructor(inputs, answers, panes, on) {
    this.#inputs = inputs;
    this.#answers = answers;
    this.#panes = panes;
    /** @type {HTMLElement} */
    this.node = element("div", { class: "score-pane" });
    this.#score = new Score(this.node, on);
    this.#sides = new Sides({ point: (segment) => on.point(segment), select: (segment) => on.select(segment) });
    this.node.append(this.#sides.node);
    panes.append(this.node);
    const { view } = inputs.settings.compare;
    this.choice = createSegments("View", VIEWS, view, (chosen) => this.#change(chosen)).node;
    this.#change(view);
  }

  /** @param {Comparison} comparison */
  show(comparison) {
    const { lang } = this.#inputs.settings;
    this.#score.show(comparison, lang);
    if (!this.#isAligned()) this.#sides.show(comparison, lang);
    this.#leaveRoom(null);
    this.#fit();
  }

  /** @param {number | null} segment the selected segment */
  choose(segment) {
    this.#score.choose(segment);
    if (this.#leaveRoom(segment)) this.#fit();
  }

  /** While presented, the type is as large as there is room for. @param {boolean} isPresented */
  present(isPresented) {
    this.#isPresented = isPresented;
    this.#fit();
  }

  /** @param {number} segment */
  scrollTo(segment) {
    this.#current().scrollTo(segment);
  }

  /** Whether the selected segment, or the view if there is none, is inside the window. */
  isChosenInWindow() {
    const { node } = this.#current();
    const { top, bottom } = (node.querySelector(".block.chosen, .t.same") ?? node).getBoundingClientRect();
    return top >= 0 && bottom <= window.innerHeight;
  }

  dispose() {
    this.#score.dispose();
    this.#sides.dispose();
  }

  /** @param {View} view */
  #change(view) {
    this.#inputs.change({ view });
    const isAligned = this.#isAligned();
    this.#score.node.hidden = !isAligned;
    this.#sides.node.hidden = isAligned;
    const { comparison } = this.#answers;
    if (isAligned) this.#sides.dispose();
    else if (comparison) this.#sides.show(comparison, this.#inputs.settings.lang);
    this.#fit();
  }

  /**
   * Leave room for the card of a selected segment on a screen that is presented.
   *
   * @param {number | null} segment
   * @returns {boolean} whether the room has changed
   */
  #leaveRoom(segment) {
    const { classList } = this.#panes;
    const before = classList.contains("with-card");
    return classList.toggle("with-card", segment !== null) !== before;
  }

  #fit() {
    const { comparison } = this.#answers;
    if (!this.#isPresented || !comparison) return unfitType(this.node);
    const views = this.#isAligned() ? [this.#score.node] : this.#sides.views;
    fitType(this.node, comparison.text.length, views);
    this.#score.updateSize();
  }

  #isAligned() {
    return this.#inputs.settings.compare.view === "aligned";
  }

  #current() {
    return this.#isAligned() ? this.#score : this.#sides;
  }
}
