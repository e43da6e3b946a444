/**
 * A prompt's tokens, and the few places of gist tokens that would stand for it.
 */

import { element, fill, plural } from "../../shared/dom/elements.js";
import { createSegments } from "../../shared/ui/segments.js";
import { tokenChips } from "../chips.js";
import { createFieldFigure } from "../field.js";

/** @param {import("../figures.js").Context} context */
export function create(context) {
  let places = 1;
  /** @type {import("../chips.js").Row | null} */
  let row = null;
  const choice = createSegments("Gist tokens", [["1", "1"], ["2", "2"], ["5", "5"]], "1", (chosen) => ((places = Number(chosen)), draw()));
  const before = element("div");
  const after = element("p", { class: "pieces mono" });
  const says = element("p", { class: "says", role: "status" });

  function draw() {
    if (!row) return;
    fill(before, element("p", { class: "quiet" }, element("b", {}, plural(row.count, "token")), " of GPT-2"), tokenChips(context, row));
    fill(after, ...Array.from({ length: places }, (_, i) => element("span", { class: "piece-of none" }, `\u00a0gist\u00a0${i + 1}\u00a0`)));
    fill(says, sayGist(row.count, places));
  }

  const field = { label: "A prompt", most: 400, kind: "mono full-field", lines: 3 };
  const instead = element("div", { class: "row" }, element("span", { class: "quiet" }, "gist tokens instead"), choice.node);
  return createFieldFigure(context, { name: "gist", route: "gist", field, parts: (box) => [box, before, instead, after, says] }, (answer) => ((row = answer), draw()));
}

/** @param {number} count of the prompt's tokens @param {number} places */
export function sayGist(count, places) {
  if (count <= places) return "This prompt is too short to save anything.";
  return `Each dashed box is a learned vector. ${plural(places, "place")} instead of ${count}, before every question: ${Number((count / places).toFixed(1))} times fewer.`;
}
