/**
 * What is said of merges that change with the text they are learned from.
 */

import { listed, number, plural } from "../../shared/dom/elements.js";
import { withSigns } from "../../shared/text/invisibles.js";
import { sayShortened } from "../../shared/text/speak.js";
import { numbersOf } from "../../shared/ui/alternatives.js";
import { OWN_PATTERN, WITH_OWN } from "../../shared/ui/patterns.js";
import { ALPHABETS, TIES } from "../input/options.js";
import { firstWordsOf } from "../model/names.js";

/** @typedef {import("./mergelists.js").Change} Change */
/** @typedef {string | import("../explain/captions.js").Chip} Part */
/** @typedef {import("../../shared/ui/alternatives.js").Alternative} Alternative */
/** @typedef {import("../input/options.js").LearnOptions & {alternatives: Alternative[]}} Learning the options, and the alternatives of their pattern */

/** Maximum changes that the sentence names, and code points of an edit that it quotes. */
const [MAX_NAMED, MAX_QUOTED] = [2, 16];
/** Code points of a text by which the reader recognizes it, and of what stands before the place where two texts differ. */
const [MAX_HEAD, BEFORE] = [40, 12];

/** "1st", "12th", "1,002nd". @param {number} rank counted from 0 */
export function ordinal(rank) {
  const place = rank + 1;
  const tens = Math.floor((place % 100) / 10);
  const ending = tens === 1 ? "th" : (["th", "st", "nd", "rd"][place % 10] ?? "th");
  return `${number(place)}${ending}`;
}

/** One change as a clause: "t + h comes 7th instead of 1st". @param {Change} change @returns {Part[]} */
export function clauseOf({ kind, merge, before, after }) {
  const pair = [merge.left, " + ", merge.right];
  if (kind === "moved") return [...pair, ` comes ${ordinal(after)} instead of ${ordinal(before)}`];
  if (kind === "new") return [...pair, ` is new, ${ordinal(after)}`];
  return [...pair, ` is gone, which was ${ordinal(before)}`];
}

/**
 * What an edit does to the merges, in a sentence.
 *
 * @param {{removed: string, added: string}} edit
 * @param {Change[]} changes
 * @param {boolean} [isShared] whether any merge is learned as before
 * @returns {Part[]}
 */
export function sentenceOf({ removed, added }, changes, isShared = true) {
  const edit = added ? ["With ", quoted(added), ...(removed ? [" for ", quoted(removed)] : [])] : ["Without ", quoted(removed)];
  if (!changes.length) return [...edit, ", the same merges are learned."];
  if (!isShared) return [...edit, ", every merge is another one than before."];
  const named = changes.slice(0, MAX_NAMED).flatMap((change, i) => [i ? "; " : ", ", ...clauseOf(change)]);
  const more = changes.length - MAX_NAMED;
  return [...edit, ...named, more > 0 ? `; and ${plural(more, "more change")}.` : "."];
}

/**
 * How the merges of two texts compare.
 *
 * @param {Change[]} changes
 * @param {boolean} isShared whether any merge is of both
 */
export function sayCompared(changes, isShared) {
  if (!changes.length) return "Both give the same merges, in the same order.";
  if (!isShared) return "They share no merge.";
  const counts = ["moved", "new", "gone"].flatMap((kind) => {
    const count = changes.filter((change) => change.kind === kind).length;
    return count ? [`${number(count)} ${kind}`] : [];
  });
  return `Compared with the kept one: ${counts.join(", ")}.`;
}

/** @param {string} text @returns {import("../explain/captions.js").Chip} */
function quoted(text) {
  const short = firstWordsOf(text, MAX_QUOTED);
  return { name: withSigns(short), said: sayShortened(short, MAX_QUOTED + 1) };
}

/** @param {[value: string, label: string][]} choices @param {string} value */
const labelOf = (choices, value) => choices.find(([choice]) => choice === value)?.[1] ?? value;

/** Options of learning, as they are told apart. @type {[name: string, say: (learning: Learning) => string][]} */
const OPTIONS = [
  ["split", ({ pattern, own, off, alternatives }) => (pattern === OWN_PATTERN ? own : labelOf(WITH_OWN, pattern)) + sayOff(numbersOf(off), alternatives)],
  ["alphabet", ({ alphabet }) => labelOf(ALPHABETS, alphabet)],
  ["ties", ({ ties }) => labelOf(TIES, ties)],
  ["merges", ({ merges }) => number(merges)],
  ["end-of-word marks", ({ endOfWord }) => (endOfWord ? "on" : "off")],
];

/** Name the alternatives that are off as their switches do. @param {number[]} off @param {Alternative[]} alternatives */
function sayOff(off, alternatives) {
  const names = alternatives.filter((_, i) => off.includes(i)).map(({ name, text }) => `“${name || firstWordsOf(withSigns(text), MAX_HEAD)}”`);
  return names.length ? ` without ${listed(names)}` : "";
}

/**
 * What tells two ways to learn apart: the texts, where they begin to differ, and the options that differ. Equal if nothing does.
 *
 * @param {Learning} one
 * @param {Learning} other
 * @returns {[string, string]}
 */
export function headsOf(one, other) {
  const [a, b] = [one, other].map(({ text }) => Array.from(text.replace(/\s+/g, " ")));
  let same = 0;
  while (same < Math.min(a.length, b.length) && a[same] === b[same]) same++;
  const start = same < MAX_HEAD - BEFORE ? 0 : same - BEFORE;
  const differing = OPTIONS.filter(([, say]) => say(one) !== say(other));
  const isQuoted = one.text !== other.text || !differing.length;
  const head = (/** @type {Learning} */ learn, /** @type {string[]} */ text) => {
    const quote = isQuoted ? [`“${start ? "…" : ""}${firstWordsOf(text.slice(start).join(""), MAX_HEAD)}”`] : [];
    return [...quote, ...differing.map(([name, say]) => `${name}: ${say(learn)}`)].join(", ");
  };
  return [head(one, a), head(other, b)];
}
