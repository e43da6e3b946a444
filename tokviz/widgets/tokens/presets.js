/**
 * Texts to begin with: a menu of examples, and three things to try on the text that is there, one click each.
 */

import { button, element, fill } from "../shared/elements.js";

/**
 * The menu of our own samples, grouped by kind.
 *
 * @param {{name: string, title: string, kind: string}[]} samples
 * @param {Record<string, string>} kinds the groups' headings
 * @param {(name: string) => void} onChoose
 */
export function createPresets(samples, kinds, onChoose) {
  const groups = Object.entries(kinds).map(([kind, label]) =>
    element("optgroup", { label }, ...samples.filter((sample) => sample.kind === kind).map(option)),
  );
  const choose = element("option", { value: "" }, "choose a text");
  const select = element("select", { change: () => select.value && onChoose(select.value) }, choose, ...groups);
  const node = element("label", { class: "menu presets" }, element("span", {}, "Examples"), select);
  return {
    node,
    /** @param {string} name the sample that the editor holds as it is, or "" */
    show(name) {
      select.value = name;
    },
  };
}

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
    button("put a space in front", on.space),
    button("use a capital", on.capital),
    button("write it in another language", on.language),
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

/** @param {{name: string, title: string}} sample */
const option = ({ name, title }) => element("option", { value: name }, title);
