/**
 * What is said of merges that change with the text they are learned from.
 */

import { number, plural } from "../../shared/dom/elements.js";
import { withSigns } from "../../shared/text/invisibles.js";
import { sayShortened } from "../../shared/text/speak.js";
import { beginningOf } from "../model/names.js";

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
 * @returns {Part[]}
 */
export function sentenceOf({ removed, added }, changes) {
  const edit = added ? ["With ", quoted(added), ...(removed ? [" for ", quoted(removed)] : [])] : ["Without ", quoted(removed)];
  if (!changes.length) return [...edit, ", the same merges are learned."];
  const named = changes.slice(0, MAX_NAMED).flatMap((change, i) => [i ? "; " : ", ", ...clauseOf(change)]);
  const more = changes.length - MAX_NAMED;
  return [...edit, ...named, more > 0 ? `; and ${plural(more, "more change")}.` : "."];
}

/** @param {string} text @returns {import("../explain/captions.js").Chip} */
function quoted(text) {
  const short = beginningOf(text, MAX_QUOTED);
  return { name: withSigns(short), said: sayShortened(short, MAX_QUOTED + 1) };
}
