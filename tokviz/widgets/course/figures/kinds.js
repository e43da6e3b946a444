/**
 * The reader's own text under tokenizers of all families: how many tokens, and what is left of it when they are decoded.
 */

import { element, fill } from "../../shared/dom/elements.js";
import { createOwnFigure } from "../ownfigure.js";
import { rowOfPieces, sayBack } from "../pieces.js";

/** @typedef {import("../pieces.js").Row & {family: string}} Row */
/** @typedef {{cut: boolean, rows: Row[]}} Kinds */

/** @param {import("../figures.js").Context} context @returns {import("../figures.js").Figure} */
export function create(context) {
  const rows = element("div", { class: "rungs" });
  const says = element("p", { class: "quiet" });
  return createOwnFigure(context, {
    route: "kinds",
    parts: [rows, says],
    draw(/** @type {Kinds} */ { cut, rows: found }) {
      fill(says, cut && "This is the beginning of your text.");
      fill(rows, ...found.map((row) => rowOfPieces(context, { ...row, says: `${row.family} · ` }, sayBack(row))));
    },
  });
}
