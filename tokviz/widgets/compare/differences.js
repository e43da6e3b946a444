/**
 * Navigation through the differences, optionally only those of one reason or class, and a table of them for reading,
 * for screen readers, and as a file.
 */

import { button, element, fill, menu, number, plural } from "../shared/dom/elements.js";
import { pieceOf, quoting, textOf } from "./card.js";
import { joinedSentences, toCsv, toJson } from "./listing.js";
import { REASONS, reasonNames, tokensIn } from "./model.js";

/** @typedef {import("./model.js").Comparison} Comparison */
/** @typedef {"next" | "previous" | "first" | "last"} Walk */
/** @typedef {{reason: number, kind: number}} Filter `reason` is a reason's bit, 0 for all; `kind` is a class's number, -1 for all */

/** Rows per page of the table. */
const ROWS = 50;
/** Maximum sentences in a saved file; later differences have their reasons only. */
const MAX_SENTENCES = 2000;
/** Maximum pieces per tokenizer in a table row. */
const MAX_PIECES = 40;
const SENTENCES = `The first ${number(MAX_SENTENCES)} have a sentence that says why.`;
/** File formats for the differences. @type {[format: string, label: string, says: string][]} */
const FORMATS = [
  [
    "json",
    "JSON",
    `The differences that are walked through, each with its place, its text, its reasons, and its tokens with their ids and bytes; for programs. ${SENTENCES}`,
  ],
  [
    "csv",
    "CSV",
    "A row for each of these differences, with its tokens as the page writes them and their ids, but not their bytes. " +
      `${SENTENCES} In a spreadsheet, import every column as text.`,
  ],
];
const ALL = "all";

/**
 * @param {Filter} filter
 * @param {object} on
 * @param {(segment: number) => void} on.go called when the reader goes to a difference
 * @param {(filter: Filter) => void} on.filter
 * @param {(segments: number[]) => Promise<((string | null)[] | null)[]>} on.explain
 */
