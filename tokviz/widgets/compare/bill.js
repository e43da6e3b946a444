/**
 * Cost of the text under each tokenizer: tokens, bytes per token, share of a context window, and money.
 * The reader types the prices. None are built in: they change, and they belong to models, not to tokenizers.
 */

import { element, fill, menu, number } from "../shared/dom/elements.js";
import { OWN, percent, WINDOWS } from "../shared/text/windows.js";
import { differenceOf } from "./totals.js";

/** @typedef {import("./model.js").Comparison} Comparison */

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
export function createBill(settings, on) {
  /** @type {{comparison: Comparison, ids: string[]} | null} */
  let shown = null;
  const presets = WINDOWS.filter(([size]) => size !== OWN);
  const start = Number(settings.window) > 0 ? settings.window : "128000";
  /** A size that a link or another page set. @type {[string, string][]} */
  const custom = presets.some(([size]) => size === start) ? [] : [[start, number(Number(start))]];
  const windows = menu("Context window", [...presets, ...custom], start, (size) => (on.window(size), showRows()));
  const head = element("thead");
  const body = element("tbody");
  const node = element(
    "section",
    { class: "bill", "aria-label": "The bill" },
    element("div", { class: "row" }, windows.node),
    element(
      "div",
      { class: "wide", tabindex: 0, role: "region", "aria-label": "The bill as a table" },
      element("table", {}, head, body),
    ),
  );
  fill(head, element("tr", {}, ...COLUMNS.map((name) => element("th", { scope: "col" }, name))));

  function showRows() {
    if (!shown) return;
    const { comparison, ids } = shown;
    const focused = /** @type {Document | ShadowRoot} */ (body.getRootNode()).activeElement;
    const focusedIndex = [...body.querySelectorAll("input")].indexOf(/** @type {any} */ (focused));
    fill(body, ...comparison.models.map((model, t) => row(comparison, ids[t], t, model.n)));
    if (focusedIndex >= 0) body.querySelectorAll("input")[focusedIndex]?.focus();
  }

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
    return element(
      "tr",
      {},
      element("th", { scope: "row" }, names[t]),
      element("td", {}, number(tokens)),
      element("td", {}, tokens ? (bytes / tokens).toFixed(2) : "–"),
      element("td", {}, t ? differenceOf(tokens, models[0].n) || "–" : "reference"),
      element("td", {}, percent(tokens / Number(windows.select.value))),
      element("td", {}, price),
      cost,
    );
  }

  return {
    node,
    /** @param {Comparison} comparison @param {string[]} ids tokenizer names as used in requests */
    show(comparison, ids) {
      shown = { comparison, ids };
      showRows();
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
