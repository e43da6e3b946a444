/**
 * Table of the differences, a page of rows at a time, for reading and for screen readers. Rows with the same cause stand
 * under one heading, which says it.
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

/** @typedef {import("./explaining.js").Explained} Explained */
/** @typedef {{difference: number, place: number, explained: Explained}} Entry `place`: among the differences in the table */

/**
 * @typedef {object} TableListeners
 * @property {(place: number) => void} go called with the place of a difference among those in the table
 * @property {(segments: number[]) => Promise<Explained[]>} explain
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
  #earlier = button("Earlier", () => this.#turn(-ROWS));
  #later = button("Later", () => this.#turn(ROWS));

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
    const entries = page.map((difference, k) => ({ difference, place: first + k, explained: /** @type {Explained} */ (null) }));
    this.#draw(comparison, entries);
    fill(this.#extent, sayExtent(first, page.length, this.#differences.length));
    this.#earlier.hidden = first === 0;
    this.#later.hidden = first + ROWS >= this.#differences.length;
    void this.#explain(comparison, entries);
  }

  /** Say the causes once they are loaded. What a sign means stands above the table, once. @param {Comparison} comparison @param {Entry[]} entries */
  async #explain(comparison, entries) {
    const explanations = await this.#on.explain(entries.map(({ difference }) => comparison.differing[difference])).catch(() => []);
    const isShown = comparison === this.#comparison && entries[0]?.place === this.#firstRow;
    if (isShown) this.#draw(comparison, entries.map((entry, k) => ({ ...entry, explained: explanations[k] ?? null })));
  }

  /** @param {Comparison} comparison @param {Entry[]} entries */
  #draw(comparison, entries) {
    const titles = ["", "text", ...comparison.names, "each “…”"];
    this.#content.style.setProperty("--pieces", String(titles.length - 2));
    const groups = [...Map.groupBy(entries, (entry) => causeOf(comparison, entry)).values()];
    fill(this.#content, headOf(titles), ...groups.map((group) => this.#group(comparison, group, titles.length)));
  }

  /** @param {Comparison} comparison @param {Entry[]} entries of the same cause @param {number} columns */
  #group(comparison, entries, columns) {
    const [{ difference, explained }] = entries;
    const { sentence, fillings } = sayOnce(entries.map(({ explained }) => causesOf(explained)));
    const reasons = explained ? drawSigns(explained, comparison.names) : [reasonNames(comparison.bits[difference]).join(", ")];
    const heading = element("th", { scope: "rowgroup", colspan: columns }, element("div", { class: "reasons" }, ...reasons), element("p", {}, ...quoting(sentence)));
    const rows = entries.map((entry, k) => this.#row(comparison, entry, fillings[k]));
    return element("tbody", {}, element("tr", { class: "cause" }, heading), ...rows);
  }

  /** @param {Comparison} comparison @param {Entry} entry @param {string[]} fillings of its heading's gaps */
  #row(comparison, { difference, place }, fillings) {
    const segment = comparison.differing[difference];
    const cuts = comparison.names.map((_, t) => cutOf(comparison, t, segment));
    return element(
      "tr",
      {},
      element("td", {}, button(number(place + 1), () => this.#on.go(place), { title: "Show it in the text" })),
      ...[[textOf(comparison, segment)], ...cuts].map((cell) => element("td", { class: "mono", dir: "auto" }, ...cell)),
      element("td", {}, ...quoting(fillings.join(", "))),
    );
  }
}

/** Differences with the same cause have the same one of these. @param {Comparison} comparison @param {Entry} entry */
function causeOf(comparison, { difference, explained }) {
  return explained ? JSON.stringify([frameOf(causesOf(explained)), explained.reasons.map((reason) => reason?.alone)]) : String(comparison.bits[difference]);
}

/** The causes of a difference; "" if they are not known. @param {Explained} explained */
const causesOf = (explained) => [...new Set((explained?.reasons ?? []).flatMap((reason) => (reason ? [reason.because] : [])))].join(" ");

/** The tokens of a segment in their tokenizer's color; in plain text, with lines between. @param {Comparison} comparison @param {number} t @param {number} segment */
function cutOf(comparison, t, segment) {
  const [first, end] = tokensIn(comparison, t, segment);
  return Array.from({ length: Math.min(end - first, MAX_PIECES) }, (_, k) => {
    const chip = element("span", { class: `chip own-${comparison.colors[t]}` }, pieceOf(comparison, t, first + k));
    return k ? [element("span", { class: "unseen" }, " | "), chip] : [chip];
  }).flat();
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

// Sentences that differ only in what they quote: a heading says what they share, each row what stands for its gaps

/** What a sentence quotes, with the number of a merge, if it is one. */
const QUOTED = /“[^”]*”(?: \(merge [\d,]+ of [\d,]+\))?/g;
const GAP = "“…”";

/** What sentences of the same kind have in common. @param {string} sentence */
export const frameOf = (sentence) => sentence.replace(QUOTED, GAP);

/**
 * Write sentences of one frame as one, with gaps for what differs among them.
 *
 * @param {string[]} sentences at least one
 * @returns {{sentence: string, fillings: string[][]}} for each sentence, what fills the gaps, in their order
 */
export function sayOnce(sentences) {
  const quoted = sentences.map((sentence) => sentence.match(QUOTED) ?? []);
  const isShared = (/** @type {number} */ gap) => quoted.every((each) => each[gap] === quoted[0][gap]);
  let gap = 0;
  const sentence = sentences[0].replace(QUOTED, (filling) => (isShared(gap++) ? filling : GAP));
  return { sentence, fillings: quoted.map((each) => each.filter((_, k) => !isShared(k))) };
}
