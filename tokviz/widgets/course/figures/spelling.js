/**
 * The letters of a word within its tokens: how often one stands in each, and what is left of the tokens if it is reversed.
 */

import { element } from "../../shared/dom/elements.js";
import { createSegments } from "../../shared/ui/segments.js";
import { createAsking } from "../asking.js";
import { createField } from "../field.js";
import { createParts } from "../parts.js";

/** @typedef {{mode: "count" | "reverse", letter: string, word: string}} State */

/** What is done, the letter, and the word. */
const VALUE = /^(count|reverse);([^;]*);(.*)$/su;

/** @param {string} value @returns {State} */
export function readValue(value) {
  const [, mode = "count", letter = "r", word = value] = VALUE.exec(value) ?? [];
  return { mode: /** @type {State["mode"]} */ (mode), letter, word };
}

/** @param {State} state */
export const writeValue = ({ mode, letter, word }) => `${mode};${letter};${word}`;

/** @param {import("../figures.js").Context} context @returns {import("../figures.js").Figure} */
export function create(context) {
  let state = readValue("");
  const choice = createSegments("What to do", [["count", "count a letter"], ["reverse", "reverse it"]], "count", (mode) => change({ mode: /** @type {State["mode"]} */ (mode) }));
  const word = createField({ label: "A word to spell", most: 40, kind: "mono wide-field" }, (typed) => change({ word: typed, letter: letterIn(typed, state.letter) }));
  const letter = createField({ label: "Letter", most: 1, kind: "mono letter-field" }, (typed) => change({ letter: typed.replace(";", "") }));
  const counted = element("label", { class: "menu" }, element("span", {}, "Letter"), letter.node);
  const { nodes, draw } = createParts(context);
  const asking = createAsking(context, draw);
  const node = element("div", { class: "spelling" }, element("div", { class: "row" }, word.node, choice.node, counted), ...nodes, asking.problem);

  /** @param {Partial<State>} changes */
  function change(changes) {
    show(writeValue({ ...state, ...changes }));
    context.changed();
  }

  /** @param {string} value */
  function show(value) {
    state = readValue(value);
    word.show(state.word);
    letter.show(state.letter);
    choice.show(state.mode);
    counted.hidden = state.mode !== "count";
    void asking.ask({ route: "spelling", text: state.word, query: { letter: state.letter, mode: state.mode } });
  }

  return { node, value: () => writeValue(state), show, dispose: () => asking.dispose() };
}

/** The letter, or, if the word lacks it, the most frequent one in the word. @param {string} word @param {string} letter */
export function letterIn(word, letter) {
  if (word.includes(letter) || !word.trim()) return letter;
  const times = (/** @type {string} */ char) => word.split(char).length;
  return [...word].filter((char) => char.length === 1 && char.trim()).reduce((best, char) => (times(char) > times(best) ? char : best), letter);
}
