/**
 * Stops of the guided tour: places in the opening text that show how tokenizers differ.
 *
 * The stops and their questions are fixed. What happened at a stop, and why, comes from the comparison on screen, so it
 * is correct for any choice of tokenizers.
 */

import { plural } from "../shared/dom/elements.js";
import { placeOf, REASONS, tokensIn } from "./model.js";

/** @typedef {import("./model.js").Comparison} Comparison */

/**
 * @typedef {object} Stop
 * @property {string} before text just before the place, to find it
 * @property {string} place text of the place
 * @property {string} title
 * @property {string} asks a question to think about before reading on
 */

/** @type {Stop[]} */
export const STOPS = [
  {
    before: "",
    place: "     hello",
    title: "Spaces in front of a word",
    asks: "Is a run of spaces one token, or is each space one?",
  },
  {
    before: "DON",
    place: "'T",
    title: "An apostrophe between capitals",
    asks: "Endings such as 's and 't are often cut off in one piece. Does that hold for capitals?",
  },
  {
    before: "IT'S",
    place: " 2026",
    title: "A year",
    asks: "Where would you cut four digits with a space in front?",
  },
  {
    before: "if ready",
    place: ":\n",
    title: "The end of a line of Python",
    asks: "Does a line end join the sign in front of it?",
  },
  {
    before: ":\n",
    place: "    print",
    title: "The indented line",
    asks: "Indentation is everywhere in code. What does it cost?",
  },
  {
    before: "\n123",
    place: "4567",
    title: "A long number",
    asks: "Into which groups do the digits of 1234567 fall?",
  },
  {
    before: "pizza",
    place: " 🍕",
    title: "An emoji",
    asks: "A pizza takes four bytes, and a space one more. Into how many tokens do they go?",
  },
  {
    before: "🍕 ",
    place: "你好",
    title: "Another script",
    asks: "Each of these two characters takes three bytes. Do they stay whole?",
  },
  {
    before: "supercalifragil",
    place: "isticexp",
    title: "A very long word",
    asks: "A long and rare word falls into pieces. Are they the same ones everywhere?",
  },
];

/**
 * Segment of a stop: the first difference in its place, or the first segment if all cut the place alike.
 *
 * @param {Comparison} comparison
 * @param {Stop} stop
 * @returns {number | null} null if the text has no such place
 */
export function segmentAt(comparison, { before, place }) {
  const found = comparison.text.indexOf(before + place);
  if (found < 0) return null;
  const from = found + before.length;
  const inPlace = (/** @type {number} */ segment) => {
    const [start, end] = placeOf(comparison, segment);
    return start < from + place.length && end > from;
  };
  const all = Array.from(comparison.isDiffering.keys());
  return comparison.differing.find(inPlace) ?? all.find(inPlace) ?? null;
}

/** Describe how a segment was cut, and why. @param {Comparison} comparison @param {number} segment */
export function outcome(comparison, segment) {
  const tokens = comparison.names.map((_, t) => {
    const [first, end] = tokensIn(comparison, t, segment);
    return end - first;
  });
  if (!comparison.isDiffering[segment]) return `All of them cut this alike: ${plural(tokens[0], "token")}.`;
  const first = `${comparison.names[0]} makes ${plural(tokens[0], "token")} of it`;
  const counts = [first, ...comparison.names.slice(1).map((name, k) => `${name} ${tokens[k + 1]}`)];
  const bits = comparison.bits[comparison.differing.indexOf(segment)];
  const reasons = REASONS.filter(({ bit }) => bits & bit).map(({ plain }) => plain);
  return `${counts.join(", ")}. ${reasons.length ? `Why: ${reasons.join(", and ")}.` : ""}`;
}
