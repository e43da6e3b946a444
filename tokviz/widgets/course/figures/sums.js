/**
 * A sum as it is written at school, under several tokenizers: where they cut the numbers, and where carries go.
 */

import { element, fill } from "../../shared/dom/elements.js";
import { createAsking } from "../asking.js";
import { createField } from "../field.js";

/** @typedef {{name: string, numbers: string[][], whole: boolean, does: boolean}} Cut `numbers`: the pieces of both numbers, and of their sum; `whole`: none is cut */
/** @typedef {{carries: number[], rows: Cut[], says: string}} Sum `carries`: places from the right, the last being 0 */

/** @param {string} value @returns {[string, string]} */
export function readValue(value) {
  const [first, second = ""] = value.split("+");
  return [first.trim(), second.trim()];
}

/** @param {import("../figures.js").Context} context @returns {import("../figures.js").Figure} */
export function create(context) {
  /** @type {[string, string]} */
  let numbers = ["", ""];
  const fields = [0, 1].map((i) => createField({ label: `Number ${i + 1}`, most: 12, kind: "mono number-field" }, (typed) => change(i, typed)));
  const says = element("p", { class: "says", role: "status" });
  const sums = element("div", { class: "sums-grid" });
  const asking = createAsking(context, (/** @type {Sum} */ sum) => {
    fill(says, sum.says);
    fill(sums, ...sum.rows.map((row) => sumNode(row, sum.carries)));
  });
  const node = element("div", { class: "sums" }, element("div", { class: "row" }, fields[0].node, element("span", { class: "plus" }, "+", fields[1].node)), asking.problem, says, sums);

  /** @param {number} i @param {string} typed */
  function change(i, typed) {
    show((i ? [numbers[0], typed] : [typed, numbers[1]]).join("+"));
    context.changed();
  }

  /** @param {string} value */
  function show(value) {
    numbers = readValue(value);
    fields.forEach((field, i) => field.show(numbers[i]));
    void asking.ask({ route: "sums", text: "", query: { first: numbers[0], second: numbers[1] } });
  }

  return { node, value: () => numbers.join("+"), show, dispose: () => asking.dispose() };
}

/** @param {Cut} cut @param {number[]} carries */
function sumNode({ name, numbers, whole, does }, carries) {
  const width = Math.max(...numbers.map((pieces) => pieces.join("").length), ...carries.map((place) => place + 1));
  const carried = Array.from({ length: width }, (_, i) => (carries.includes(width - 1 - i) ? "1" : " ")).join("");
  const lines = numbers.map((pieces, i) => element("p", { class: i === 2 ? "sum" : null }, i === 1 && "+ ", ...pieces.map((piece, k) => element("span", { class: `piece-of tint-${k % 4}` }, piece))));
  return element(
    "section",
    { class: "sum-card", "aria-label": name },
    element("h3", {}, name),
    element("div", { class: "mono digits" }, element("p", { class: "carries quiet", "aria-hidden": "true" }, carried), ...lines),
    element("p", { class: "quiet" }, whole ? "not cut at all" : does ? "cut at different places" : "cut at the same places"),
  );
}
