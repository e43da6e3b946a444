/**
 * What a link to the Compare page says: the settings by which it differs from a fresh page.
 */

import { MOST } from "./chooser.js";
import { REASONS } from "./model.js";

/**
 * @typedef {object} Settings what the Compare page remembers besides what all pages share
 * @property {string[]} tokenizers
 * @property {number} reason the bit of the reason that is filtered by; 0 for all
 * @property {number} kind the class that is filtered by; -1 for all
 */

/** @type {Settings} */
export const DEFAULTS = { tokenizers: ["gpt2", "cl100k_base"], reason: 0, kind: -1 };

/** @param {Settings} settings @param {boolean} special @param {string} sample the example on screen, "" if it is another text */
export function linkFields(settings, special, sample) {
  const { tokenizers, reason, kind } = settings;
  return {
    sample,
    compare: tokenizers.join(","),
    reason: reason ? String(reason) : "",
    kind: kind < 0 ? "" : String(kind),
    special: special ? "1" : "",
  };
}

/**
 * What of a link is understood. What is not is left as it is, and the note says so.
 *
 * @param {Record<string, string>} fields
 * @param {{tokenizers: {name: string}[], samples: {name: string}[]}} offers
 */
export function linked(fields, offers) {
  const { compare = "", sample = "", reason, kind = "", special } = fields;
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
    },
    special: special === "1",
    sample: known ? sample : "",
    note: notes.join(" "),
  };
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
