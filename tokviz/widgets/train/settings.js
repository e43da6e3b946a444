/**
 * The recipe of a training and what it learns from: defaults, the address of earlier links, links, and requests.
 */

import { ALPHABETS, TIES } from "../replay/input/options.js";
import { oneOf } from "../shared/net/links.js";
import { readOff } from "../shared/ui/alternatives.js";
import { FIRST_OWN, OWN_PATTERN, patternQuery, WITH_OWN as PATTERNS } from "../shared/ui/patterns.js";
import { ALGORITHMS, changedOptions, engineRequest, OWN } from "./engines.js";

/** @typedef {"lines" | "sample" | ""} Measure what to measure on: lines set aside, another sample, or nothing else */

/**
 * @typedef {object} Recipe
 * @property {"text" | "sample" | "files"} source
 * @property {string} sample its name
 * @property {string} algorithm
 * @property {Record<string, string>} options of another library's algorithm, by name, where they are not the defaults
 * @property {"merges" | "size"} by what `count` counts: merges, or all tokens of the vocabulary
 * @property {string} count a number; "" for as many merges as fit the text
 * @property {string} pattern the name of a split pattern, or `OWN_PATTERN`
 * @property {string} own a regular expression
 * @property {string} off numbers of the pattern's alternatives that are switched off, with commas between
 * @property {string} alphabet
 * @property {boolean} mark whether words end in a mark
 * @property {string} markLabel
 * @property {string} ties
 * @property {string} specials special tokens, with spaces between
 * @property {Measure} measure
 * @property {string} other the sample to measure on
 */

/** @typedef {{name: string, title: string, kind: string}} Sample */
/** @typedef {{samples: Sample[], kinds: Record<string, string>, large: {name: string, title: string, about: string}[]}} Offers */

/** Limits of the Merge replay page. */
const [MAX_WATCHED, MAX_MERGES] = [100_000, 5_000];

/** Name of all samples of a kind together. @param {string} kind */
export const allOf = (kind) => `all ${kind}`;

/** @type {[Measure, string][]} */
export const MEASURES = [
  ["lines", "every tenth line, set aside"],
  ["sample", "another sample"],
  ["", "nothing else"],
];

/** @type {Recipe} */
export const DEFAULTS = {
  ...{ algorithm: OWN, options: {}, source: "sample", sample: "training-rain", by: "merges", count: "", pattern: "cl100k", own: FIRST_OWN, off: "" },
  ...{ alphabet: "bytes", mark: false, markLabel: "</w>", ties: "first-seen", specials: "", measure: "lines", other: "prose-en" },
};

/** Whether the Merge replay page can learn the same from this text. @param {Recipe} recipe @param {string | null} text @param {number} merges */
export function canWatch(recipe, text, merges) {
  const { algorithm, specials, mark, markLabel, alphabet } = recipe;
  const isPlain = algorithm === OWN && !specials.trim() && (alphabet !== "characters" || !mark || markLabel === "</w>");
  return isPlain && text !== null && text !== "" && new TextEncoder().encode(text).length <= MAX_WATCHED && merges <= MAX_MERGES;
}

/** What the page began with when links had their settings in the query. */
const BEFORE = { ...DEFAULTS, sample: "all code", by: /** @type {const} */ ("size"), count: "1000" };

/** @type {Map<string, Recipe["source"]>} */
const SOURCES = new Map([["A sample", "sample"], ["My text", "text"], ["Files", "files"]]);
/** @type {Map<string, Measure>} */
const MEASURED = new Map([["Every tenth line, set aside before training", "lines"], ["Another sample", "sample"], ["Nothing else", ""]]);
/** Parameters of the query of earlier links. */
const PARAMETERS = ["learn-from", "sample", "measure-on", "other", "pattern", "pattern-own", "size", "alphabet", "ties", "mark", "mark-label", "specials"];

/**
 * Read the address of an earlier link, whose settings are in the query.
 *
 * @param {string} search `location.search`
 * @param {Offers} offers
 * @returns {Recipe | null} null if it has none
 */
export function readQuery(search, offers) {
  const query = new URLSearchParams(search);
  if (!PARAMETERS.some((name) => query.has(name))) return null;
  const get = (/** @type {string} */ name) => query.get(name) ?? "";
  const names = namesByTitle(offers);
  const size = /^\d{1,9}$/.test(get("size")) ? get("size") : BEFORE.count;
  return {
    ...BEFORE,
    source: SOURCES.get(get("learn-from")) ?? "sample",
    sample: names.get(get("sample")) ?? BEFORE.sample,
    count: size,
    pattern: oneOf(PATTERNS, get("pattern"), BEFORE.pattern),
    own: query.has("pattern-own") ? get("pattern-own") : BEFORE.own,
    alphabet: oneOf(ALPHABETS, get("alphabet"), BEFORE.alphabet),
    mark: get("mark") === "true",
    markLabel: query.has("mark-label") ? get("mark-label") : BEFORE.markLabel,
    ties: oneOf(TIES, get("ties"), BEFORE.ties),
    specials: get("specials"),
    measure: MEASURED.get(get("measure-on")) ?? "lines",
    other: names.get(get("other")) ?? BEFORE.other,
  };
}

/** The query without the settings of earlier links. @param {string} search */
export function withoutSettings(search) {
  const query = new URLSearchParams(search);
  for (const name of PARAMETERS) query.delete(name);
  return query.size ? `?${query}` : "";
}

