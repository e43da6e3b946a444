/**
 * A step of the lesson on one screen: the question, its choices, the live figure, then the answer.
 */

import { fetchFigure, mountFigure } from "../figure/figure.js";
import { distribution, roundsLegend, voteBars } from "../room/bars.js";
import { marked } from "../room/text.js";
import { button, element, fill, LETTERS } from "../shared/dom/elements.js";

/** @typedef {import("../figure/figure.js").Link & {href: string, shown?: import("../figure/figure.js").Shown}} FigureLink `shown` in a page without a server */

/**
 * @typedef {object} Step as `tokviz/lesson/slides.py` writes it; backquotes in its texts enclose a piece of text
 * @property {string} id
 * @property {[start: number, end: number]} minutes
 * @property {string} title
 * @property {string} say
 * @property {string} question
 * @property {string[]} [choices] absent if `number` is there
 * @property {import("../room/questions.js").FreeAnswer} [number] phones send a number instead
 * @property {number[]} [answers] indices of the right choices
 * @property {string} reveal
 * @property {FigureLink[]} figures
 * @property {"open" | "covered"} covering how that figure stands before the answer
 * @property {number} asked index of the figure that stands beneath the question
 * @property {number} answer index of the figure that stands beneath the answer
 */

/** Maximum characters of choices of which four stand in one row. */
const SHORT = 14;

export class Slide {
  #base;
  #words;
  /** @type {Step | null} */
  #step = null;
  #isRevealed = false;
  /** What figures show, by their places, since slides come without a pause. @type {Map<FigureLink, Promise<import("../figure/figure.js").Shown>>} */
  #fetched = new Map();
  /** Index of the figure on screen, and the figure. @type {{index: number, part: ReturnType<typeof mountFigure>} | null} */
  #figure = null;
  #question = element("h2", { class: "question" });
  #choices = element("ol", { class: "slide-choices" });
  /** What is said of the question, then the answer, in the same place. */
  #told = element("p", { class: "told", "aria-live": "polite" });
  #stage = element("div", { class: "figure-stage" });
  #tabs = element("div", { class: "row figure-tabs" });

  #legend = element("div", { class: "legend-pane" });
  /** The numbers that phones sent. */
  #numbers = element("div", { class: "numbers" });
  #voting;

