/**
 * Links to the Tokens page: the settings that differ from the defaults.
 */

import { flag, has, readMerges, readSample } from "../shared/net/links.js";
import { COLORINGS } from "../token_view/colors.js";
import { viewNamed } from "./views.js";

/** @typedef {import("../shared/page/memory.js").Settings} Settings */

/** @param {Settings} settings @param {string} sample the example on screen, "" for any other text */
export function linkFields(settings, sample) {
  return {
    sample,
    tokenizer: settings.tokenizer,
    color: settings.colorBy === "alternate" ? "" : settings.colorBy,
    marks: settings.marks ? "" : "0",
    special: flag(settings.special),
    view: settings.view === viewNamed("") ? "" : settings.view,
    merges: settings.merges === null ? "" : String(settings.merges),
  };
}

/**
 * Read the settings of a link. Unknown tokenizers and samples are ignored and reported in `note`.
 *
 * @param {Record<string, string>} fields
 * @param {{tokenizers: {name: string}[], samples: {name: string}[]}} offers
 */
export function linked(fields, offers) {
  const { tokenizer, color, marks, special, ids, view, merges } = fields;
  /** @type {Partial<Settings>} */
  const settings = {
    colorBy: COLORINGS.find(({ value }) => value === color)?.value ?? "alternate",
    marks: marks !== "0",
    special: special === "1",
    view: viewNamed(ids === "1" ? "all" : view), // "ids": in links made before, for a list of them
    merges: readMerges(merges),
    known: "", // a link has no vocabulary of words; it is built from the text
  };
  const isHere = has(offers.tokenizers, tokenizer);
  if (isHere) settings.tokenizer = tokenizer;
  const missing = tokenizer && !isHere ? "This link is for a tokenizer that is not here, so another one is shown. " : "";
  const { sample, note } = readSample(fields, offers.samples);
  return { settings, sample, note: `${missing}${note}`.trim() };
}

/**
 * Read the tokenizer from the address of an earlier link, which had it in the query, and remove it from there.
 *
 * @param {{name: string}[]} offers
 */
export function chosenInQuery(offers) {
  const tokenizer = new URLSearchParams(location.search).get("tokenizer") ?? "";
  if (!has(offers, tokenizer)) return {};
  history.replaceState(history.state, "", location.pathname + location.hash);
  return { tokenizer };
}