/** @param {Offers} offers */
function namesByTitle({ samples, kinds }) {
  const all = Object.entries(kinds).map(([kind, title]) => /** @type {const} */ ([`${title} (all)`, allOf(kind)]));
  return new Map([...samples.map(({ name, title }) => /** @type {const} */ ([title, name])).reverse(), ...all]);
}

/** Fields of a link that trains when it is opened. @param {Recipe} recipe @returns {Record<string, string>} */
export function linkFields(recipe) {
  const { algorithm, options, source, sample, by, count, pattern, own, off, alphabet, mark, markLabel, ties, specials, measure, other } = recipe;
  const shared = {
    train: "1",
    ...(source === "sample" ? { sample } : { from: source === "files" ? "files" : "" }),
    [by]: count,
    measure: measure || "nothing",
    other: measure === "sample" ? other : "",
  };
  if (algorithm !== OWN) return { ...shared, algorithm, ...changedOptions(algorithm, options) };
  return {
    ...shared,
    split: pattern,
    own: pattern === OWN_PATTERN ? own : "",
    off,
    alphabet: alphabet === DEFAULTS.alphabet ? "" : alphabet,
    ends: mark && alphabet === "characters" ? markLabel : "",
    ties: ties === DEFAULTS.ties ? "" : ties,
    specials,
  };
}

/**
 * Read the fields of a link that trains; null if the fields are of another kind of link.
 *
 * @param {Record<string, string> | null} fields @param {Offers} offers
 * @returns {Recipe | null}
 */
export function readLink(fields, offers) {
  if (!fields?.train) return null;
  const isKnown = (/** @type {string | undefined} */ name) => sampleTitle(name ?? "", offers) !== "";
  const count = fields.merges ?? fields.size ?? "";
  const algorithm = oneOf(ALGORITHMS, fields.algorithm, OWN);
  return {
    ...DEFAULTS,
    algorithm,
    options: changedOptions(algorithm, fields),
    source: isKnown(fields.sample) ? "sample" : fields.from === "files" ? "files" : "text",
    sample: isKnown(fields.sample) ? fields.sample : DEFAULTS.sample,
    by: fields.size || algorithm !== OWN ? "size" : "merges",
    count: /^\d{1,9}$/.test(count) ? count : "",
    pattern: oneOf(PATTERNS, fields.split, DEFAULTS.pattern),
    own: fields.own ?? DEFAULTS.own,
    off: readOff(fields.off),
    alphabet: oneOf(ALPHABETS, fields.alphabet, DEFAULTS.alphabet),
    mark: Boolean(fields.ends),
    markLabel: fields.ends || DEFAULTS.markLabel,
    ties: oneOf(TIES, fields.ties, DEFAULTS.ties),
    specials: fields.specials ?? "",
    measure: fields.measure === "nothing" ? "" : fields.measure === "sample" ? "sample" : "lines",
    other: isKnown(fields.other) ? fields.other : DEFAULTS.other,
  };
}

/** Title of a sample, a large one, or all of a kind; "" if there is none. @param {string} name @param {Offers} offers */
export function sampleTitle(name, { samples, kinds, large }) {
  const kind = Object.keys(kinds).find((each) => allOf(each) === name);
  if (kind) return kinds[kind];
  return [...large, ...samples].find((each) => each.name === name)?.title ?? "";
}

/** A recipe that names only samples that there are. @param {Recipe} recipe @param {Offers} offers @returns {Recipe} */
export function available(recipe, offers) {
  const sample = sampleTitle(recipe.sample, offers) ? recipe.sample : BEFORE.sample;
  const algorithm = oneOf(ALGORITHMS, recipe.algorithm, OWN);
  const options = changedOptions(algorithm, Object(recipe.options));
  return { ...recipe, algorithm, options, sample, other: sampleTitle(recipe.other, offers) ? recipe.other : DEFAULTS.other };
}

/** Parameters of a request that concern the recipe. @param {Recipe} recipe @returns {Record<string, string>} */
export function requestOf(recipe) {
  const { algorithm, options, source, sample, by, count, pattern, own, off, alphabet, mark, markLabel, ties, specials, measure, other } = recipe;
  const shared = {
    measure,
    ...(by === "size" && count ? { size: count } : { merges: count || "fit" }),
    ...(source === "sample" ? { sample } : {}),
    ...(measure === "sample" ? { other } : {}),
  };
  if (algorithm !== OWN) return { ...shared, ...engineRequest(algorithm, options) };
  return {
    ...shared,
    ...patternQuery({ pattern, own, off }),
    ...{ alphabet, ties, specials },
    ...(mark && alphabet === "characters" ? { mark: markLabel } : {}),
  };
}

/** Seconds that a training takes, roughly, on a server that is not busy. @param {number} bytes @param {number} merges */
export const secondsFor = (bytes, merges) => 2 + bytes / 500_000 + merges / 2_000;

/** @param {number} seconds */
export function sayDuration(seconds) {
  if (seconds < 10) return "a few seconds";
  return seconds < 90 ? `about ${Math.round(seconds / 10) * 10} seconds` : `about ${Math.round(seconds / 60)} minutes`;
}

/** Whether the page is in a frame of another site, which must not start anything by itself. */
export function isInForeignFrame() {
  try {
    return window.top?.location.origin !== window.location.origin;
  } catch {
    return true;
  }
}
