/**
 * A text in the pieces of a tokenizer: a row of a figure that compares several.
 */

import { element, listed, number, plural } from "../shared/dom/elements.js";

/** @typedef {[text: string, known: boolean]} Piece */
/** @typedef {{name: string, count: number, pieces: Piece[], unknown: number, back: string | null}} Row as in `inside.py`; `back`: what the tokens decode to, if that is another text */

/** Chips of pieces; what is not known is struck out. @param {Piece[]} pieces @param {number} [more] pieces that are not among them */
export function chipsOf(pieces, more = 0) {
  const chips = pieces.flatMap(([text, known], i) => [element("bdi", { class: known ? `piece-of tint-${i % 4}` : "piece-of unknown" }, text), text.endsWith("↵") && element("br", {})]);
  return element("p", { class: "pieces mono", dir: "auto" }, ...chips, more > 0 && element("span", { class: "quiet" }, ` and ${number(more)} more`));
}

/**
 * @param {object} row
 * @param {string} row.name
 * @param {string} [row.says] in front of the number of tokens
 * @param {number} row.count of all tokens
 * @param {Piece[]} row.pieces the first tokens
 * @param {number} row.unknown tokens
 * @param {string} [row.counted] what `count` is, if the pieces aren't called tokens
 * @param {...import("../shared/dom/elements.js").Child} below the pieces
 */
export function rowOfPieces({ name, says = "", count, pieces, unknown, counted = plural(count, "token") }, ...below) {
  return element(
    "section",
    { class: "rung", "aria-label": name },
    element("h3", {}, name),
    element("p", { class: "quiet" }, says, element("b", {}, counted), unknown > 0 && element("b", {}, ` · ${plural(unknown, "token")} unknown`)),
    chipsOf(pieces, count - pieces.length),
    ...below,
  );
}

/** Say what the tokens of a text decode to. @param {Pick<Row, "back" | "count">} row */
export function sayBack({ back, count }) {
  if (!count) return null;
  return element("p", { class: "back quiet" }, ...(back === null ? ["Decoded, it is the same text."] : ["Decoded, it is another text: ", element("code", { dir: "auto" }, back)]));
}

/** Say what tokenizers do and what the others do. @param {[yes: string, no: string]} what @param {{name: string, does: boolean | null}[]} rows */
export function sayWho(what, rows) {
  const sides = [true, false].map((side) => rows.filter((row) => row.does === side).map(({ name }) => name));
  return sides.flatMap((names, i) => (names.length ? `In ${names.length === rows.length ? "all of these" : listed(names)}, ${what[i]}.` : [])).join(" ");
}
