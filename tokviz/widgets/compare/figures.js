/**
 * The figures of a comparison: token counts in sight, the bill, the classes and the agreement each in a fold.
 */

import { createBill } from "./bill.js";
import { createAgreement, createClasses } from "./breakdown.js";
import { sayAgreement, sayBill, sayClasses } from "./summaries.js";
import { createTotals } from "./totals.js";

/** @typedef {import("./model.js").Comparison} Comparison */

/**
 * @param {import("./inputs.js").Inputs} inputs
 * @param {import("./folds.js").Folds} folds
 */
export function createFigures(inputs, folds) {
  const { compare, window } = inputs.settings;
  /** @type {{comparison: Comparison, ids: string[]} | null} */
  let shown = null;
  const totals = createTotals();
  const bill = createBill(
    { window, prices: compare.prices },
    {
      window(size) {
        inputs.changeShared({ window: size });
        billFold.refresh();
      },
      prices(prices) {
        inputs.change({ prices: { ...prices } });
        sumUp();
      },
    },
  );
  const [classes, agreement] = [createClasses(), createAgreement()];
  const update = (/** @type {{show: (comparison: Comparison, ids: string[]) => void}} */ part) => () =>
    shown && part.show(shown.comparison, shown.ids);
  const billFold = folds.add("bill", "The bill", update(bill), bill.node);
  const classesFold = folds.add("classes", "Where the tokens go", update(classes), ...classes.nodes);
  const agreementFold = folds.add("agreement", "Agreement", update(agreement), ...agreement.nodes);

  /** Say what the bill comes to at the present prices. */
  function sumUp() {
    if (!shown) return;
    const prices = shown.ids.map((id) => compare.prices[id] ?? "");
    billFold.say([sayBill(shown.comparison, prices), ...shown.comparison.unknownSays.filter(Boolean)].join(" "));
  }

  return {
    totals: totals.node,
    /** @param {Comparison} comparison @param {string[]} ids tokenizer names, as used in requests */
    show(comparison, ids) {
      shown = { comparison, ids };
      totals.show(comparison);
      sumUp();
      classesFold.say(sayClasses(comparison));
      agreementFold.say(sayAgreement(comparison));
      for (const fold of [billFold, classesFold, agreementFold]) fold.refresh();
    },
  };
}
