/**
 * Rows of an embedding, drawn as strips of cells: the further from zero, the stronger, in one color for each sign.
 */

import { element } from "../shared/dom/elements.js";

/** @typedef {{id: number, text: string, row: number[], count: number}} Row */

/** From this number on, and from its negative on, a cell is as strong as can be. */
const MOST = 3;

/** @param {number[]} row */
export function stripOf(row) {
  const cells = row.map((value) => {
    const cell = element("i", {});
    cell.classList.toggle("negative", value < 0);
    cell.style.setProperty("--share", `${Math.round(Math.min(100, (100 * Math.abs(value)) / MOST))}%`);
    return cell;
  });
  return element("span", { class: "strip", role: "img", "aria-label": `${row.length} numbers, from ${Math.min(...row)} to ${Math.max(...row)}`, title: row.join("  ") }, ...cells);
}

/** What the colors of cells stand for. */
export const stripKey = () => element("p", { class: "strip-key quiet" }, `each number a cell: −${MOST}`, stripOf([-MOST, -2, -1, 0, 1, 2, MOST]), String(MOST));

/** A row with its id and its token. @param {Row} row @param {...(Node | string)} more */
export function rowNode({ id, text, row }, ...more) {
  return element("li", {}, element("span", { class: "quiet number" }, String(id)), element("bdi", { class: "mono" }, text), stripOf(row), ...more);
}
