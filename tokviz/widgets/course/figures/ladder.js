/**
 * One text cut in four ways: into characters, bytes, words and pieces, with the vocabulary that each needs.
 */

import { element, fill, number, plural } from "../../shared/dom/elements.js";
import { createAsking } from "../asking.js";
import { createField } from "../field.js";

/** @typedef {{name: string, vocabulary: number, count: number, tokens: [text: string, known: boolean][], unknown: number}} Rung */

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
function rungNode({ name, vocabulary, count, tokens, unknown }) {
  const more = count - tokens.length;
  const chips = tokens.map(([text, known], i) => element("bdi", { class: known ? `piece-of tint-${i % 4}` : "piece-of unknown" }, text));
  return element(
    "section",
    { class: "rung", "aria-label": name },
    element("h3", {}, name),
    element("p", { class: "quiet" }, `vocabulary of ${number(vocabulary)} · `, element("b", {}, plural(count, "token")), unknown > 0 && element("b", {}, ` · ${number(unknown)} unknown`)),
    element("p", { class: "pieces mono", dir: "auto" }, ...chips, more > 0 && element("span", { class: "quiet" }, ` and ${number(more)} more`)),
  );
}
