/**
 * The beginning of the reader's own text as a model reads it that has a tokenizer, and as one that reads bytes.
 */

import { element, fill, plural } from "../../shared/dom/elements.js";
import { createOwnFigure } from "../ownfigure.js";
import { rowOfPieces } from "../pieces.js";

/** @typedef {{rows: [tokens: import("../chips.js").Row, bytes: import("../chips.js").Row]}} Read */

/** @param {import("../figures.js").Context} context @returns {import("../figures.js").Figure} */
export function create(context) {
  const rows = element("div", { class: "rungs" });
  const says = element("p", { class: "says" });
  return createOwnFigure(context, {
    route: "tokenless",
    parts: [says, rows],
    draw(/** @type {Read} */ { rows: [tokens, bytes] }) {
      fill(says, sayRead(tokens.count, bytes.count));
      fill(rows, rowOfPieces(context, tokens), rowOfPieces(context, { ...bytes, counted: plural(bytes.count, "byte") }));
    },
  });
}

/** @param {number} tokens @param {number} bytes */
export function sayRead(tokens, bytes) {
  return tokens ? `${(bytes / tokens).toFixed(1)} times as many bytes as tokens.` : "Type a text.";
}
