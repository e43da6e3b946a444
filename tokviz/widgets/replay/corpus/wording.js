/**
 * What is said of merges that change with the text they are learned from.
 */

import { number, plural } from "../../shared/dom/elements.js";
import { withSigns } from "../../shared/text/invisibles.js";
import { sayShortened } from "../../shared/text/speak.js";
import { firstWordsOf } from "../model/names.js";

/** @typedef {import("./mergelists.js").Change} Change */
/** @typedef {string | import("../explain/captions.js").Chip} Part */

/** Maximum changes that the sentence names, and code points of an edit that it quotes. */
const [MAX_NAMED, MAX_QUOTED] = [2, 16];

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
  if (!isShared) return [...edit, ", no merge is learned that was learned before."];
  const named = changes.slice(0, MAX_NAMED).flatMap((change, i) => [i ? "; " : ", ", ...clauseOf(change)]);
  const more = changes.length - MAX_NAMED;
  return [...edit, ...named, more > 0 ? `; and ${plural(more, "more change")}.` : "."];
}

/**
 * How the merges of two texts compare.
 *
 * @param {Change[]} changes
 * @param {number} slid how many stand at another place only because of others
 * @param {boolean} isShared whether any merge is of both
 */
export function sayCompared(changes, slid, isShared) {
  if (!changes.length) return "Both texts give the same merges, in the same order.";
  if (!isShared) return "The two texts share no merge.";
  const counts = ["moved", "new", "gone"].map((kind) => `${number(changes.filter((change) => change.kind === kind).length)} ${kind}`);
  return `Kept, then typed: ${counts.join(", ")}.${slid ? ` ${plural(slid, "other")} slid to another place, in the same order.` : ""}`;
}

/** @param {string} text @returns {import("../explain/captions.js").Chip} */
function quoted(text) {
  const short = firstWordsOf(text, MAX_QUOTED);
  return { name: withSigns(short), said: sayShortened(short, MAX_QUOTED + 1) };
}
