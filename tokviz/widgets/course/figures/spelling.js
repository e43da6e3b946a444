/**
 * The letters of a word within its tokens: how often one stands in each, and what is left of the tokens if it is reversed.
 */

import { element, fill, plural } from "../../shared/dom/elements.js";
import { createSegments } from "../../shared/ui/segments.js";
import { createAsking } from "../asking.js";
import { createField } from "../field.js";
import { rowOfPieces, sayWho } from "../pieces.js";

/** @typedef {import("../pieces.js").Row} Row */
/** @typedef {Row & {counts: number[], reversed: Row & {does: boolean}, shared: number, does: boolean}} Spelled */
/** @typedef {{count: number, reverse: string, rows: Spelled[]}} Spelling */
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
  const rows = element("div", { class: "rungs" });
  const says = element("p", { class: "says", role: "status" });
  const asking = createAsking(context, (answer) => draw(answer));
  const node = element("div", { class: "spelling" }, element("div", { class: "row" }, word.node, choice.node, counted), says, rows, asking.problem);

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
    void asking.ask({ route: "spelling", text: state.word, query: { letter: state.letter } });
  }

  /** @param {Spelling} spelling */
  function draw(spelling) {
    const isCounting = state.mode === "count";
    fill(says, ...(isCounting ? sayCount(spelling, state) : sayReverse(spelling)));
    fill(rows, ...spelling.rows.map((row) => (isCounting ? rowOfPieces(context, { ...row, says: `${row.counts.join(" + ") || 0} · ` }) : rowOfPieces(context, { ...row.reversed, name: row.name }, sayShared(row)))));
  }

  return { node, value: () => writeValue(state), show, dispose: () => asking.dispose() };
}

/** The letter, or, if the word lacks it, the most frequent one in the word. @param {string} word @param {string} letter */
export function letterIn(word, letter) {
  if (word.includes(letter) || !word.trim()) return letter;
  const times = (/** @type {string} */ char) => word.split(char).length;
  return [...word].filter((char) => char.length === 1 && char.trim()).reduce((best, char) => (times(char) > times(best) ? char : best), letter);
}

/** @param {Spelling} spelling @param {Pick<State, "letter" | "word">} typed */
export function sayCount({ count, rows }, { letter, word }) {
  if (!word || !letter) return ["Type a word, and a letter that is in it."];
  if (!count) return [element("b", {}, letter), ` isn’t in this word. ${word.toLowerCase().includes(letter.toLowerCase()) ? "Capital and small letters are different characters." : ""}`];
  return [element("b", {}, letter), ` stands here ${plural(count, "time")}: below is how often in each token. `, sayWho([`${letter} shares a token with others`, `${letter} shares no token`], rows)];
}

/** @param {Spelling} spelling */
export function sayReverse({ reverse, rows }) {
  if (!reverse) return ["Type a word."];
  const reversed = rows.map((row) => ({ name: row.name, does: row.reversed.does }));
  return ["Reversed: ", element("bdi", { class: "mono" }, reverse), ". ", sayWho(["the reversed word has other tokens", "it has the same ones in another order"], reversed)];
}

/** @param {Spelled} row */
const sayShared = ({ shared, count }) => element("p", { class: "back quiet" }, `The word itself has ${plural(count, "token")}: ${shared || "none"} of them ${shared > 1 ? "are" : "is"} here again.`);
