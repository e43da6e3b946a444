/**
 * Table of the differences, a page of rows at a time, for reading and for screen readers.
 */

import { button, element, fill, headOf, number, plural, wide } from "../shared/dom/elements.js";
import { createSignLegend, drawSigns, quoting } from "./causes.js";
import { reasonNames, tokensIn } from "./model.js";
import { pieceOf, textOf } from "./pieces.js";

/** @typedef {import("./model.js").Comparison} Comparison */

/** Rows per page. */
const ROWS = 50;
/** Maximum pieces per tokenizer in a row. */
const MAX_PIECES = 40;

/** @typedef {{reasons: HTMLElement, why: HTMLElement}} Cells those of a row that its explanation fills */

/**
 * @typedef {object} TableListeners
 * @property {(place: number) => void} go called with the place of a difference among those in the table
 * @property {(segments: number[]) => Promise<import("./explaining.js").Explained[]>} explain
 */

export class DifferenceTable {
  /** @type {Comparison | null} */
  #comparison = null;
  /** @type {readonly number[]} */
  #differences = [];
  #firstRow = 0;
  #on;

  #content = element("table");
  #extent = element("span", { class: "quiet" });
  #earlier = button("earlier", () => this.#turn(-ROWS));
  #later = button("later", () => this.#turn(ROWS));

  /** @param {TableListeners} on */
  constructor(on) {
    this.#on = on;
    /** @type {HTMLElement} */
    this.node = element(
      "section",
      { class: "as-table", "aria-label": "All differences as a table" },
      element("div", { class: "row" }, this.#extent, this.#earlier, this.#later),
      createSignLegend(),
      wide("Differences", this.#content),
    );
  }

  /** @param {Comparison | null} comparison @param {readonly number[]} differences indices into `differing` */
  show(comparison, differences) {
    this.#comparison = comparison;
    this.#differences = differences;
    this.#firstRow = 0;
    this.#update();
  }

  /** @param {number} by */
  #turn(by) {
    this.#firstRow = Math.max(0, this.#firstRow + by);
    this.#update();
  }

  #update() {
    const comparison = this.#comparison;
    if (!comparison) return;
    const first = this.#firstRow;
    const page = this.#differences.slice(first, first + ROWS);
    const cells = page.map((difference) => ({
      reasons: element("td", { class: "reasons" }, reasonNames(comparison.bits[difference]).join(", ")),
      why: element("td", { class: "sentence" }),
    }));
    const rows = page.map((difference, k) => this.#row(comparison, difference, first + k, cells[k]));
    fill(this.#content, headOf(["", "text", ...comparison.names, "reason", "why"]), element("tbody", {}, ...rows));
    fill(this.#extent, sayExtent(first, page.length, this.#differences.length));
    this.#earlier.hidden = first === 0;
    this.#later.hidden = first + ROWS >= this.#differences.length;
    void this.#explain(comparison, page, cells);
  }

  /** @param {Comparison} comparison @param {number} difference @param {number} place @param {Cells} cells */
  #row(comparison, difference, place, { reasons, why }) {
    const segment = comparison.differing[difference];
    const texts = [textOf(comparison, segment), ...comparison.names.map((_, t) => cutOf(comparison, t, segment))];
    return element(
      "tr",
      {},
      element("td", {}, button(number(place + 1), () => this.#on.go(place), { title: "Show it in the text" })),
      ...texts.map((each) => element("td", { class: "mono", dir: "auto" }, each)),
      reasons,
      why,
    );
  }

  /**
   * Fill in the causes once they are loaded. What a sign means stands above the table, once.
   *
   * @param {Comparison} comparison @param {number[]} page @param {Cells[]} cells
   */
  async #explain(comparison, page, cells) {
    const explanations = await this.#on.explain(page.map((difference) => comparison.differing[difference])).catch(() => []);
    if (comparison !== this.#comparison) return;
    explanations.forEach((each, k) => {
      if (!each) return;
      const causes = new Set(each.reasons.flatMap((reason) => (reason ? [reason.because] : [])));
      fill(cells[k].reasons, ...drawSigns(each, comparison.names));
      fill(cells[k].why, ...quoting([...causes].join(" ")));
    });
  }
}

/** How one tokenizer cuts a segment. @param {Comparison} comparison @param {number} t @param {number} segment */
function cutOf(comparison, t, segment) {
  const [first, end] = tokensIn(comparison, t, segment);
  const pieces = Array.from({ length: Math.min(end - first, MAX_PIECES) }, (_, k) => pieceOf(comparison, t, first + k));
  return pieces.join(" | ");
}

/**
 * Which of the differences are on a page: "51 to 100 of 230", or their number if all are.
 *
 * @param {number} first index of the first row
 * @param {number} rows
 * @param {number} count
 */
export function sayExtent(first, rows, count) {
  if (count <= ROWS) return plural(count, "difference");
  return `${number(first + 1)} to ${number(first + rows)} of ${number(count)}`;
}
