/**
 * Settings of the Compare page.
 */

import { withNewest } from "../shared/net/madetokenizers.js";
import { recall } from "../shared/page/memory.js";
import { FOLDS } from "./folds.js";

/** Fewest and most tokenizers that are compared; the first is the reference. */
export const [MIN_TOKENIZERS, MAX_TOKENIZERS] = [2, 8];

/**
 * @typedef {object} OwnSettings settings of the Compare page, besides those that all pages share
 * @property {string[]} tokenizers
 * @property {number} reason bit of the reason to filter by; 0 for all
 * @property {number} kind number of the class to filter by; -1 for all
 * @property {typeof LAYOUTS[number][0]} view how the tokenizers' tokens stand: beneath each other, in place, or side by side
 * @property {import("./folds.js").FoldName[]} folds those that are open
 * @property {Record<string, string>} prices of a million tokens, as the reader typed them, by tokenizer
 * @property {string} second a second text to count under one tokenizer
 * @property {string} textTokenizer the tokenizer of the second text; "" for the last compared
 * @property {string} [newest] the reader's own tokenizer that was last added because other pages chose it
 */

/** @typedef {ReturnType<typeof initialSettings>} Settings the shared settings, and under `compare` those of this page */

/** Layouts of the text, with their labels. @type {["aligned" | "place" | "sides", label: string][]} */
export const LAYOUTS = [
  ["place", "Flip"],
  ["aligned", "Aligned"],
  ["sides", "Side by side"],
];

/** @type {OwnSettings} */
export const DEFAULTS = {
  tokenizers: ["gpt2", "cl100k_base"],
  reason: 0,
  kind: -1,
  view: "place",
  folds: [],
  prices: {},
  second: "",
  textTokenizer: "",
};

/**
 * Settings that the page starts with: from the link, else as the tab remembers them, else the defaults.
 * Without a link, the reader's own tokenizer that other pages have chosen is compared as well.
 *
 * @param {import("../shared/net/madetokenizers.js").Offer[]} tokenizers the choices
 * @param {Record<string, any> | null} stored the tab's state
 * @param {{settings: Partial<OwnSettings>, shared: Record<string, any>, names?: OwnSettings["folds"]} | null} link
 *   `names`: the folds that hold what the link names
 */
export function initialSettings(tokenizers, stored, link) {
  const names = tokenizers.map(({ name }) => name);
  /** @type {OwnSettings} */
  const own = { ...DEFAULTS, ...stored?.compare, ...link?.settings };
  own.tokenizers = limited(own.tokenizers.filter((name) => names.includes(name)));
  own.prices = { ...own.prices }; // modified while the reader types
  own.folds = FOLDS.filter((name) => own.folds.includes(name) || link?.names?.includes(name));
  const shared = recall(stored, tokenizers);
  return { ...shared, ...link?.shared, compare: withNewest(own, shared.tokenizer, tokenizers, link !== null, MAX_TOKENIZERS) };
}

/**
 * Limit a choice of tokenizers to two to eight, adding the defaults if there are fewer.
 *
 * @param {string[]} names
 */
export function limited(names) {
  const missing = DEFAULTS.tokenizers.filter((name) => !names.includes(name));
  return names.length < MIN_TOKENIZERS ? [...names, ...missing].slice(0, MIN_TOKENIZERS) : names.slice(0, MAX_TOKENIZERS);
}
