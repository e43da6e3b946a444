/**
 * What a link to the Compare page says: the settings by which it differs from a fresh page.
 */

import { packText } from "../shared/links.js";
import { MOST } from "./chooser.js";
import { REASONS } from "./model.js";

/**
 * @typedef {object} Settings what the Compare page remembers besides what all pages share
 * @property {string[]} tokenizers
 * @property {number} reason the bit of the reason that is filtered by; 0 for all
 * @property {number} kind the class that is filtered by; -1 for all
 * @property {"aligned" | "sides"} view
 * @property {Record<string, string>} prices of a million tokens, as the reader typed them, by tokenizer
 * @property {string} second a second text to count under one tokenizer
 * @property {string} textTokenizer which one; "" for the last of those compared
 */

/** @type {Settings} */
export const DEFAULTS = {
  tokenizers: ["gpt2", "cl100k_base"],
  reason: 0,
  kind: -1,
  view: "aligned",
  prices: {},
  second: "",
  textTokenizer: "",
};

/** The context window that a fresh page has. */
const WINDOW = "128000";

/**
 * @param {Settings} settings
 * @param {{special: boolean, window: string}} shared what other pages have, too
 * @param {string} sample the example on screen, "" if it is another text
 * @param {number | null} at the byte at which the difference begins that is on screen, if there is one
 */
export async function linkFields(settings, { special, window }, sample, at) {
  const { tokenizers, reason, kind, view, prices, second, textTokenizer } = settings;
  return {
    sample,
    compare: tokenizers.join(","),
    reason: reason ? String(reason) : "",
    kind: kind < 0 ? "" : String(kind),
    view: view === "sides" ? view : "",
    prices: tokenizers.some((name) => prices[name]) ? tokenizers.map((name) => prices[name] ?? "").join(",") : "",
    window: window === WINDOW ? "" : window,
    special: special ? "1" : "",
    second: second && (await packText(second)),
    under: second ? textTokenizer : "",
    at: at === null ? "" : String(at),
  };
}

/**
 * What of a link is understood. What is not is left as it is, and the note says so.
 *
 * @param {Record<string, string>} fields
 * @param {{tokenizers: {name: string}[], samples: {name: string}[]}} offers
 */
export function linked(fields, offers) {
  const { compare = "", sample = "", reason, kind = "", view, prices = "" } = fields;
  const { window = "", special, under = "", at = "" } = fields;
  const names = compare.split(",").filter((name) => has(offers.tokenizers, name));
  const notes = [];
  if (compare && names.length < compare.split(",").length) notes.push("This link is for a tokenizer that is not here.");
  const known = has(offers.samples, sample);
  if (sample && !known) notes.push("This link is for an example that is not here.");
  return {
    settings: {
      tokenizers: readable(names),
      reason: REASONS.find(({ bit }) => String(bit) === reason)?.bit ?? 0,
      kind: /^[0-9]{1,2}$/.test(kind) ? Number(kind) : -1,
      view: /** @type {"aligned" | "sides"} */ (view === "sides" ? view : "aligned"),
      ...(prices && { prices: pricesOf(compare.split(","), prices.split(",")) }),
      ...(has(offers.tokenizers, under) && { textTokenizer: under }),
    },
    shared: { special: special === "1", ...(/^[1-9][0-9]{0,8}$/.test(window) && { window }) },
    at: /^[0-9]{1,8}$/.test(at) ? Number(at) : null,
    sample: known ? sample : "",
    note: notes.join(" "),
  };
}

/** @param {string[]} names @param {string[]} prices */
function pricesOf(names, prices) {
  const known = names.map((name, k) => [name, prices[k] ?? ""]).filter(([, price]) => Number(price) > 0);
  return Object.fromEntries(known);
}

/**
 * Two to eight tokenizers, whatever was asked for.
 *
 * @param {string[]} names
 */
export function readable(names) {
  const missing = DEFAULTS.tokenizers.filter((name) => !names.includes(name));
  return (names.length < 2 ? [...names, ...missing] : names).slice(0, Math.max(2, Math.min(MOST, names.length)));
}

/** @param {{name: string}[]} list @param {string} name */
const has = (list, name) => list.some((each) => each.name === name);
