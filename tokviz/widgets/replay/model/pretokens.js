/**
 * The scenes before the merges: the text as a whole, and its pre-tokens.
 */

import { element, headOf, number as count } from "../../shared/dom/elements.js";
import { cutOutKind, partName } from "./replay.js";
import { appendMarked, withSigns } from "../../shared/text/invisibles.js";

/** @typedef {import("./replay.js").Replay} Replay */
/** @typedef {{number: number, text: string}} Piece a pre-token's number, and its text within the window */

/**
 * The pre-tokens between two symbols.
 *
 * @param {Pick<Replay, "pieceOf" | "pieceStarts" | "byteOffsets" | "data">} replay
 * @param {number} from
 * @param {number} to
 * @returns {Piece[]}
 */
export function piecesBetween({ pieceOf, pieceStarts, byteOffsets, data }, from, to) {
  const pieces = [];
  for (let number = pieceOf[from] ?? 0; number + 1 < pieceStarts.length && pieceStarts[number] < to; number++) {
    const begin = byteOffsets[Math.max(from, pieceStarts[number])];
    pieces.push({ number, text: wholeText(data, begin, byteOffsets[Math.min(to, pieceStarts[number + 1])]) });
  }
  return pieces;
}

/**
 * Decode bytes; a character cut by the window's edge belongs to the side where it begins.
 *
 * @param {Uint8Array} data
 * @param {number} begin
 * @param {number} end
 */
function wholeText(data, begin, end) {
  while ((data[begin] & 0xc0) === 0x80) begin++;
  while ((data[end] & 0xc0) === 0x80) end++;
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(data.subarray(begin, end));
}

/** The text before it is cut. @param {Piece[]} pieces */
export function wholeNode(pieces) {
  return element("span", { class: "whole-text" }, ...pieces.map(({ text }) => marked(text, "")));
}

/** @param {Replay} replay @param {Piece} piece */
export function pretokenNode({ branches, meta }, { number, text }) {
  const branch = meta.split ? meta.branches[branches[number]] : null;
  return element(
    "span",
    { class: `pretoken tint-${number % 4}`, title: branch ?? null },
    marked(text, "pretoken-text"),
    branch ? element("small", {}, branch) : null,
  );
}

/** Maximum pre-tokens listed for a branch. */
const MAX_LISTED = 12;

/**
 * Table of the split pattern's branches, and the pre-tokens that each matched.
 *
 * @param {Replay} replay
 */
export function branchRows(replay) {
  const { branches, meta, n, pieceStarts } = replay;
  const pieces = piecesBetween(replay, 0, n);
  const used = [...new Set(branches)].map((branch) => pieces.filter(({ number }) => branches[number] === branch));
  const rows = used.map((matched) => {
    const named = matched.slice(0, MAX_LISTED).flatMap(({ number, text }, i) => [i ? " " : "", element("span", { class: `piece tint-${number % 4}` }, withSigns(text))]);
    const rest = matched.length > MAX_LISTED ? ` and ${count(matched.length - MAX_LISTED)} more` : "";
    const [{ number: first }] = matched;
    const label = meta.branches[branches[first]] ?? cutOutKind(replay, pieceStarts[first]);
    return element("tr", {}, element("th", { scope: "row" }, label), element("td", { class: "pieces", dir: "auto" }, ...named, rest));
  });
  return [headOf(["cut out as", `${partName(replay)}s`]), element("tbody", {}, ...rows)];
}

/** @param {string} text @param {string} className */
function marked(text, className) {
  const span = element("span", { class: className });
  appendMarked(span, text);
  return span;
}
