/**
 * Token counts of all tokenizers, as the page's main figures.
 */

import { element, fill, number, rounded } from "../shared/dom/elements.js";

export function createTotals() {
  const list = element("dl", { class: "counts" });
  const unknown = element("div", { class: "unknown" });
  return {
    node: element("section", { class: "totals", "aria-label": "Tokens" }, list, unknown),
    /** @param {import("./model.js").Comparison} comparison */
    show({ names, colors, models, unknownSays }) {
      fill(
        list,
        ...names.map((name, t) =>
          element(
            "div",
            { class: `main own-${colors[t]}` },
            element("dt", {}, element("i", { class: "own" }), name, unitOf(name, models[t].n)),
            element("dd", {}, number(models[t].n)),
          ),
        ),
      );
      fill(unknown, ...unknownSays.filter(Boolean).map((sentence) => element("p", {}, sentence)));
    },
  };
}

/** Names of the simple tokenizers, which are also their units. */
const UNITS = ["Code points", "Bytes", "Words"];
/** Whether a name is in the plural. @param {string} name of a tokenizer */
export const isUnit = (name) => UNITS.includes(name);

/** What is counted, unless the name says it: "GPT-2 tokens", but "Bytes". @param {string} name of the tokenizer @param {number} count */
const unitOf = (name, count) => !isUnit(name) && element("span", { class: "unit" }, count === 1 ? " token" : " tokens");

/**
 * Difference of a count from a reference, in percent of the reference: "−19 %"; "" if the reference is 0.
 *
 * @param {number} count
 * @param {number} reference
 */
export function differenceOf(count, reference) {
  if (!reference) return "";
  const percent = (100 * (count - reference)) / reference;
  const digits = Math.abs(percent) >= 10 || percent === 0 ? 0 : 1;
  const size = rounded(Math.abs(percent), digits);
  return `${percent > 0 ? "+" : percent < 0 ? "−" : "±"}${size} %`;
}
