/**
 * Three things to try on the text that is there, one click each.
 */

import { button, element, fill } from "../shared/elements.js";

/**
 * The three buttons, and a line that says what the last one changed.
 *
 * @param {object} on
 * @param {() => void} on.space
 * @param {() => void} on.capital
 * @param {() => void} on.language
 * @param {() => void} on.undo
 */
export function createTries(on) {
  const says = element("p", { class: "says", role: "status" });
  const undo = button("undo", on.undo, { hidden: true });
  const buttons = [
    button("a space in front", on.space),
    button("a capital", on.capital),
    button("another language", on.language),
  ];
  const outcome = element("div", { class: "row outcome", hidden: true }, says, undo);
  const node = element(
    "div",
    { class: "tries" },
    element(
      "div",
      { class: "row", role: "group", "aria-label": "Things to try" },
      element("span", { class: "quiet" }, "Try:"),
      ...buttons,
    ),
    outcome,
  );
  return {
    node,
    /** @param {string} sentence @param {boolean} undoable */
    say(sentence, undoable) {
      fill(says, sentence);
      outcome.hidden = !sentence;
      undo.hidden = !undoable;
    },
  };
}
