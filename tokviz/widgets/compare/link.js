/**
 * Contents of a link to the Compare page: the settings that differ from a fresh page.
 */

import { flag, has, packText, readSample } from "../shared/net/links.js";
import { FOLDS } from "./folds.js";
import { REASONS } from "./model.js";
import { LAYOUTS, limited } from "./settings.js";

/** Context window of a fresh page, in tokens. */
const DEFAULT_WINDOW = "128000";

/**
 * @param {import("./settings.js").OwnSettings} settings
 * @param {{special: boolean, window: string}} shared settings that other pages also have
 * @param {string} sample name of the example on screen; "" for any other text
 * @param {number | null} at byte offset of the selected difference; null if there is none
 */
export async function linkFields(settings, { special, window }, sample, at) {
  const { tokenizers, reason, kind, view, folds, prices, second, textTokenizer } = settings;
  return {
    sample,
    compare: tokenizers.join(","),
    reason: reason ? String(reason) : "",
    kind: kind < 0 ? "" : String(kind),
    view,
    open: folds.join(","),
    prices: tokenizers.some((name) => prices[name]) ? tokenizers.map((name) => prices[name] ?? "").join(",") : "",
    window: window === DEFAULT_WINDOW ? "" : window,
    special: flag(special),
    second: second && (await packText(second)),
    under: second ? textTokenizer : "",
    at: at === null ? "" : String(at),
  };
}

/**
 * Read the fields of a link. Fields that are not understood take their default or leave the setting unchanged; unknown
 * tokenizers and examples are noted. A link that names no view was made when the first was the aligned one.
 *
 * @param {Record<string, string>} fields
 * @param {{tokenizers: {name: string}[], samples: {name: string}[]}} offers
 */
export function linked(fields, offers) {
  const { compare = "", reason, kind = "", view, prices = "" } = fields;
  const { window = "", special, under = "", at = "", open, second } = fields;
  const names = compare.split(",").filter((name) => has(offers.tokenizers, name));
  const missing = compare && names.length < compare.split(",").length ? "This link is for a tokenizer that is not here. " : "";
  const { sample, note } = readSample(fields, offers.samples);
  return {
    settings: {
      tokenizers: limited(names),
      reason: REASONS.find(({ bit }) => String(bit) === reason)?.bit ?? 0,
      kind: /^[0-9]{1,2}$/.test(kind) ? Number(kind) : -1,
      view: LAYOUTS.find(([layout]) => layout === view)?.[0] ?? "aligned",
      ...(open !== undefined && { folds: FOLDS.filter((name) => open.split(",").includes(name)) }),
      ...(prices && { prices: pricesOf(compare.split(","), prices.split(",")) }),
      ...(has(offers.tokenizers, under) && { textTokenizer: under }),
    },
    names: foldsNamed({ reason, kind, prices, window, second }),
    shared: { special: special === "1", ...(/^[1-9][0-9]{0,8}$/.test(window) && { window }) },
    at: /^[0-9]{1,8}$/.test(at) ? Number(at) : null,
    sample,
    note: `${missing}${note}`.trim(),
  };
}

/**
 * The folds that hold what a link names, so that it is in sight.
 *
 * @param {Record<"reason" | "kind" | "prices" | "window" | "second", string | undefined>} fields
 */
function foldsNamed({ reason, kind, prices, window, second }) {
  /** @type {[import("./folds.js").FoldName, boolean][]} */
  const named = [
    ["places", Boolean(reason || kind)],
    ["bill", Boolean(prices || window)],
    ["text", Boolean(second)],
  ];
  return named.filter(([, isNamed]) => isNamed).map(([name]) => name);
}

/** @param {string[]} names @param {string[]} prices */
function pricesOf(names, prices) {
  const known = names.map((name, k) => [name, prices[k] ?? ""]).filter(([, price]) => Number(price) > 0);
  return Object.fromEntries(known);
}
