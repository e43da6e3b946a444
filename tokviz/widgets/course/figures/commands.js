/**
 * A text with the names of special tokens in it, read as text and as control tokens.
 */

import { element, fill, listed, plural } from "../../shared/dom/elements.js";
import { tokenChips } from "../chips.js";
import { createFieldFigure } from "../field.js";
import { sayWho } from "../pieces.js";

/** @typedef {import("../chips.js").Row} Row */
/** @typedef {{name: string, sides: [asText: Row, asControl: Row], always: string[], does: boolean}} Command `always`: tokens that are read from any text */

/** @param {import("../figures.js").Context} context */
export function create(context) {
  const says = element("p", { class: "says", role: "status" });
  const rows = element("div", { class: "rungs" });
  const field = { label: "A text with special tokens", most: 300, kind: "mono full-field", lines: 2 };
  return createFieldFigure(context, { name: "commands", route: "commands", field, parts: (box) => [box, says, rows] }, (/** @type {{rows: Command[]}} */ { rows: found }) => {
    fill(says, sayWho(["some of this can be a command", "nothing of this can be a command"], found));
    fill(rows, ...found.map((row) => rowNode(context, row)));
  });
}

/** @param {import("../figures.js").Context} context @param {Command} row */
function rowNode(context, { name, sides, always, does }) {
  const labels = ["as text", "as control"];
  const lines = sides.slice(0, does ? 2 : 1).flatMap((side, i) => [
    element("p", { class: "back quiet" }, does ? `${labels[i]}: ` : `${always.length ? `${listed(always)} is a token, but no special one` : "no special token"}: `, element("b", {}, plural(side.count, "token"))),
    tokenChips(context, { ...side, name: does ? `${name}, ${labels[i]}` : name, pieces: side.pieces.map(([text]) => [text, true]) }),
  ]);
  return element("section", { class: "rung", "aria-label": name }, element("h3", {}, name), ...lines);
}
