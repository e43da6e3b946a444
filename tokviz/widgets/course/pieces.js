/**
 * A text in the pieces of a tokenizer: a row of a figure that compares several.
 */

import { element, listed, plural } from "../shared/dom/elements.js";
import { tokenChips } from "./chips.js";

/** @typedef {import("./chips.js").Row & {back: string | null}} Row `back`: what the tokens decode to, if that is another text */

/**
 * @param {Pick<import("./figures.js").Context, "client">} context
 * @param {import("./chips.js").Row & {says?: string, counted?: string}} row `says` something in front of the number of tokens; `counted`: what
 *   that is, if the pieces aren't called tokens
 * @param {...import("../shared/dom/elements.js").Child} below the pieces
 */
export function rowOfPieces(context, row, ...below) {
  const { name, says = "", count, unknown, counted = plural(count, "token") } = row;
  return element(
    "section",
    { class: "rung", "aria-label": name },
    element("h3", {}, name),
    element("p", { class: "quiet" }, says, element("b", {}, counted), unknown > 0 && element("b", {}, ` · ${plural(unknown, "token")} unknown`)),
    tokenChips(context, row),
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
