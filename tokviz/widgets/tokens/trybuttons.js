/**
 * Buttons for three experiments on the current text, one click each.
 */

import { button, element, fill } from "../shared/dom/elements.js";

/**
 * Create the buttons, and a line that describes the effect of the last one.
 *
 * @param {object} on
 * @param {() => void} on.space
 * @param {() => void} on.capital
 * @param {() => void} on.language
 * @param {() => void} on.undo
 */
export function createTries(on) {
  const message = element("p", { class: "says", role: "status" });
  const undo = button("undo", on.undo, { hidden: true });
  const buttons = [
    button("a space in front", on.space),
    button("capitals", on.capital),
    button("another language", on.language),
  ];
  const outcome = element("div", { class: "row outcome", hidden: true }, message, undo);
  const node = element(
    "div",
    { class: "row tries", role: "group", "aria-label": "Things to try" },
    element("span", { class: "quiet" }, "Try:"),
    ...buttons,
  );
  return {
    node,
    outcome,
    /** @param {string} sentence @param {boolean} undoable */
    say(sentence, undoable) {
      fill(message, sentence);
      outcome.hidden = !sentence;
      undo.hidden = !undoable;
    },
  };
}
