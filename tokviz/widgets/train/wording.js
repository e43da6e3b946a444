/**
 * What the page says of a training, in words and numbers.
 */

import { number, plural, sayVocabulary } from "../shared/dom/elements.js";

/** @typedef {import("./run.js").Progress} Progress */
/** @typedef {{label: string, bytes: number, spelled: number, tokens: number | null, problem: string}} Packed */
/** @typedef {{tokens: number, merged: number, special: number, alphabet: number, ids: number}} Size */

/** @param {Progress} progress @returns {string} */
export function sayProgress({ state, place, at_a_time: atATime, phase, done, total }) {
  if (state === "waiting" || place) {
    const before = place > 1 ? `${place - 1} before you` : "You are next";
    return `Waiting in line: ${before}. This server trains ${atATime} at a time.`;
  }
  if (phase === "cutting") return total ? `Cutting the text: ${Math.floor((100 * done) / total)} %` : "Cutting the text";
  if (phase === "counting") return "Counting neighbors";
  if (phase === "merging") return `Merge ${number(done)} of ${number(total ?? 0)}`;
  if (phase === "training") return "Training, which the library does in one go";
  if (phase === "comparing") return "Comparing code points first and bytes first";
  return phase === "measuring" ? "Measuring" : "Starting";
}

/** How much of the training is done, 0 to 1; null if that isn't known. Cutting is the first quarter. @param {Progress} progress */
export function shareDone({ phase, done, total }) {
  const share = total ? Math.min(1, done / total) : 0;
  if (phase === "cutting") return total ? share / 4 : null;
  if (phase === "counting") return 0.25;
  if (phase === "merging") return 0.25 + share * 0.7;
  return phase === "measuring" || phase === "comparing" ? 0.97 : null;
}

/**
 * Say how large a vocabulary is, and what that counts.
 *
 * @param {Size} size @param {number} merges @param {string} units that merging starts from
 */
export function saySize({ tokens, merged, special, alphabet, ids }, merges, units) {
  const several = merges > merged ? ` (by ${number(merges)} merges: several make the same one)` : "";
  const parts = [`${number(merged)} merged${several}`, `${number(alphabet)} ${units}`];
  if (special) parts.push(`${number(special)} special`);
  return `A vocabulary of ${sayVocabulary(tokens, ids)}: ${parts.join(", ")}.`;
}

/** Bytes that tokens stand for, per token, with two digits; "–" if it can't encode the text. @param {Pick<Packed, "spelled" | "tokens">} packed */
export const ratio = ({ spelled, tokens }) => (tokens ? (spelled / tokens).toFixed(2) : "–");

/** Say why training ended early; "" if it didn't. @param {string} stopped @param {boolean} isSplit @param {number} merges */
export function sayStopped(stopped, isSplit, merges) {
  if (stopped !== "min_count") return "";
  const within = isSplit ? " within a piece of the split" : "";
  return `Training ended after ${plural(merges, "merge")}: no two neighbors occurred twice${within} any more.`;
}

/** Say what the second row of the table is measured on, and why. @param {string} measuredOn as the server says it @param {Pick<Packed, "bytes">[]} measured */
export function sayMeasured(measuredOn, [measured]) {
  if (measuredOn === "lines" && measured) return `Every tenth line is not counted: ${plural(measured.bytes, "byte")}, set aside to measure on.`;
  if (measuredOn === "itself") return "The text is too short to set lines aside, so this row measures the text it learned from. Only other text would be a fair test.";
  return measuredOn === "sample" ? "The other sample is text that it has not seen." : "";
}
