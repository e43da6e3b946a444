/**
 * Figures without a module of their own: a box for a text, and below it the parts that the server answers with, as data
 * (`tokviz/course/figure.py`). A part of the same kind as before is filled again, so its element stays where it is.
 */

import { disposeOf, element, fill, headOf, number } from "../shared/dom/elements.js";
import { barsOf } from "./bars.js";
import { tokenChips } from "./chips.js";
import { createFieldFigure } from "./field.js";
import { createOwnFigure } from "./ownfigure.js";

/** @typedef {import("./figures.js").Context} Context */
/** @typedef {string | [tag: string, text: string, title?: string]} Words as in `figure.py` */
/** @typedef {{field?: import("./field.js").FieldOptions}} Form without a field, it is the box for the reader's own text */
/** @typedef {{kind: string, [name: string]: any}} Part */
/** @typedef {{title: string, label: string, parts: Part[]}} Section */
/** @typedef {{node: HTMLElement, fill: (part: any) => void, dispose?: () => void}} Drawn a part */

/** @param {Context} context @param {string} name of the figure @param {Form} form @returns {import("./figures.js").Figure} */
export function create(context, name, { field }) {
  const below = element("div", { class: "parts" });
  const parts = createParts(context, below);
  const draw = (/** @type {Part[]} */ answer) => parts.fill(answer);
  const figure = field
    ? createFieldFigure(context, { name, route: name, field, parts: (box) => [box, below] }, draw)
    : createOwnFigure(context, { route: name, parts: [below], draw });
  return { ...figure, dispose: disposeOf(figure, parts) };
}

/** Parts at the end of an element. @param {Context} context @param {HTMLElement} parent */
export function createParts(context, parent) {
  /** @type {(Drawn & {kind: string})[]} */
  const drawn = [];
  const remove = (/** @type {Drawn} */ { node, dispose }) => (dispose?.(), node.remove());
  return {
    /** @param {Part[]} parts */
    fill(parts) {
      parts.forEach((part, i) => {
        if (drawn[i]?.kind !== part.kind) {
          drawn.splice(i).forEach(remove);
          drawn.push({ kind: part.kind, ...CREATE[part.kind](context) });
          parent.append(drawn[i].node);
        }
        drawn[i].fill(part);
      });
      drawn.splice(parts.length).forEach(remove);
    },
    dispose: () => drawn.splice(0).forEach(remove),
  };
}

/** @type {Record<string, (context: Context) => Drawn>} */
const CREATE = {
  says: () => createLine({ class: "says", role: "status" }),
  note: () => createLine({ class: "quiet" }),
  below: () => createLine({ class: "back quiet" }),
  bars: () => createFilled("dl", { class: "measures-bars" }, ({ rows }) => barsOf(rows)),
  table: () => createFilled("div", { class: "wide" }, (table) => [tableNode(table)]),
  chips: (context) => createFilled("div", {}, ({ row }) => [tokenChips(context, row)]),
  rungs: (context) => createSections(context, "rungs", "rung"),
  columns: (context) => createSections(context, "two", null),
};

/** @param {string} tag @param {Record<string, any>} properties @param {(part: any) => import("../shared/dom/elements.js").Child[]} childrenOf @returns {Drawn} */
function createFilled(tag, properties, childrenOf) {
  const node = element(tag, properties);
  return { node, fill: (part) => fill(node, ...childrenOf(part)) };
}

/** @param {Record<string, any>} properties */
const createLine = (properties) => createFilled("p", properties, ({ words }) => words.map(wordsNode));

/** What elements of a sentence may be, by their names. @type {Record<string, [tag: string, properties: Record<string, any>]>} */
const ELEMENTS = { b: ["b", {}], bdi: ["bdi", {}], code: ["code", { dir: "auto" }], mono: ["bdi", { class: "mono" }], span: ["span", {}] };

/** @param {Words} words */
function wordsNode(words) {
  if (typeof words === "string") return words;
  const [name, text, title] = words;
  const [tag, properties] = ELEMENTS[name];
  return element(tag, { ...properties, title }, text);
}

/** @param {{caption: string, heads: string[], rows: [Words[], ...(string | number)[]][]}} table */
const tableNode = ({ caption, heads, rows }) =>
  element("table", {}, element("caption", { class: "unseen" }, caption), headOf(heads), element("tbody", {}, ...rows.map(rowNode)));

/** @param {[Words[], ...(string | number)[]]} cells */
function rowNode([head, ...cells]) {
  const cell = (/** @type {string | number} */ each) =>
    typeof each === "number" ? element("td", { class: "number" }, number(each)) : element("td", { class: "quiet" }, each);
  return element("tr", {}, element("th", { scope: "row", class: "mono" }, ...head.map(wordsNode)), ...cells.map(cell));
}

/** Sections, each with a title and its parts. @param {Context} context @param {string} kind @param {string | null} each @returns {Drawn} */
function createSections(context, kind, each) {
  /** @type {{node: HTMLElement, title: HTMLElement, parts: ReturnType<typeof createParts>}[]} */
  const drawn = [];
  const node = element("div", { class: kind });
  const add = () => {
    const title = element("h3");
    const section = element("section", { class: each }, title);
    node.append(section);
    drawn.push({ node: section, title, parts: createParts(context, section) });
  };
  const dispose = () => drawn.forEach(({ parts }) => parts.dispose());
  return {
    node,
    fill({ sections }) {
      if (drawn.length !== sections.length) {
        dispose();
        fill(node);
        drawn.length = 0;
        sections.forEach(add);
      }
      sections.forEach((/** @type {Section} */ { title, label, parts }, /** @type {number} */ i) => {
        drawn[i].node.ariaLabel = label;
        fill(drawn[i].title, title);
        drawn[i].parts.fill(parts);
      });
    },
    dispose,
  };
}
