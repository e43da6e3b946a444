/**
 * Navigation through the differences, optionally only those of one reason or class; and in a fold, where in the text they
 * are, and a table of them for reading, for screen readers, and as a file.
 */

import { button, element, fill, menu, number, plural } from "../shared/dom/elements.js";
import { createExtent } from "./breakdown.js";
import { DifferenceTable } from "./differencetable.js";
import { toCsv, toJson } from "./export.js";
import { REASONS, reasonNames } from "./model.js";
import { sayPlaces } from "./summaries.js";
import { Walking } from "./walking.js";

/** @typedef {import("./model.js").Comparison} Comparison */
/** @typedef {import("./walking.js").Filter} Filter */

/** Maximum sentences in a saved file; later differences have their reasons only. */
const MAX_SENTENCES = 2000;
const SENTENCES = `The first ${number(MAX_SENTENCES)} have a sentence that says why.`;
/** File formats for the differences. @type {[format: string, label: string, says: string][]} */
const FORMATS = [
  [
    "json",
    "JSON",
    "The differences that are walked through, each with its place, its text, its reasons, and its tokens with their ids " +
      `and bytes; for programs. ${SENTENCES}`,
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
 * @typedef {object} DifferencesListeners
 * @property {(segment: number) => void} go called when the reader goes to a difference
 * @property {(filter: Filter) => void} filter
 * @property {(segments: number[]) => Promise<import("./explaining.js").Explained[]>} explain
 */

export class Differences {
  formats = FORMATS;
  /** @type {Comparison | null} */
  #comparison = null;
  #walking;
  #table;
  #extent;
  #fold;
  #on;

  #count = element("output", { class: "count", "aria-label": "Difference" });
  #previous = button("◀", () => this.walk("previous"), { "aria-label": "Previous difference", title: "Key: left arrow in the text, or P" });
  #next = button("▶", () => this.walk("next"), { "aria-label": "Next difference", title: "Key: right arrow in the text, or N" });
  /** Ends the filter; in sight while there is one. */
  #filtered = button("", () => this.#filterBy({ reason: 0, kind: -1 }), { class: "button filtered" });
  #reasons = menu("Reason", [], ALL, () => this.#filterBy());
  #kinds = menu("In", [], ALL, () => this.#filterBy());

  /**
   * @param {Filter} filter
   * @param {import("./folds.js").Folds} folds
   * @param {DifferencesListeners} on
   */
  constructor(filter, folds, on) {
    this.#on = on;
    this.#walking = new Walking(filter);
    this.#table = new DifferenceTable({
      go: (place) => this.#goTo(place),
      explain: (segments) => on.explain(segments),
    });
    /** The buttons that go from one to the next. @type {HTMLElement} */
    this.node = group("walking", "Differences", this.#previous, this.#count, this.#next, this.#filtered);
    this.#extent = createExtent((segment) => {
      this.standAt(segment);
      on.go(segment);
    });
    const filters = group("filters", "Which differences", this.#reasons.node, this.#kinds.node);
    const content = [filters, explanation(), this.#extent.node, this.#table.node];
    this.#fold = folds.add("places", "Places", () => this.#showContent(), ...content);
  }

  /** @param {Comparison | null} comparison */
  show(comparison) {
    this.#comparison = comparison;
    this.#walking.show(comparison);
    this.#fold.say(comparison ? sayPlaces(comparison) : "");
    this.#update();
  }

  /** @param {import("./walking.js").Move} where */
  walk(where) {
    const segment = this.#walking.move(where);
    if (segment === null) return;
    this.#showPlace();
    this.#on.go(segment);
  }

  /** Make a segment the current difference, if it passes the filter. @param {number | null} segment */
  standAt(segment) {
    this.#walking.standAt(segment);
    this.#showPlace();
  }

  /** Name the position of a difference, such as "Difference 3 of 13". @param {number} difference */
  placeOf(difference) {
    const place = this.#walking.passing.indexOf(difference);
    return place < 0 ? "A difference" : `Difference ${this.#sayPlace(place)}`;
  }

  /** Make a file of the differences that pass the filter. @param {string} format "csv" or "json" */
  async file(format) {
    const comparison = /** @type {Comparison} */ (this.#comparison);
    const listed = [...this.#walking.passing];
    const explained = listed.slice(0, MAX_SENTENCES).map((difference) => comparison.differing[difference]);
    const explanations = await this.#on.explain(explained);
    return format === "json"
      ? new Blob([toJson(comparison, listed, explanations)], { type: "application/json" })
      : new Blob([toCsv(comparison, listed, explanations)], { type: "text/csv" });
  }

  /** @param {number} place among the differences that pass the filter */
  #goTo(place) {
    const segment = this.#walking.goTo(place);
    this.#showPlace();
    if (segment !== null) this.#on.go(segment);
  }

  /** @param {Filter} filter as chosen in the menus, if not given */
  #filterBy(filter = this.#chosenFilter()) {
    this.#on.filter(filter);
    this.#walking.filterBy(filter);
    this.#update();
    // The button that ends the filter is gone.
    if (!filter.reason && filter.kind < 0 && !this.#fold.node.open) this.#next.focus({ preventScroll: true });
  }

  /** @returns {Filter} */
  #chosenFilter() {
    const [reason, kind] = [this.#reasons, this.#kinds].map(({ select }) => select.value);
    return { reason: reason === ALL ? 0 : Number(reason), kind: kind === ALL ? -1 : Number(kind) };
  }

  #update() {
    const { reason, kind } = this.#walking.filter;
    const names = [...reasonNames(reason), ...(kind < 0 ? [] : [this.#comparison?.classNames[kind] ?? ""])];
    this.#filtered.hidden = !names.length;
    fill(this.#filtered, `Only ${names.join(", ")} ×`);
    this.#filtered.setAttribute("aria-label", `All differences, not only ${names.join(", ")}`);
    this.#showPlace();
    this.#fold.refresh();
  }

  /** Update what is in the fold. */
  #showContent() {
    const { reason, kind } = this.#walking.filter;
    setOptions(this.#reasons.select, "any reason", this.#walking.reasons(), reason || ALL);
    setOptions(this.#kinds.select, "all text", this.#walking.kinds(), kind < 0 ? ALL : kind);
    if (this.#comparison) this.#extent.show(this.#comparison);
    this.#table.show(this.#comparison, this.#walking.passing);
  }

  #showPlace() {
    const { at, passing } = this.#walking;
    const none = this.#comparison?.differing.length ? "no differences of this kind" : "no differences";
    const all = passing.length ? plural(passing.length, "difference") : none;
    fill(this.#count, at < 0 ? all : this.#sayPlace(at));
    for (const each of [this.#previous, this.#next]) each.disabled = !passing.length;
  }

  /** @param {number} place among the differences that pass the filter */
  #sayPlace(place) {
    return `${number(place + 1)} of ${number(this.#walking.passing.length)}`;
  }
}

/** @param {string} name @param {string} label @param {...Node} children */
function group(name, label, ...children) {
  return element("div", { class: `row ${name}`, role: "group", "aria-label": label }, ...children);
}

function explanation() {
  const entries = REASONS.flatMap(({ name, says }) => [element("dt", {}, name), element("dd", {}, says)]);
  return element(
    "details",
    { class: "about-reasons" },
    element("summary", {}, "What are these reasons?"),
    element("dl", {}, ...entries),
  );
}

/**
 * Replace a menu's options.
 *
 * @param {HTMLSelectElement} select
 * @param {string} all label of the choice of all
 * @param {import("./walking.js").Choice[]} choices
 * @param {number | string} chosen
 */
function setOptions(select, all, choices, chosen) {
  const options = choices.map(({ value, name, count }) => element("option", { value }, `${name} (${number(count)})`));
  select.replaceChildren(element("option", { value: ALL }, all), ...options);
  select.value = String(chosen);
}
