/**
 * Votes as bars, for the projector.
 */

import { element } from "../shared/dom/elements.js";
import { counted as sayCounted } from "./text.js";

/** @typedef {import("./questions.js").Votes} Votes */
/** @typedef {import("./text.js").Words} Words of the slides */
/** @typedef {[value: number, count: number][]} Counted */

/** Maximum rows of a distribution; the largest of more numbers are put together. */
const MAX_ROWS = 8;
/** Maximum scripts side by side; the rarest of more are put together. */
const MAX_SCRIPTS = 4;
const OTHER = "other";
const ROUNDS = ["first_round", "second_round"];

/**
 * The bars of a choice: one for each round, with its count. The longest of all choices is full.
 *
 * @param {Words} words @param {Votes[]} votes by round @param {number} choice index
 */
export function voteBars(words, votes, choice) {
  const counts = votes.map((round) => ("counts" in round ? round.counts : []));
  const most = Math.max(1, ...counts.flat());
  const label = (/** @type {number} */ k, /** @type {number} */ count) => `${words[ROUNDS[k]]}: ${sayCounted(words, "some_votes", count)}`;
  const rows = counts.map((round, k) => bar(round[choice] ?? 0, most, `round-${k + 1}`, label(k, round[choice] ?? 0)));
  return element("div", { class: "vote-bars" }, ...rows);
}

/** What the bars of the two rounds are, once there are two. @param {Words} words @param {Votes[]} votes */
export function roundsLegend(words, votes) {
  const entries = votes.length > 1 ? ROUNDS.map((name, k) => element("span", {}, element("i", { class: `round-${k + 1}` }), words[name])) : [];
  return element("div", { class: "vote-legend quiet" }, ...entries);
}

/**
 * The distribution of numbers that were sent, in rows from the smallest to the largest, and by script if there are several.
 *
 * @param {Words} words @param {Extract<Votes, {numbers: any}>} votes
 */
export function distribution(words, { numbers, scripts }) {
  const sorted = groupsOf(scripts);
  const parts = sorted.length > 1 ? sorted : [/** @type {const} */ (["", numbers])];
  const ranges = rangesOf(numbers);
  const most = Math.max(1, ...ranges.flatMap((range) => parts.map(([, counted]) => countIn(counted, range))));
  const node = element("div", { class: "distribution" }, ...parts.map(([name, counted]) => group(words, name, counted, ranges, most)));
  node.style.setProperty("--rows", String(ranges.length));
  return node;
}

/** The scripts of numbers, the most frequent first, a few at most. @param {Record<string, Counted>} scripts @returns {[name: string, counted: Counted][]} */
export function groupsOf(scripts) {
  const sorted = Object.entries(scripts).sort(([, a], [, b]) => total(b) - total(a));
  if (sorted.length <= MAX_SCRIPTS) return sorted;
  const named = sorted.filter(([name]) => name !== OTHER).slice(0, MAX_SCRIPTS - 1);
  const rest = sorted.filter((each) => !named.includes(each)).flatMap(([, counted]) => counted);
  return [...named, [OTHER, rest]];
}

/** @param {Words} words @param {string} name @param {Counted} counted @param {[number, number][]} ranges @param {number} most */
function group(words, name, counted, ranges, most) {
  const phones = (/** @type {number} */ count) => sayCounted(words, "some_phones", count);
  const rows = ranges.map((range) => {
    const count = countIn(counted, range);
    return element("div", { class: "vote-row" }, element("span", {}, sayRange(range)), bar(count, most, "round-1", phones(count)));
  });
  return element("figure", {}, name && element("figcaption", {}, `${words.scripts[name] ?? name}: ${phones(total(counted))}`), ...rows);
}

/** @param {number} count @param {number} most @param {string} kind @param {string} label */
function bar(count, most, kind, label) {
  const drawn = element("i", { class: kind });
  drawn.style.width = `${(100 * count) / most}%`; // a policy against style attributes allows this
  return element("div", { class: "vote-bar", title: label }, element("div", {}, drawn), element("b", { "aria-label": label }, String(count)));
}

/** The rows of numbers: each that was sent, from the smallest; the last holds all larger ones if there are many. @param {Counted} numbers sorted @returns {[number, number][]} */
export function rangesOf(numbers) {
  const values = numbers.map(([value]) => value);
  const rows = values.slice(0, MAX_ROWS).map((value) => /** @type {[number, number]} */ ([value, value]));
  if (values.length > MAX_ROWS) rows[MAX_ROWS - 1][1] = Infinity;
  return rows;
}

/** @param {Counted} counted @param {[number, number]} range */
const countIn = (counted, [from, to]) => total(counted.filter(([value]) => from <= value && value <= to));

/** @param {Counted} counted */
const total = (counted) => counted.reduce((sum, [, count]) => sum + count, 0);

/** @param {[number, number]} range */
const sayRange = ([from, to]) => (from === to ? String(from) : `${from}+`);
