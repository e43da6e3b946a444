/**
 * A question of a chapter: predict first, then see. The answer is there once a choice is made.
 */

import { element, fill, LETTERS } from "../shared/dom/elements.js";
import { proseOf } from "./prose.js";

/** @typedef {import("./prose.js").Part} Part */

/**
 * @param {{parts: Part[], choices: Part[][], right: number, answer: Part[]}} question
 * @param {import("./prose.js").Ways} ways
 */
export function createQuestion({ parts, choices, right, answer }, ways) {
  const says = element("p", { class: "answer", role: "status" });
  const buttons = choices.map((choice, i) =>
    element("button", { type: "button", class: "button choice", "aria-pressed": "false", click: () => choose(i) }, element("b", { "aria-hidden": "true" }, LETTERS[i]), element("span", {}, ...proseOf(choice, ways))),
  );

  /** @param {number} chosen */
  function choose(chosen) {
    buttons.forEach((button, i) => {
      button.ariaPressed = String(i === chosen);
      button.classList.toggle("right", i === right);
    });
    fill(says, element("b", {}, chosen === right ? "Yes. " : `No: ${LETTERS[right]}. `), ...proseOf(answer, ways));
  }

  return element(
    "section",
    { class: "predict", "aria-label": "Predict" },
    element("p", { class: "asked" }, ...proseOf(parts, ways)),
    element("div", { class: "row choices-of" }, ...buttons),
    says,
    element("p", { class: "on-paper" }, element("b", {}, `${LETTERS[right]}. `), ...proseOf(answer, ways)),
  );
}
