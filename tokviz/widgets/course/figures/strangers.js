/**
 * A text by tiktoken and by sentencepiece: what no piece spells is unknown, or becomes bytes, as the reader switches.
 */

import { element, fill, number, range } from "../../shared/dom/elements.js";
import { createSegments } from "../../shared/ui/segments.js";
import { createAsking } from "../asking.js";
import { createField } from "../field.js";
import { createParts } from "../parts.js";

/** @typedef {{coverage: number, bytes: "bytes" | "unk", text: string}} State `coverage`: a place in COVERAGES */

const COVERAGES = ["0.98", "0.99", "0.995", "0.999", "0.9995", "1"];
/** Coverage, "bytes" or "unk", and the text. */
const VALUE = /^([\d.]+);(bytes|unk);(.*)$/su;

/** @param {string} value @returns {State} */
export function readValue(value) {
  const [, coverage = "", bytes = "unk", text = value] = VALUE.exec(value) ?? [];
  return { coverage: Math.max(0, COVERAGES.indexOf(coverage)), bytes: bytes === "bytes" ? "bytes" : "unk", text };
}

/** @param {State} state */
export const writeValue = ({ coverage, bytes, text }) => `${COVERAGES[coverage]};${bytes};${text}`;

/** @param {import("../figures.js").Context} context @returns {import("../figures.js").Figure} */
export function create(context) {
  let state = readValue("");
  const field = createField({ label: "A text for tiktoken and sentencepiece", most: 200, kind: "mono full-field" }, (text) => change({ text }));
  const choice = createSegments("A character without a piece becomes", [["unk", "<unk>"], ["bytes", "its bytes"]], "unk", (bytes) => change({ bytes }));
  const slider = range("Coverage", (coverage) => change({ coverage }), { max: COVERAGES.length - 1 });
  const covered = element("output");
  const { nodes, draw } = createParts(context);
  const asking = createAsking(context, (/** @type {{known: number, all: number, parts: import("../parts.js").Part[]}} */ { known, all, parts }) => {
    fill(covered, element("b", {}, percent(COVERAGES[state.coverage])), ` of its training text, with ${number(known)} of the ${number(all)} different characters in it`);
    draw(parts);
  });
  const node = element(
    "div",
    { class: "strangers" },
    field.node,
    element("div", { class: "row" }, element("span", { class: "quiet" }, "A character without a piece becomes"), choice.node),
    element("label", { class: "row coverage" }, element("span", { class: "quiet" }, "Coverage"), slider, covered),
    ...nodes,
    asking.problem,
  );

  /** @param {Partial<State>} changes */
  function change(changes) {
    show(writeValue({ ...state, ...changes }));
    context.changed();
  }

  /** @param {string} value */
  function show(value) {
    state = readValue(value);
    field.show(state.text);
    choice.show(state.bytes);
    slider.value = String(state.coverage);
    const coverage = COVERAGES[state.coverage];
    slider.ariaValueText = percent(coverage);
    void asking.ask({ route: "strangers", text: state.text, query: { coverage, bytes: state.bytes } });
  }

  return { node, value: () => writeValue(state), show, dispose: () => asking.dispose() };
}

/** @param {string} part from 0 to 1 */
const percent = (part) => `${Number((100 * Number(part)).toFixed(2))} %`;
