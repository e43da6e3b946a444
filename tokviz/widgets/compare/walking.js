/**
 * A walk through the differences that pass a filter: which they are, and the current one.
 */

import { REASONS } from "./model.js";

/** @typedef {import("./model.js").Comparison} Comparison */
/** @typedef {"next" | "previous" | "first" | "last"} Move */
/** @typedef {{reason: number, kind: number}} Filter a reason's bit, 0 for all, and a class's number, -1 for all */
/** @typedef {{value: number, name: string, count: number}} Choice a value to filter by, and the differences that have it */

export class Walking {
  /** @type {Comparison | null} */
  #comparison = null;
  /** Differences that pass the filter, as indices into `differing`. @type {readonly number[]} */
  passing = [];
  /** Index of the current difference among them; -1 if there is none. */
  at = -1;

  /** @param {Filter} filter */
  constructor({ reason, kind }) {
    this.filter = { reason, kind };
  }

  /** @param {Comparison | null} comparison of the same text with its reasons, of other tokenizers, or of another text */
  show(comparison) {
    if (comparison?.text !== this.#comparison?.text) this.at = -1;
    this.#comparison = comparison;
    this.#apply();
  }

  /** @param {Filter} filter */
  filterBy(filter) {
    this.filter = filter;
    this.#apply();
  }

  /**
   * @param {Move} where
   * @returns {number | null} the segment that it leads to; null if no difference passes the filter
   */
  move(where) {
    if (!this.passing.length) return null;
    return this.goTo(moveFrom(this.at, where, this.passing.length));
  }

  /**
   * Make a difference the current one.
   *
   * @param {number} place among the differences that pass
   * @returns {number | null} its segment
   */
  goTo(place) {
    this.at = place;
    return this.#comparison && this.#comparison.differing[this.passing[place]];
  }

  /** Make a segment the current difference, if it passes the filter. @param {number | null} segment */
  standAt(segment) {
    this.at = this.passing.findIndex((difference) => this.#comparison?.differing[difference] === segment);
  }

  /** Reasons to filter by: those present, and the selected one. @returns {Choice[]} */
  reasons() {
    const { reason, kind } = this.filter;
    const choices = REASONS.map(({ bit, name }) => ({ value: bit, name, count: this.#passingBy({ reason: bit, kind }).length }));
    return choices.filter(({ count, value }) => count || value === reason);
  }

  /** Text classes to filter by: those present, and the selected one. @returns {Choice[]} */
  kinds() {
    const { reason, kind: selected } = this.filter;
    const all = new Set([...(this.#comparison?.classes ?? []), ...(selected < 0 ? [] : [selected])]);
    return [...all]
      .sort((a, b) => a - b)
      .map((kind) => ({
        value: kind,
        name: this.#comparison?.classNames[kind] ?? "",
        count: this.#passingBy({ reason, kind }).length,
      }));
  }

  #apply() {
    const current = this.passing[this.at] ?? -1;
    this.passing = this.#passingBy(this.filter);
    this.at = this.passing.indexOf(current);
  }

  /** @param {Filter} filter */
  #passingBy({ reason, kind }) {
    if (!this.#comparison) return [];
    const { bits, classes, differing } = this.#comparison;
    const isPassing = (/** @type {number} */ difference) =>
      (!reason || (bits[difference] & reason) !== 0) && (kind < 0 || classes[difference] === kind);
    return Array.from(differing.keys()).filter(isPassing);
  }
}

/**
 * Index that a move leads to; it wraps around from the last to the first.
 *
 * @param {number} at -1 before the first
 * @param {Move} where
 * @param {number} count
 */
export function moveFrom(at, where, count) {
  const last = count - 1;
  if (where === "next") return at >= last ? 0 : at + 1;
  if (where === "previous") return at <= 0 ? last : at - 1;
  return where === "first" ? 0 : last;
}
