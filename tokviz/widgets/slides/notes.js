/**
 * The teacher's notes on a screen of their own, which follow the slides of another window.
 */

import { marked } from "../room/text.js";
import { element, fill } from "../shared/dom/elements.js";
import { createHearing } from "./channel.js";
import { filled, placeIn, standing } from "./places.js";
import { Timer } from "./timer.js";

const LETTERS = "ABCDEFGH";

/** @param {HTMLElement} root @param {import("./slides.js").LessonData} data */
export function mountNotes(root, { base = "", steps, words }) {
  const timer = new Timer(words.time);
  const following = element("p", { class: "quiet", role: "status" }, words.not_following);
  const body = element("div", { class: "notes-body" });
  const node = element("section", { class: "tokviz notes", "aria-label": words.notes }, element("div", { class: "row" }, following, timer.node), body);
  root.append(node);
  const hearing = createHearing(base, (told) => {
    fill(following, told ? words.following : words.not_following);
    if (!told) return;
    const place = placeIn(told.place, steps.length);
    const step = steps[place.step];
    timer.start(told.started, step.minutes[1] - step.minutes[0]);
    show(place.step, place.phase === "revealed");
  });
  show(0, false);

  /** @param {number} index @param {boolean} isRevealed */
  function show(index, isRevealed) {
    const step = steps[index];
    const right = (step.answers ?? []).map((answer) => LETTERS[answer]).join(", ");
    const part = (/** @type {string} */ title, /** @type {string} */ text, /** @type {string} */ kind) =>
      element("div", { class: kind }, element("h3", {}, title), element("p", {}, ...marked(text)));
    const next = steps.slice(index + 1).find((each) => !each.number); // phones are asked for numbers only in a room
    body.classList.toggle("revealed", isRevealed);
    fill(
      body,
      element("p", { class: "quiet" }, standing(words, steps, index)),
      element("h2", {}, step.title),
      part(words.say, step.say, "say"),
      part(words.ask, step.question, "ask"),
      element("ol", { type: "A" }, ...(step.choices ?? []).map((choice) => element("li", {}, ...marked(choice)))),
      part(right ? `${words.answer}: ${right}` : words.answer, step.reveal, "answer"),
      element("p", { class: "quiet" }, next ? filled(words.then, { title: next.title }) : words.then_end),
    );
  }

  return {
    update() {},
    dispose() {
      hearing.dispose();
      timer.dispose();
      node.remove();
    },
  };
}
