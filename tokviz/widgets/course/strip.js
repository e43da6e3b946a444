/**
 * Rows of an embedding, drawn as strips of cells: the more, the stronger.
 */

import { element } from "../shared/dom/elements.js";

/** @typedef {{id: number, text: string, row: number[], count: number}} Row */

/** From this number on, a cell is as strong as can be; from its negative on, empty. */
const MOST = 3;

/** @param {number[]} row */
export function stripOf(row) {
  const cells = row.map((value) => {
    const cell = element("i", {});
    cell.style.setProperty("--share", `${Math.round(Math.min(100, Math.max(0, 50 + (50 * value) / MOST)))}%`);
    return cell;
  });
  return element("span", { class: "strip", role: "img", "aria-label": `${row.length} numbers, from ${Math.min(...row)} to ${Math.max(...row)}`, title: row.join("  ") }, ...cells);
}

/** A row with its id and its token. @param {Row} row @param {...(Node | string)} more */
export function rowNode({ id, text, row }, ...more) {
  return element("li", {}, element("span", { class: "quiet number" }, String(id)), element("bdi", { class: "mono" }, text), stripOf(row), ...more);
}
