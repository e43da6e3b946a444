/**
 * Printing of the aligned view, row by row, so that no page break comes between a row and its bands.
 *
 * Blocks are placed under their characters by measuring, which is not possible while the browser prints. So the score
 * is laid out again on screen at the width of paper, and each of its rows is copied into a block that does not break.
 */

import { element, number } from "../shared/dom/elements.js";

/** Maximum text printed, in UTF-16 units: about 40 pages for two tokenizers. */
export const PRINTED = 20_000;

/** @typedef {import("./model.js").Comparison} Comparison */
/** @typedef {import("./staff.js").Staff} Staff */

/**
 * Draw the printed staffs at the present width, and copy their rows, after a note if the text is printed only in part.
 *
 * @param {readonly Staff[]} staffs
 * @param {Comparison} comparison
 * @param {number | null} chosen the chosen segment, which is framed on paper as on screen
 * @returns {HTMLElement[]}
 */
export function printout(staffs, comparison, chosen) {
  const printed = printedOf(staffs);
  const rows = printed.flatMap((staff) => {
    staff.element.classList.add("near");
    staff.draw(comparison);
    for (const block of (chosen !== null && staff.bySegment.get(chosen)) || []) block.classList.add("chosen");
    return rowsOf(staff);
  });
  const unprinted = sayUnprinted(comparison.text, printed.at(-1)?.to ?? 0);
  return [...(unprinted ? [element("p", { class: "unprinted" }, unprinted)] : []), ...rows];
}

/**
 * Select the staffs to print: from the first on, as many as fit into `PRINTED`, and at least one.
 *
 * @template {{to: number}} T
 * @param {readonly T[]} staffs
 */
export const printedOf = (staffs) => staffs.filter(({ to }, k) => k === 0 || to <= PRINTED);

/**
 * Note on a printout that does not have the whole text.
 *
 * @param {string} text
 * @param {number} end of the printed text, in UTF-16 units
 * @returns {string} "" if the whole text is printed
 */
export function sayUnprinted(text, end) {
  if (end >= text.length) return "";
  const [printed, all] = [text.slice(0, end), text].map((each) => Array.from(each).length);
  return `Only the beginning of the text is printed here: the first ${number(printed)} of ${number(all)} code points.`;
}

/**
 * Copy the rows of a staff that is laid out at the width of paper, one element per row.
 *
 * @param {Staff} staff
 * @returns {HTMLElement[]}
 */
function rowsOf({ element, rowHeight = 1 }) {
  const count = Math.max(1, Math.round(element.clientHeight / rowHeight));
  return Array.from({ length: count }, (_, row) => {
    const copy = /** @type {HTMLElement} */ (element.cloneNode(true));
    for (const part of /** @type {NodeListOf<HTMLElement>} */ (copy.querySelectorAll(".bands > *"))) {
      if (Number(part.style.getPropertyValue("--row")) !== row) part.remove();
    }
    copy.style.top = `${-row * rowHeight}px`;
    const frame = document.createElement("div");
    frame.className = "printed-row";
    frame.style.height = `${rowHeight}px`;
    frame.append(copy);
    return frame;
  });
}
