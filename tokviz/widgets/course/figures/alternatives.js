/**
 * A split pattern as its alternatives, which can be switched off and rewritten, and the pieces that each of them cuts.
 */

import { element, fill, plural } from "../../shared/dom/elements.js";
import { createAsking } from "../asking.js";
import { createField } from "../field.js";
import { createSegments } from "../../shared/ui/segments.js";

/** @typedef {{pattern: string, label: string, on: boolean, count: number}} Alternative */
/** @typedef {{flags: string, alternatives: Alternative[], pieces: {text: string, by: number}[]}} Cutting */
/** @typedef {{pattern: string, off: number[], text: string}} State `pattern`: a name, or a pattern */

const MOST = 300;
/** @type {[string, string][]} */
const NAMES = [["gpt2", "GPT-2"], ["cl100k", "cl100k"], ["o200k", "o200k"]];
const NAMED = /^(gpt2|cl100k|o200k);(.*)$/su;

/** @param {string} value @returns {State} */
export function readValue(value) {
  const named = NAMED.exec(value);
  if (named) return { pattern: named[1], off: [], text: named[2].replaceAll("\\n", "\n") };
  try {
    const { pattern, off, text } = JSON.parse(value);
    return { pattern: String(pattern), off: [off].flat().filter(Number.isInteger), text: String(text) };
  } catch {
    return { pattern: "gpt2", off: [], text: value };
  }
}

/** @param {State} state */
export const writeValue = (state) => JSON.stringify(state);

/** @param {import("../figures.js").Context} context @returns {import("../figures.js").Figure} */
export function create(context) {
  /** @type {State} */
  let state = { pattern: "gpt2", off: [], text: "" };
  /** @type {Cutting | null} */
  let shown = null;
  const choice = createSegments("Pattern", NAMES, "gpt2", (pattern) => change({ pattern, off: [] }));
  const field = createField({ label: "A text to cut", most: MOST, kind: "mono full-field", lines: 2 }, (text) => change({ text }));
  const pieces = element("p", { class: "pieces mono", dir: "auto" });
  const list = element("ol", { class: "alternatives-list" });
  const says = element("p", { class: "says", role: "status" });
  const asking = createAsking(context, (answer) => draw(answer));
  const node = element("div", { class: "split-pattern" }, choice.node, field.node, pieces, list, says, asking.problem);

  /** @param {Partial<State>} changes */
  function change(changes) {
    state = { ...state, ...changes };
    ask();
    context.changed();
  }

  function ask() {
    choice.show(state.pattern);
    field.show(state.text);
    void asking.ask({ route: "alternatives", text: state.text, query: { pattern: state.pattern, off: state.off } });
  }

  /** @param {Cutting} cutting */
  function draw(cutting) {
    const isSame = shown && shown.alternatives.length === cutting.alternatives.length;
    shown = cutting;
    fill(pieces, ...cutting.pieces.map(({ text, by }) => element("bdi", { class: by < 0 ? "piece-of none" : `piece-of hue-${by % 8}` }, text)));
    if (isSame) [...list.children].forEach((row, i) => showRow(/** @type {HTMLElement} */ (row), cutting.alternatives[i]));
    else fill(list, ...cutting.alternatives.map((each, i) => rowOf(each, i)));
    fill(says, plural(cutting.pieces.length, "pre-token"), sayRest(cutting));
  }

  /** @param {Alternative} alternative @param {number} i */
  function rowOf(alternative, i) {
    const isOn = element("input", { type: "checkbox", role: "switch", "aria-label": `Alternative ${i + 1}`, change: () => toggle(i, isOn.checked) });
    const pattern = createField({ label: `Pattern of alternative ${i + 1}`, most: 500, kind: "mono" }, (written) => rewrite(i, written));
    const row = element("li", {}, element("label", { class: "switch" }, isOn, element("span", { class: `swatch hue-${i % 8}` })), pattern.node, element("span", { class: "quiet label-of" }), element("b", { class: "mono" }));
    showRow(row, alternative);
    return row;
  }

  /** @param {HTMLElement} row @param {Alternative} alternative */
  function showRow(row, { pattern, label, on, count }) {
    const [isOn, field] = row.querySelectorAll("input");
    isOn.checked = on;
    if (field.value !== pattern) field.value = pattern;
    fill(/** @type {Element} */ (row.querySelector(".label-of")), label);
    fill(/** @type {Element} */ (row.querySelector("b")), on ? `${count}×` : "off");
    row.classList.toggle("is-off", !on);
  }

  /** @param {number} i @param {boolean} isOn */
  function toggle(i, isOn) {
    const off = state.off.filter((each) => each !== i);
    change({ off: isOn ? off : [...off, i].sort((a, b) => a - b) });
  }

  /** @param {number} i @param {string} written */
  function rewrite(i, written) {
    if (!shown) return;
    const parts = shown.alternatives.map(({ pattern }) => pattern);
    parts[i] = written;
    change({ pattern: shown.flags + parts.join("|") });
  }

  return {
    node,
    value: () => writeValue(state),
    show(value) {
      state = readValue(value);
      ask();
    },
    dispose: () => asking.dispose(),
  };
}

/** Say what no alternative matched. @param {Cutting} cutting */
function sayRest({ pieces }) {
  const rest = pieces.filter(({ by }) => by < 0).length;
  return rest ? `; ${plural(rest, "place")} that no alternative matches, outlined. Nothing is lost: each is a pre-token as well.` : ".";
}
