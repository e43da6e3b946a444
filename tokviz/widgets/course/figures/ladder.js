/**
 * One text cut in four ways: into characters, bytes, words and pieces, with the vocabulary that each needs.
 */

import { element, fill, number } from "../../shared/dom/elements.js";
import { createFieldFigure } from "../field.js";
import { rowOfPieces } from "../pieces.js";

/** @typedef {import("../chips.js").Row & {vocabulary: number}} Rung */

/** @param {import("../figures.js").Context} context */
export function create(context) {
  const rungs = element("div", { class: "rungs" });
  const field = { label: "A text to cut in four ways", most: 300, kind: "mono full-field" };
  return createFieldFigure(context, { name: "ladder", route: "ladder", field, parts: (box) => [box, rungs] }, (answer) => fill(rungs, ...answer.rungs.map((/** @type {Rung} */ rung) => rowOfPieces(context, { ...rung, says: `vocabulary of ${number(rung.vocabulary)} · ` }))));
}
