/**
 * What a link to the Tokens page says: the settings by which it differs from a fresh page.
 */

import { COLORINGS } from "./colors.js";

/** @typedef {import("../shared/memory.js").Settings} Settings */

/** @param {Settings} settings @param {string} sample the example on screen, "" if it is another text */
export function linkFields(settings, sample) {
  return {
    sample,
    tokenizer: settings.tokenizer,
    color: settings.colorBy === "alternate" ? "" : settings.colorBy,
    marks: settings.marks ? "" : "0",
    special: settings.special ? "1" : "",
    ids: settings.ids ? "1" : "",
  };
}

/**
 * What of a link is understood. What is not is left as it is, and the note says so.
 *
 * @param {Record<string, string>} fields
 * @param {{tokenizers: {name: string}[], samples: {name: string}[]}} offers
 */
export function linked(fields, offers) {
  const { tokenizer, sample = "", color, marks, special, ids } = fields;
  /** @type {Partial<Settings>} */
  const settings = {
    colorBy: COLORINGS.find(({ value }) => value === color)?.value ?? "alternate",
    marks: marks !== "0",
    special: special === "1",
    ids: ids === "1",
    known: "", // a link has no list of words: they are learned from its text
  };
  const notes = [];
  if (has(offers.tokenizers, tokenizer)) settings.tokenizer = tokenizer;
  else if (tokenizer) notes.push("This link is for a tokenizer that is not here, so another one is shown.");
  const known = has(offers.samples, sample);
  if (sample && !known) notes.push("This link is for an example that is not here.");
  return { settings, sample: known ? sample : "", note: notes.join(" ") };
}

/** @param {{name: string}[]} list @param {string} name */
const has = (list, name) => list.some((each) => each.name === name);
