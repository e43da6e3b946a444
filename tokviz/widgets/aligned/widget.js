/**
 * Standalone comparison: the Compare page's text in the tokens of each, with reasons and table, for a page without a server.
 */

import { Dock, sayHint } from "../compare/dock.js";
import { ComparedText } from "../compare/comparedtext.js";
import { Differences } from "../compare/differences.js";
import { Folds } from "../compare/folds.js";
import { differenceIn, makeComparison, splitCuts } from "../compare/model.js";
import { Selection } from "../compare/selection.js";
import { createTotals } from "../compare/totals.js";
import { unpackHeld } from "../shared/net/columns.js";
import { element, fill } from "../shared/dom/elements.js";
import { createSaving } from "../shared/ui/saving.js";

/**
 * @param {HTMLElement} root
 * @param {object} data
 * @param {string} data.text
 * @param {ArrayBuffer | string} data.comparison columns, described in `tokviz/widgets/comparisons.py`
 * @param {import("../compare/explaining.js").Reason[]} data.explanations the reasons that the columns index
 * @param {string} data.lang language of the text; "" if unknown
 */
export function mount(root, data) {
  const columns = unpackHeld(data.comparison);
  const comparison = makeComparison(data.text, columns);

  const totals = createTotals();
  const folds = new Folds([], () => {});
  const differences = new Differences({ reason: 0, kind: -1 }, folds, {
    go: (segment) => selection.goTo(segment),
    filter() {},
    explain,
  });
  const makeFile = (/** @type {string} */ format) => differences.file(format);
  const saving = createSaving("Save the differences", "differences", differences.formats, makeFile);
  folds.node.append(saving.node);
  const panes = element("div", { class: "panes" });
  const headline = element("h2", { class: "headline" }, " ");
  const close = () => (selection.clear(), text.focus());
  const dock = new Dock(differences.node, folds, { close, go: (segment) => selection.goTo(segment), line: () => text.chosenBox() }, headline);
  const spoken = element("p", { class: "unseen", role: "status" });
  const widget = element(
    "div",
    { class: "tokviz aligned", keydown: pressed },
    headline,
    totals.node,
    spoken,
    panes,
    element("p", { class: "hint quiet" }, sayHint("aligned")),
    folds.node,
  );
  fill(root, widget);

  const text = new ComparedText(panes, {
    select: (segment) => selection.select(segment),
    walk: (where) => (where === "leave" ? selection.clear() : differences.walk(where)),
  });
  panes.append(dock.node);
  const answers = { comparison, reasonsRefusal: "", recall: explanationOf, explain };
  const selection = new Selection({ answers, views: text, differences, dock, spoken });
  text.show(comparison, data.lang);
  totals.show(comparison);
  differences.show(comparison);
  dock.show(comparison);
  selection.clear();

  /** @param {number[]} segments that differ */
  async function explain(segments) {
    return segments.map(explanationOf);
  }

  /** @param {number} segment one that differs */
  function explanationOf(segment) {
    const difference = differenceIn(comparison, segment);
    const indices = comparison.names.slice(1).map((_, k) => columns[`explanations_${k + 1}`][difference]);
    const splits = comparison.names.map((_, t) => splitCuts(comparison, t, segment, columns[`pretokens_${t}`]));
    return { splits, reasons: indices.map((index) => data.explanations[index] ?? null) };
  }

  /** @param {KeyboardEvent} event */
  function pressed(event) {
    const typing = /** @type {Element} */ (event.target).matches("select");
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "n") differences.walk("next");
    if (event.key === "p") differences.walk("previous");
  }

  return {
    dispose() {
      for (const part of [selection, text, dock]) part.dispose();
      widget.remove();
    },
  };
}
