/**
 * Lossless export of differences: JSON for programs, CSV for a spreadsheet.
 */

import { bytesOf, hex, tokenEnd } from "../shared/text/tokenization.js";
import { sentencesOf } from "./explaining.js";
import { placeOf, reasonNames, tokensIn } from "./model.js";
import { pieceOf } from "./pieces.js";

/** @typedef {import("./model.js").Comparison} Comparison */
/** @typedef {import("./explaining.js").Explained} Explained */

/**
 * @typedef {object} ListedDifference a difference in the JSON file
 * @property {number} start_byte offset of its first byte in the text's UTF-8, from 0
 * @property {number} end_byte offset one past its last byte
 * @property {string | null} text null if it begins or ends inside a character
 * @property {string} class of text
 * @property {string[]} reasons
 * @property {string} why a sentence; "" if it was not requested
 * @property {Record<string, {id: number, bytes: string, text: string | null, own_bytes?: string}[]>} tokens by
 *   tokenizer: `bytes` of the text that the token covers; `own_bytes` if it shares a rewritten character with others
 */

/**
 * @param {Comparison} comparison
 * @param {number[]} differences indices into `differing`
 * @param {Explained[]} explanations of each; may be empty
 */
export function toJson(comparison, differences, explanations) {
  const { names } = comparison;
  const list = differences.map((difference, k) => {
    const segment = comparison.differing[difference];
    return {
      ...describe(comparison, difference, explanations[k]),
      tokens: Object.fromEntries(names.map((name, t) => [name, tokensOf(comparison, t, segment)])),
    };
  });
  return `${JSON.stringify(list, null, 1)}\n`;
}

/**
 * Write CSV. Each tokenizer has a column with its pieces, in the signs of the page, and one with its token ids.
 *
 * @param {Comparison} comparison
 * @param {number[]} differences indices into `differing`
 * @param {Explained[]} explanations of each; may be empty
 */
export function toCsv(comparison, differences, explanations) {
  const { names, models } = comparison;
  const rows = differences.map((difference, k) => {
    const { reasons, ...rest } = describe(comparison, difference, explanations[k]);
    const cuts = models.flatMap(({ ids }, t) => {
      const [first, end] = tokensIn(comparison, t, comparison.differing[difference]);
      const pieces = Array.from({ length: end - first }, (_, i) => pieceOf(comparison, t, first + i));
      return [pieces.join("|"), ids.subarray(first, end).join(" ")];
    });
    return [rest.start_byte, rest.end_byte, rest.text ?? "", rest.class, reasons.join(" and "), rest.why, ...cuts];
  });
  const tokenizerColumns = names.flatMap((name) => [name, `${name} ids`]);
  const title = ["start_byte", "end_byte", "text", "class", "reasons", "why", ...tokenizerColumns];
  return [title, ...rows].map((row) => `${row.map((field) => quoted(String(field))).join(",")}\r\n`).join("");
}

/**
 * Fields of a difference that both formats have.
 *
 * @param {Comparison} comparison @param {number} difference @param {Explained | undefined} explained
 */
function describe(comparison, difference, explained) {
  const { text, boundaries, differing, models, classNames, classes, bits } = comparison;
  const segment = differing[difference];
  const [first, end] = tokensIn(comparison, 0, segment);
  const isPart = models[0].inside[first] || models[0].inside[end];
  return {
    start_byte: boundaries[segment],
    end_byte: boundaries[segment + 1],
    text: isPart ? null : text.slice(...placeOf(comparison, segment)),
    class: classNames[classes[difference]],
    reasons: reasonNames(bits[difference]),
    why: sentencesOf(explained ?? null).join(" "),
  };
}

/** @param {Comparison} comparison @param {number} t @param {number} segment */
function tokensOf(comparison, t, segment) {
  const model = comparison.models[t];
  const [first, end] = tokensIn(comparison, t, segment);
  return Array.from({ length: end - first }, (_, k) => {
    const i = first + k;
    const isPart = model.inside[i] || model.inside[i + 1];
    const text = isPart ? null : model.text.slice(model.starts[i], tokenEnd(model, i));
    const own = comparison.own[t].get(i);
    return { id: model.ids[i], bytes: bytesOf(model, i), text, ...(own && { own_bytes: hex(own) }) };
  });
}

/** Quote a CSV field if needed. @param {string} field */
const quoted = (field) => (/[",\r\n]/.test(field) ? `"${field.replace(/"/g, '""')}"` : field);
