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
      const reference = models[0].n;
      fill(
        list,
        ...names.map((name, t) =>
          element(
            "div",
            { class: "main" },
            element("dt", {}, element("i", { class: `own own-${colors[t]}` }), unitOf(name, models[t].n), t > 0 && element("b", {}, ` ${differenceOf(models[t].n, reference)}`)),
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

/** Unit of a count: "GPT-2 tokens", "bytes". @param {string} name of the tokenizer @param {number} count */
function unitOf(name, count) {
  const unit = isUnit(name) ? name.toLowerCase() : `${name} tokens`;
  return count === 1 ? unit.slice(0, -1) : unit;
}

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
