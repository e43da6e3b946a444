/**
 * How many tokens each tokenizer needs: large, and once.
 */

import { element, fill, number, rounded } from "../shared/elements.js";

/** @typedef {import("./model.js").Comparison} Comparison */

export function createTotals() {
  const list = element("dl", { class: "counts" });
  return {
    node: element("section", { "aria-label": "Tokens" }, list),
    /** @param {Comparison} comparison */
    show({ names, models }) {
      const reference = models[0].n;
      fill(
        list,
        ...names.map((name, t) =>
          element(
            "div",
            { class: "main" },
            element("dt", {}, unitOf(name, models[t].n), t > 0 && element("b", {}, ` ${differenceOf(models[t].n, reference)}`)),
            element("dd", {}, number(models[t].n)),
          ),
        ),
      );
    },
  };
}

/** What those of the simple tokenizers are, by their names in the list. */
const UNITS = ["Code points", "Bytes", "Words"];

/** What is counted: "GPT-2 tokens", "bytes". @param {string} name of the tokenizer @param {number} count */
function unitOf(name, count) {
  const many = UNITS.includes(name) ? name.toLowerCase() : `${name} tokens`;
  return count === 1 ? many.slice(0, -1) : many;
}

/**
 * How much a count is above a reference, in percent of it: "−19 %". Of nothing there is no percentage: "".
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
