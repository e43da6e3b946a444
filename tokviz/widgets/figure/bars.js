/**
 * Numbers of texts under tokenizers as a table with bars, which needs no library and no network.
 */

import { element, fill } from "../shared/dom/elements.js";

/** Maximum rows that a slide has room for. */
const MANY = 10;

/**
 * @typedef {object} BarsData
 * @property {string} caption what is counted
 * @property {string[]} names of the tokenizers
 * @property {number[]} colors of the tokenizers: see `tokenizer_colors.py`
 * @property {number} digits after the decimal point
 * @property {{text: string, values: number[]}[]} rows in their order
 */

/** @param {HTMLElement} root @param {BarsData} data */
export function mount(root, { caption, names, colors, digits, rows }) {
  const longest = Math.max(...rows.flatMap(({ values }) => values));
  const head = names.map((name, k) => element("th", { scope: "col" }, element("i", { class: `own own-${colors[k]}` }), ` ${name}`));
  const bar = (/** @type {number} */ value, /** @type {number} */ k) => {
    const drawn = element("i", { class: `bar own-${colors[k]}` });
    drawn.style.setProperty("--share", String(value / longest));
    return element("td", {}, element("b", {}, value.toFixed(digits)), drawn);
  };
  const body = rows.map(({ text, values }) => element("tr", {}, element("th", { scope: "row" }, text), ...values.map(bar)));
  const table = element(
    "table",
    {},
    element("caption", {}, caption),
    element("thead", {}, element("tr", {}, element("td", {}), ...head)),
    element("tbody", {}, ...body),
  );
  const node = element("div", { class: `tokviz bars-of-texts${rows.length > MANY ? " many" : ""}`, tabindex: 0, role: "region", "aria-label": caption }, table);
  fill(root, node);
  return { dispose: () => node.remove() };
}
