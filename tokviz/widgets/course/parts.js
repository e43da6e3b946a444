/**
 * Figures without a module of their own: a box for a text, and below it the parts that the server answers with, as data
 * (`tokviz/course/figure.py`).
 */

import { element, fill, headOf, number } from "../shared/dom/elements.js";
import { barsOf } from "./bars.js";
import { tokenChips } from "./chips.js";
import { createFieldFigure } from "./field.js";
import { createOwnFigure } from "./ownfigure.js";
import { rowNode, stripKey } from "./strip.js";

/** @typedef {string | [tag: string, text: string, title?: string]} Words as in `figure.py` */
/** @typedef {{field?: import("./field.js").FieldOptions}} Form without a field, it is the box for the reader's own text */
/** @typedef {{kind: string, [name: string]: any}} Part */
/** @typedef {import("./figures.js").Context} Context */

/** @param {Context} context @param {string} name of the figure @param {Form} form @returns {import("./figures.js").Figure} */
export function create(context, name, { field }) {
  const { nodes, draw } = createParts(context);
  return field
    ? createFieldFigure(context, { name, route: name, field, parts: (box) => [box, ...nodes] }, draw)
    : createOwnFigure(context, { route: name, parts: nodes, draw });
}

/** The parts of an answer, as nodes for a figure. @param {Context} context */
export function createParts(context) {
  const [above, below] = [0, 1].map(() => element("div", { class: "parts" }));
  const says = element("p", { class: "says", role: "status" }); // stays on the page, so that changes of it are read out

  /** @param {Part[]} parts */
  function draw(parts) {
    const at = parts.findIndex(({ kind }) => kind === "says");
    const nodes = parts.map((part) => (part.kind === "says" ? [] : NODE[part.kind](part, context)));
    fill(above, ...nodes.slice(0, Math.max(0, at)).flat());
    fill(says, ...wordsOf(at < 0 ? [] : parts[at].words));
    fill(below, ...nodes.slice(at + 1).flat());
    says.hidden = at < 0;
  }

  return { nodes: [above, says, below], draw };
}

/** @type {Record<string, (part: any, context: Context) => HTMLElement>} */
const NODE = {
  note: ({ words }) => element("p", { class: "quiet" }, ...wordsOf(words)),
  below: ({ words }) => element("p", { class: "back quiet" }, ...wordsOf(words)),
  bars: ({ rows }) => element("dl", { class: "measures-bars" }, ...barsOf(rows)),
  chips: ({ row }, context) => tokenChips(context, row),
  table: ({ caption, heads, rows }) => element("div", { class: "wide" }, element("table", {}, element("caption", { class: "unseen" }, caption), headOf(heads), element("tbody", {}, ...rows.map(tableRow)))),
  strips: ({ rows }) => element("ol", { class: "rows-of" }, ...rows.map(stripRow)),
  key: () => stripKey(),
  rungs: ({ sections }, context) => sectionsNode("rungs", "rung", sections, context),
  columns: ({ sections }, context) => sectionsNode("two", null, sections, context),
};

/** @param {string} kind @param {string | null} each @param {{title: string, label: string, parts: Part[]}[]} sections @param {Context} context */
const sectionsNode = (kind, each, sections, context) =>
  element("div", { class: kind }, ...sections.map(({ title, label, parts }) => element("section", { class: each, "aria-label": label }, element("h3", {}, title), ...parts.map((part) => NODE[part.kind](part, context)))));

/** @param {[Words[], ...(string | number)[]]} cells */
function tableRow([head, ...cells]) {
  const cell = (/** @type {string | number} */ each) => (typeof each === "number" ? element("td", { class: "number" }, number(each)) : element("td", { class: "quiet" }, each));
  return element("tr", {}, element("th", { scope: "row", class: "mono" }, ...wordsOf(head)), ...cells.map(cell));
}

/** @param {import("./strip.js").Row & {cosine?: number}} row */
function stripRow(row) {
  if (row.cosine === undefined) return rowNode(row);
  const bar = element("i", { class: "bar" });
  bar.style.width = `${100 * Math.max(0, row.cosine)}%`;
  return rowNode(row, element("span", { class: "cosine" }, element("b", {}, row.cosine.toFixed(2)), bar));
}

/** What a sentence may have besides plain text. @type {Record<string, [tag: string, properties: Record<string, any>]>} */
const ELEMENTS = { b: ["b", {}], bdi: ["bdi", {}], code: ["code", { dir: "auto" }], mono: ["bdi", { class: "mono" }], span: ["span", {}] };

/** @param {Words[]} words */
function wordsOf(words) {
  return words.map((each) => {
    if (typeof each === "string") return each;
    const [name, text, title] = each;
    const [tag, properties] = ELEMENTS[name];
    return element(tag, { ...properties, title }, text);
  });
}
