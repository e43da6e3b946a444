/**
 * The figures of a comparison: token counts in sight, the bill, the classes and the agreement each in a fold.
 */

import { element, fill, headOf, menu, number, rowOf, wide } from "../shared/dom/elements.js";
import { OWN, percent, WINDOWS } from "../shared/text/windows.js";
import { createAgreement, createClasses } from "./breakdown.js";
import { sayAgreement, sayBill, sayClasses } from "./summaries.js";
import { createTotals, differenceOf } from "./totals.js";

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

// The bill. No prices are built in: they change, and they belong to models, not to tokenizers

const MILLION = 1_000_000;
const COLUMNS = [
  "tokenizer",
  "tokens",
  "bytes per token",
  "against the first",
  "of the window",
  "price of 1M tokens",
  "cost of this text",
];

/**
 * @param {{window: string, prices: Record<string, string>}} settings prices per million tokens, by tokenizer
 * @param {object} on
 * @param {(size: string) => void} on.window
 * @param {(prices: Record<string, string>) => void} on.prices
 */
function createBill(settings, on) {
  const presets = WINDOWS.filter(([size]) => size !== OWN);
  const start = Number(settings.window) > 0 ? settings.window : "128000";
  /** A size that a link or another page set. @type {[string, string][]} */
  const custom = presets.some(([size]) => size === start) ? [] : [[start, number(Number(start))]];
  const windows = menu("Context window", [...presets, ...custom], start, on.window);
  const body = element("tbody");
  const node = element(
    "section",
    { class: "bill", "aria-label": "The bill" },
    element("div", { class: "row" }, windows.node),
    wide("The bill as a table", element("table", {}, headOf(COLUMNS), body)),
  );

  /** @param {Comparison} comparison @param {string} id @param {number} t @param {number} tokens */
  function row({ names, models }, id, t, tokens) {
    const bytes = models[t].byteOffsets[tokens];
    const price = element("input", {
      type: "number",
      min: 0,
      step: "any",
      placeholder: "type a price",
      "aria-label": `Price of a million tokens, ${names[t]}`,
      value: settings.prices[id] ?? "",
      input: () => {
        settings.prices[id] = price.value;
        on.prices(settings.prices);
        fill(cost, costOf(tokens, price.value));
      },
    });
    const cost = element("td", {}, costOf(tokens, price.value));
    return rowOf(
      names[t],
      number(tokens),
      tokens ? (bytes / tokens).toFixed(2) : "–",
      t ? differenceOf(tokens, models[0].n) || "–" : "reference",
      percent(tokens / Number(windows.select.value)),
      element("td", {}, price),
      cost,
    );
  }

  return {
    node,
    /** @param {Comparison} comparison @param {string[]} ids tokenizer names as used in requests */
    show(comparison, ids) {
      const focused = /** @type {Document | ShadowRoot} */ (body.getRootNode()).activeElement;
      const focusedIndex = [...body.querySelectorAll("input")].indexOf(/** @type {any} */ (focused));
      fill(body, ...comparison.models.map((model, t) => row(comparison, ids[t], t, model.n)));
      if (focusedIndex >= 0) body.querySelectorAll("input")[focusedIndex]?.focus();
    },
  };
}

/** Format the cost of a number of tokens. @param {number} tokens @param {string} price of a million tokens */
export function costOf(tokens, price) {
  const cost = (Number(price) * tokens) / MILLION;
  if (price === "" || !(cost >= 0)) return "–";
  const hasCents = cost >= 1 || cost === 0;
  const digits = hasCents ? { minimumFractionDigits: 2, maximumFractionDigits: 2 } : { maximumSignificantDigits: 3 };
  return cost.toLocaleString("en-US", digits);
}