  /**
   * @param {string} base the app's root; "" without a server @param {import("../room/text.js").Words} words
   * @param {{status: Element, countHands: (choice: number, count: number) => void}} voting how many have voted;
   *   `countHands` is called when the teacher has counted hands
   */
  constructor(base, words, voting) {
    this.#base = base;
    this.#words = words;
    this.#voting = voting;
    this.node = element("div", { class: "slide" }, this.#question, this.#choices, this.#legend, this.#told, this.#numbers, this.#stage, this.#tabs);
  }

  /** The boxes of the choices, in their order. @returns {HTMLElement[]} */
  get boxes() {
    return [...this.#choices.children];
  }

  /** True if an event is the figure's. @param {Event} event */
  isOfFigure(event) {
    return event.composedPath().includes(this.#stage);
  }

  /** @param {Step} step @param {boolean} isRevealed */
  show(step, isRevealed) {
    const isOther = step !== this.#step;
    const isTurned = isRevealed !== this.#isRevealed;
    this.#step = step;
    this.#isRevealed = isRevealed;
    if (isOther) this.#showQuestion(step);
    this.node.classList.toggle("revealed", isRevealed);
    this.boxes.forEach((box, k) => box.classList.toggle("right", isRevealed && (step.answers ?? []).includes(k)));
    fill(this.#told, ...marked(isRevealed ? step.reveal : step.say));
    if (isOther || isTurned || !this.#figure) this.#open(isRevealed ? step.answer : step.asked, isOther);
    this.#cover();
    this.#showTabs();
  }

  /** Fetch the figures of a step before it is shown. @param {Step | undefined} step */
  prepare(step) {
    for (const link of step?.figures ?? []) void this.#shownOf(link);
  }

  /** @param {FigureLink} link */
  #shownOf(link) {
    const shown = this.#fetched.get(link) ?? Promise.resolve(link.shown ?? fetchFigure(this.#base, link));
    this.#fetched.set(link, shown);
    shown.catch(() => this.#fetched.delete(link)); // asked again when it is opened
    return shown;
  }

  /** @param {Step} step */
  #showQuestion(step) {
    fill(this.#question, ...marked(step.question));
    const { choices = [] } = step;
    const longest = Math.max(...choices.map((choice) => choice.length));
    const isRow = choices.length === 3 || (choices.length === 4 && longest <= SHORT);
    this.#choices.dataset.columns = String(isRow ? choices.length : 2);
    const box = (/** @type {string} */ choice, /** @type {number} */ k) =>
      element("li", { class: "choice" }, element("b", {}, LETTERS[k]), element("span", {}, ...marked(choice)), this.#handsField(k), element("div", { class: "votes" }));
    fill(this.#choices, ...choices.map(box));
  }

  /** Create the field for the hands that a choice gets, where there is no room. @param {number} k */
  #handsField(k) {
    const count = () => this.#voting.countHands(k, Number(field.value));
    /** @type {HTMLInputElement} */
    const field = element("input", { type: "number", class: "hands", min: 0, max: 999, inputmode: "numeric", placeholder: "✋", "aria-label": `${this.#words.hands} ${LETTERS[k]}`, input: count });
    return field;
  }

  /**
   * Show votes in the boxes.
   *
   * @param {import("../room/questions.js").Votes[]} votes by round; none before they are shown
   * @param {((choice: number) => number) | null} hands that were counted for a choice; null with a room, where phones vote
   */
  showVotes(votes, hands) {
    this.boxes.forEach((box, k) => {
      fill(/** @type {Element} */ (box.querySelector(".votes")), votes.length > 0 && voteBars(this.#words, votes, k));
      const field = /** @type {HTMLInputElement} */ (box.querySelector(".hands"));
      field.hidden = hands === null;
      if (hands && Number(field.value) !== hands(k)) field.value = String(hands(k) || "");
    });
    const last = votes[votes.length - 1];
    const isCounted = Boolean(last && "numbers" in last);
    fill(this.#numbers, last && "numbers" in last && distribution(this.#words, last));
    this.node.classList.toggle("counted", isCounted);
    const legend = isCounted ? element("span", { class: "quiet" }, this.#words.sent_numbers) : votes.length > 1 && roundsLegend(this.#words, votes);
    fill(this.#legend, legend);
  }

  /** Show a figure of the step. @param {number} index @param {boolean} [isOther] true if the step changed */
  #open(index, isOther = false) {
    const link = this.#step?.figures[index];
    if (!isOther && this.#figure?.index === index) return;
    this.#leaveFigure();
    if (!link) return;
    this.#figure = { index, part: mountFigure(this.#stage, this.#shownOf(link), link) };
  }

  /** Hide what gives the answer away; no touch or key shows it by mistake. */
  #cover() {
    this.#stage.classList.toggle("covered", !this.#isRevealed && this.#step?.covering === "covered");
    this.#stage.inert = !this.#isRevealed;
  }

  #showTabs() {
    const { figures } = /** @type {Step} */ (this.#step);
    const isAsking = (/** @type {FigureLink} */ { fields }) => fields.predict === "1"; // what was asked is answered
    const tabs = figures.map((link, k) => !isAsking(link) && button(link.label, () => (this.#open(k), mark())));
    const page = this.#isRevealed && this.#base && figures.length > 0 && element("a", { class: "button", target: "_blank" }, `${this.#words.open_page} ↗`);
    const mark = () => {
      const index = this.#figure?.index ?? 0;
      tabs.forEach((tab, k) => tab && (tab.ariaPressed = String(k === index)));
      if (page) page.href = figures[index].href;
    };
    mark();
    fill(this.#tabs, ...(this.#isRevealed && tabs.filter(Boolean).length > 1 ? tabs : []), this.#voting.status, page);
  }

  #leaveFigure() {
    this.#figure?.part.dispose();
    this.#figure = null;
    fill(this.#stage);
  }

  dispose() {
    this.#leaveFigure();
    this.node.remove();
  }
}
