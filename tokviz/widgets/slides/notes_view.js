/**
 * The teacher's notes to a step: what to say and ask, the answer, what comes then, and the time.
 */

import { filled, marked } from "../room/text.js";
import { element, fill, LETTERS } from "../shared/dom/elements.js";
import { standing } from "./places.js";
import { Timer } from "./timer.js";

/** @typedef {import("./slide.js").Step} Step */
/** @typedef {import("../room/questions.js").Question} Question of another page, which has no notes but what phones see of it */

export class NotesView {
  #steps;
  #words;
  #timer;
  #body = element("div", { class: "notes-body" });
  /** What the notes follow. */
  following = element("p", { class: "quiet", role: "status" });

  /** @param {Step[]} steps @param {import("../room/text.js").Words} words */
  constructor(steps, words) {
    this.#steps = steps;
    this.#words = words;
    this.#timer = new Timer(words.time);
    const head = element("div", { class: "row" }, this.following, this.#timer.node);
    this.node = element("section", { class: "tokviz notes", "aria-label": words.notes }, head, this.#body);
  }

  /** @param {Step | Question} step @param {boolean} isRevealed @param {number} [started] when it began, in ms of the clock */
  show(step, isRevealed, started) {
    const words = this.#words;
    const index = this.#steps.indexOf(/** @type {Step} */ (step));
    const next = this.#steps.slice(index + 1).find((each) => !each.number); // phones are asked for numbers only in a room
    const minutes = "minutes" in step ? step.minutes[1] - step.minutes[0] : 0;
    if (started) this.#timer.start(started, minutes);
    const right = (step.answers ?? []).map((answer) => LETTERS[answer]).join(", ");
    const part = (/** @type {string} */ title, /** @type {string | undefined} */ text, /** @type {string} */ kind) =>
      text && element("div", { class: kind }, element("h3", {}, title), element("p", {}, ...marked(text)));
    this.#body.classList.toggle("revealed", isRevealed);
    fill(
      this.#body,
      index >= 0 && element("p", { class: "quiet" }, standing(words, this.#steps, index)),
      element("h2", {}, step.title),
      part(words.say, step.say, "say"),
      part(words.ask, step.question, "ask"),
      element("ol", { type: "A" }, ...(step.choices ?? []).map((choice) => element("li", {}, ...marked(choice)))),
      part(right ? `${words.answer}: ${right}` : words.answer, step.reveal, "answer"),
      index >= 0 && element("p", { class: "quiet" }, next ? filled(words.then, { title: next.title }) : words.then_end),
    );
  }

  /** Show a sentence instead of notes. @param {string} sentence */
  say(sentence) {
    fill(this.#body, element("p", {}, sentence));
  }

  dispose() {
    this.#timer.dispose();
    this.node.remove();
  }
}
