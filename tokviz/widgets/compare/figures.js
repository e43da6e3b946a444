/**
 * The figures of a comparison: token counts, the bill, and where the differences come from.
 */

import { createBill } from "./bill.js";
import { createBreakdown } from "./breakdown.js";
import { createTotals } from "./totals.js";

/** @typedef {import("./model.js").Comparison} Comparison */

/**
 * @param {import("./inputs.js").Inputs} inputs
 * @param {(segment: number) => void} onGo called with the difference to go to
 */
export function createFigures(inputs, onGo) {
  const { compare, window } = inputs.settings;
  const totals = createTotals();
  const bill = createBill(
    { window, prices: compare.prices },
    {
      window: (size) => inputs.changeShared({ window: size }),
      prices: (prices) => inputs.change({ prices: { ...prices } }),
    },
  );
  const sources = createBreakdown(onGo);
  return {
    totals: totals.node,
    details: [bill.node, sources.divergence, sources.node],
    /** @param {Comparison} comparison @param {string[]} tokenizers their names, as used in requests */
    show(comparison, tokenizers) {
      totals.show(comparison);
      bill.show(comparison, tokenizers);
      sources.show(comparison);
    },
  };
}
