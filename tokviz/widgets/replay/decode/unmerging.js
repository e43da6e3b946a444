/**
 * Decoding as merging undone: from the numbers at the bottom of a tower, row by row up to the bytes, and to the text.
 */

import { plural } from "../../shared/dom/elements.js";
import { tokensAt } from "../model/replay.js";
import { runsOf } from "../model/names.js";
import { unmergedRoleOf } from "../tower/tower.js";

/** @typedef {import("../model/replay.js").Replay} Replay */
/** @typedef {import("../tower/tower.js").Tower} Tower */

/**
 * @typedef {object} Decoding
 * @property {number} row tokens lower than this row are taken apart
 * @property {number} end symbols from here on are missing, as their numbers are left out
 * @property {"ids" | "hex" | "text"} shown how the symbols are written
 */

/** True if a replay has a tower of the whole text: equal words are not drawn once. @param {Replay} replay */
export const canUnmerge = ({ tower, n }) => n > 0 && tower !== null && tower.pretokens.every(({ count }) => count === 1);

/**
 * Last position of decoding the first `count` tokens. At 0 there are numbers; each position takes one row apart, and
 * the last ones show the bytes and the text.
 *
 * @param {Replay} replay
 * @param {number} count
 */
export const lastPosition = (replay, count) => rowsOf(replay, endOfFirst(replay, count)) + (hasBytes(replay) ? 2 : 1);

/**
 * What a position shows.
 *
 * @param {Replay} replay
 * @param {number} position
 * @param {number} count number of tokens that are decoded
 * @returns {Decoding}
 */
export function decodingAt(replay, position, count) {
  const end = endOfFirst(replay, count);
  const rows = rowsOf(replay, end);
  const isSpelled = hasBytes(replay) && position === rows + 1;
  return { row: Math.max(0, rows - position), end, shown: position <= rows ? "ids" : isSpelled ? "hex" : "text" };
}

/** The text of the decoded tokens, and its bytes that are no character. @param {Replay} replay @param {Decoding} decoding */
export const readRuns = ({ data, byteOffsets }, { end }) => runsOf(data.subarray(0, byteOffsets[end]));

/**
 * What happens at a position, in a sentence or two.
 *
 * @param {Replay} replay
 * @param {number} position
 * @param {number} count
 */
export function decodingCaption(replay, position, count) {
  const decoding = decodingAt(replay, position, count);
  const { blocks } = /** @type {Tower} */ (replay.tower);
  const present = blocks.filter((block) => unmergedRoleOf(block, decoding) === "now").length;
  const unit = hasBytes(replay) ? "byte" : "character";
  if (position === 0) {
    const stands = present === 1 ? "It stands" : "Each stands";
    return `The way back. A model gives ${plural(present, "number")}. ${stands} for a token of the vocabulary.`;
  }
  if (decoding.shown === "ids") {
    const done = decoding.row ? "" : ` Each is a single ${unit}.`;
    return `Undo the joins of the lowest row: these tokens become their two parts again. ${plural(present, "number")} now.${done}`;
  }
  const size = replay.byteOffsets[decoding.end];
  if (decoding.shown === "hex") return `The vocabulary has one byte for each of these numbers: ${plural(size, "byte")}, in the order of the text.`;
  return readCaption(replay, decoding, unit);
}

/** @param {Replay} replay @param {Decoding} decoding @param {string} unit */
function readCaption(replay, decoding, unit) {
  const broken = readRuns(replay, decoding).filter(({ part }) => part).map(({ text }) => text);
  const read = unit === "byte" ? "Read as UTF-8, the bytes are text again." : "The vocabulary has a character for each: text again.";
  if (!broken.length) return read;
  const isMissing = decoding.end < replay.n;
  const rest = isMissing ? ": the rest is in the numbers that were left out" : "";
  return `Read as UTF-8, ${broken.join(", ")} ${broken.length > 1 ? "are" : "is"} only a part of a character${rest}. Programs show � for such bytes.`;
}

/** @param {Replay} replay */
const hasBytes = ({ meta }) => meta.units === "bytes";

/** End of the first tokens of a text. @param {Replay} replay @param {number} count */
function endOfFirst(replay, count) {
  const tokens = tokensAt(replay, replay.steps);
  return tokens[Math.max(1, Math.min(count, tokens.length)) - 1].end;
}

/** The lowest row of a tower that ends before a symbol. @param {Replay} replay @param {number} end */
function rowsOf({ tower }, end) {
  const { blocks } = /** @type {Tower} */ (tower);
  return blocks.reduce((lowest, block) => (block.end <= end ? Math.max(lowest, block.depth) : lowest), 0);
}