export function createDifferences(filter, on) {
  /** @type {Comparison | null} */
  let comparison = null;
  /** Differences that pass the filter, as indices into `differing`. @type {number[]} */
  let shown = [];
  /** Current index in `shown`; -1 before the first. */
  let at = -1;
  let firstRow = 0;

  const count = element("output", { class: "count", "aria-label": "Difference" });
  const previous = button("◀ previous", () => walk("previous"), { title: "Key: left arrow in the aligned view, or P" });
  const next = button("next ▶", () => walk("next"), { title: "Key: right arrow in the aligned view, or N" });
  const reasons = menu("Reason", [], ALL, filterChanged);
  const kinds = menu("In", [], ALL, filterChanged);
  const about = element(
    "details",
    { class: "about-reasons" },
    element("summary", {}, "What are these reasons?"),
    element("dl", {}, ...REASONS.flatMap(({ name, says }) => [element("dt", {}, name), element("dd", {}, says)])),
  );
  const node = element(
    "div",
    { class: "row walking", role: "group", "aria-label": "Differences" },
    previous,
    count,
    next,
  );
  const filters = element("div", { class: "row filters", role: "group", "aria-label": "Which differences" }, reasons.node, kinds.node);

  const rows = element("tbody");
  const head = element("thead");
  const which = element("span", { class: "quiet" });
  const earlier = button("earlier", () => turn(-ROWS));
  const later = button("later", () => turn(ROWS));
  const table = element(
    "details",
    { class: "as-table", toggle: () => table.open && showRows() },
    element("summary", {}, "All differences as a table"),
    element("div", { class: "row" }, which, earlier, later),
    element("div", { class: "wide", tabindex: 0, role: "region", "aria-label": "Differences" }, element("table", {}, head, rows)),
  );

  function filterChanged() {
    filter.reason = reasons.select.value === ALL ? 0 : Number(reasons.select.value);
    filter.kind = kinds.select.value === ALL ? -1 : Number(kinds.select.value);
    on.filter(filter);
    apply();
  }

  /** Apply the filter to the current differences. */
  function apply() {
    const before = at < 0 ? -1 : shown[at];
    shown = comparison ? Array.from(comparison.differing.keys()).filter((one) => fits(one, filter)) : [];
    at = shown.indexOf(before);
    firstRow = 0;
    fillMenus();
    showPlace();
    if (table.open) showRows();
  }

  /** @param {number} difference @param {Filter} by */
  function fits(difference, { reason, kind }) {
    if (!comparison) return false;
    return (!reason || (comparison.bits[difference] & reason) !== 0) && (kind < 0 || comparison.classes[difference] === kind);
  }

  /** Fill the menus with the reasons and classes present and their counts. */
  function fillMenus() {
    const numbers = comparison ? Array.from(comparison.differing.keys()) : [];
    const tally = (/** @type {Filter} */ by) => numbers.filter((one) => fits(one, by)).length;
    const ofReason = REASONS.map(({ bit, name }) => ({ value: bit, name, count: tally({ reason: bit, kind: filter.kind }) }));
    const selected = filter.kind < 0 ? [] : [filter.kind]; // kept even if the text has none of it
    const present = [...new Set([...(comparison?.classes ?? []), ...selected])].sort((a, b) => a - b);
    const ofKind = present.map((kind) => ({
      value: kind,
      name: comparison?.classNames[kind] ?? "",
      count: tally({ reason: filter.reason, kind }),
    }));
    setOptions(reasons.select, "any reason", ofReason.filter(({ count, value }) => count || value === filter.reason), filter.reason || ALL);
    setOptions(kinds.select, "all text", ofKind, filter.kind < 0 ? ALL : filter.kind);
  }

  /** @param {Walk} where */
  function walk(where) {
    if (!comparison || !shown.length) return;
    at = walkFrom(at, where, shown.length);
    showPlace();
    on.go(comparison.differing[shown[at]]);
  }

  function showPlace() {
    const none = comparison?.differing.length ? "none of these" : "no differences";
    fill(count, at < 0 ? (shown.length ? plural(shown.length, "difference") : none) : placeOf(at));
    for (const one of [previous, next]) one.disabled = !shown.length;
  }

  /** @param {number} place */
  const placeOf = (place) => `${number(place + 1)} of ${number(shown.length)}`;

  // The table

  /** @param {number} by */
  function turn(by) {
    firstRow = Math.max(0, firstRow + by);
    showRows();
  }

  function showRows() {
    if (!comparison) return;
    const page = shown.slice(firstRow, firstRow + ROWS);
    fill(head, element("tr", {}, ...["", "text", ...comparison.names, "reason", "why"].map((name) => element("th", { scope: "col" }, name))));
    const sentences = page.map(() => element("td", { class: "sentence" }));
    fill(rows, ...page.map((difference, k) => row(difference, firstRow + k, sentences[k])));
    fill(which, shown.length > ROWS ? `${placeOf(firstRow).split(" ")[0]} to ${placeOf(firstRow + page.length - 1)}` : plural(shown.length, "difference"));
    earlier.hidden = firstRow === 0;
    later.hidden = firstRow + ROWS >= shown.length;
    void explain(page).then((found) =>
      found.forEach((each, k) => fill(sentences[k], ...quoting(joinedSentences(each)))),
    );
  }

  /** @param {number} difference @param {number} place @param {Element} sentenceCell */
  function row(difference, place, sentenceCell) {
    const { text, cuts, reasons: names } = describe(difference);
    const goThere = button(number(place + 1), () => ((at = place), showPlace(), comparison && on.go(comparison.differing[difference])), {
      title: "Show it in the text",
    });
    return element(
      "tr",
      {},
      element("td", {}, goThere),
      ...[text, ...cuts.map((pieces) => pieces.join(" | "))].map((each) => element("td", { class: "mono", dir: "auto" }, each)),
      element("td", {}, names.join(", ")),
      sentenceCell,
    );
  }

  /** @param {number} difference */
  function describe(difference) {
    const current = /** @type {Comparison} */ (comparison);
    const segment = current.differing[difference];
    const cuts = current.names.map((_, t) => {
      const [first, end] = tokensIn(current, t, segment);
      return Array.from({ length: Math.min(end - first, MAX_PIECES) }, (_, k) => pieceOf(current, t, first + k));
    });
    return {
      text: textOf(current, segment),
      cuts,
      reasons: reasonNames(current.bits[difference]),
    };
  }

  /** @param {number[]} differences */
  async function explain(differences) {
    const asked = comparison;
    const found = await on.explain(differences.map((one) => /** @type {Comparison} */ (asked).differing[one])).catch(() => []);
    return asked === comparison ? found : [];
  }

  /** Make a file of the differences that pass the filter. @param {string} format "csv" or "json" */
  async function file(format) {
    const asked = /** @type {Comparison} */ (comparison);
    const listed = [...shown];
    const sentences = await on.explain(listed.slice(0, MAX_SENTENCES).map((one) => asked.differing[one]));
    return format === "json"
      ? new Blob([toJson(asked, listed, sentences)], { type: "application/json" })
      : new Blob([toCsv(asked, listed, sentences)], { type: "text/csv" });
  }

  return {
    node,
    filters,
    table,
    about,
    walk,
    file,
    formats: FORMATS,
    /** @param {Comparison | null} compared */
    show(compared) {
      const sameText = compared?.text === comparison?.text;
      comparison = compared;
      if (!sameText) at = -1;
      apply();
    },
    /** Make a segment the current difference, if it passes the filter. @param {number | null} segment */
    standAt(segment) {
      at = comparison ? shown.findIndex((difference) => comparison?.differing[difference] === segment) : -1;
      showPlace();
    },
    /** Name the position of a difference, such as "Difference 3 of 13". @param {number} difference */
    placeOf(difference) {
      const place = shown.indexOf(difference);
      return place < 0 ? "A difference" : `Difference ${placeOf(place)}`;
    },
  };
}

/**
 * Replace a menu's options.
 *
 * @param {HTMLSelectElement} select
 * @param {string} all label of the choice of all
 * @param {{value: number, name: string, count: number}[]} found
 * @param {number | string} chosen
 */
function setOptions(select, all, found, chosen) {
  const choices = found.map(({ value, name, count }) => element("option", { value }, `${name} (${number(count)})`));
  select.replaceChildren(element("option", { value: ALL }, all), ...choices);
  select.value = String(chosen);
}

/**
 * Index that a move leads to; it wraps around from the last to the first.
 *
 * @param {number} at -1 before the first
 * @param {Walk} where
 * @param {number} count
 */
export function walkFrom(at, where, count) {
  const last = count - 1;
  if (where === "next") return at >= last ? 0 : at + 1;
  if (where === "previous") return at <= 0 ? last : at - 1;
  return where === "first" ? 0 : last;
}
