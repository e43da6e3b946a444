/**
 * One text cut in four ways: into characters, bytes, words and pieces, with the vocabulary that each needs.
 */

import { element, fill, number } from "../../shared/dom/elements.js";
import { createAsking } from "../asking.js";
import { createField } from "../field.js";
import { rowOfPieces } from "../pieces.js";

/** @typedef {{name: string, vocabulary: number, count: number, tokens: import("../pieces.js").Piece[], unknown: number}} Rung */

/** @param {import("../figures.js").Context} context @returns {import("../figures.js").Figure} */
export function create(context) {
  let value = "";
  const field = createField({ label: "A text to cut in four ways", most: 300, kind: "mono full-field" }, (text) => (show(text), context.changed()));
  const rungs = element("div", { class: "rungs" });
  const asking = createAsking(context, (answer) => fill(rungs, ...answer.rungs.map(rungNode)));
  const node = element("div", { class: "ladder" }, field.node, rungs, asking.problem);

  /** @param {string} text */
  function show(text) {
    value = text;
    field.show(text);
    void asking.ask({ route: "ladder", text });
  }

  return { node, value: () => value, show, dispose: () => asking.dispose() };
}

/** @param {Rung} rung */
const rungNode = ({ name, vocabulary, count, tokens, unknown }) => rowOfPieces({ name, says: `vocabulary of ${number(vocabulary)} · `, count, pieces: tokens, unknown });
