/**
 * Votes as bars, for the projector.
 */

import { element, plural } from "../shared/dom/elements.js";

/** @typedef {import("./questions.js").Votes} Votes */
/** @typedef {[value: number, count: number][]} Counted */

/** Maximum rows of a distribution; more different numbers are put together. */
const MAX_ROWS = 10;
const ROUNDS = ["first vote", "second vote, after talking"];

/**
 * The bars of a choice: one for each round, with its count. The longest of all choices is full.
 *
 * @param {Votes[]} votes by round @param {number} choice index
 */
export function voteBars(votes, choice) {
  const counts = votes.map((round) => ("counts" in round ? round.counts : []));
  const most = Math.max(1, ...counts.flat());
  const rows = counts.map((round, k) => bar(round[choice] ?? 0, most, `round-${k + 1}`, `${ROUNDS[k]}: ${plural(round[choice] ?? 0, "vote")}`));
  return element("div", { class: "vote-bars" }, ...rows);
}

/** What the bars of the two rounds are, once there are two. @param {Votes[]} votes */
export function roundsLegend(votes) {
  const entries = votes.length > 1 ? ROUNDS.map((name, k) => element("span", {}, element("i", { class: `round-${k + 1}` }), name)) : [];
  return element("div", { class: "vote-legend quiet" }, ...entries);
}

/**
 * The distribution of numbers that were sent, in rows from the smallest to the largest, and by script if there are several.
 *
 * @param {Extract<Votes, {numbers: any}>} votes
 */
export function distribution({ numbers, scripts }) {
  const names = Object.keys(scripts).sort((a, b) => total(scripts[b]) - total(scripts[a]));
  const parts = names.length > 1 ? names.map((name) => /** @type {const} */ ([name, scripts[name]])) : [/** @type {const} */ (["", numbers])];
  const ranges = rangesOf(numbers);
  const most = Math.max(1, ...ranges.flatMap((range) => parts.map(([, counted]) => countIn(counted, range))));
  return element("div", { class: "distribution" }, ...parts.map(([name, counted]) => group(name, counted, ranges, most)));
}

/** @param {string} name @param {Counted} counted @param {[number, number][]} ranges @param {number} most */
function group(name, counted, ranges, most) {
  const rows = ranges.map((range) => {
    const count = countIn(counted, range);
    return element("div", { class: "vote-row" }, element("span", {}, sayRange(range)), bar(count, most, "round-1", plural(count, "phone")));
  });
  return element("figure", {}, name && element("figcaption", {}, `${name}: ${plural(total(counted), "phone")}`), ...rows);
}

/** @param {number} count @param {number} most @param {string} kind @param {string} label */
function bar(count, most, kind, label) {
  const drawn = element("i", { class: kind });
  drawn.style.width = `${(100 * count) / most}%`; // a policy against style attributes allows this
  return element("div", { class: "vote-bar", title: label }, element("div", {}, drawn), element("b", { "aria-label": label }, String(count)));
}

/** Ranges of numbers, each of the same width, that hold all that were sent. @param {Counted} numbers @returns {[number, number][]} */
export function rangesOf(numbers) {
  if (!numbers.length) return [];
  const [first, last] = [numbers[0][0], numbers[numbers.length - 1][0]];
  const width = Math.ceil((last - first + 1) / MAX_ROWS);
  return Array.from({ length: Math.ceil((last - first + 1) / width) }, (_, k) => [first + k * width, first + (k + 1) * width - 1]);
}

/** @param {Counted} counted @param {[number, number]} range */
const countIn = (counted, [from, to]) => total(counted.filter(([value]) => from <= value && value <= to));

/** @param {Counted} counted */
const total = (counted) => counted.reduce((sum, [, count]) => sum + count, 0);

/** @param {[number, number]} range */
const sayRange = ([from, to]) => (from === to ? String(from) : `${from} to ${to}`);
