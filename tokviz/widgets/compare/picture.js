/**
 * Picture of a segment: each tokenizer's tokens with their ids, in order, and where it cuts before any merge; and the same
 * in words for those who can't see it.
 */

import { element, plural } from "../shared/dom/elements.js";
import { placeOf, tokensIn } from "./model.js";
import { lineDirection } from "../shared/text/direction.js";
import { pieceOf } from "./pieces.js";

/** @typedef {import("./model.js").Comparison} Comparison */

/** Maximum tokens of each tokenizer in a picture. */
const MAX_DRAWN = 60;
/** Maximum tokens of each tokenizer in the words for a picture. */
const MAX_SAID = 40;

/**
 * @param {Comparison} comparison
 * @param {number} segment
 * @param {number[][]} splits for each tokenizer, its cuts before any merge, in bytes from the segment's start; empty
 *   until loaded
 * @returns {HTMLElement}
 */
export function drawPicture(comparison, segment, splits) {
  const dir = lineDirection(comparison.text, placeOf(comparison, segment)[0]);
  const isShown = new Set(splits.map(String)).size > 1; // where all cut alike, it says nothing
  const rows = comparison.names.map((_, t) => drawTokens(comparison, t, segment, isShown ? splits[t] : [], dir));
  const isCut = (/** @type {string} */ cutter, /** @type {number} */ t) => cutter && isShown && splits[t].length;
  const cutting = comparison.cutting.filter(isCut);
  return element(
    "figure",
    { class: "picture" },
    element("div", { role: "img", "aria-label": sayPicture(comparison, segment, splits) }, ...rows),
    cutting.length > 0 && element("figcaption", { class: "quiet" }, element("i", { class: "split" }), sayCuts(cutting)),
  );
}

/** What the cuts in a picture are, in words that hold for all that cut. @param {Comparison["cutting"]} cutting */
export const sayCuts = (cutting) =>
  cutting.every((each) => each === "pattern") ? "cut by the split pattern, before any merge" : "cut before looking for tokens";

/** @param {Comparison} comparison @param {number} t @param {number} segment @param {number[]} cuts @param {string} dir */
function drawTokens(comparison, t, segment, cuts, dir) {
  const [first, end] = tokensIn(comparison, t, segment);
  const { byteOffsets, ids, special } = comparison.models[t];
  const places = new Set(comparison.cutting[t] ? cuts.map((offset) => comparison.boundaries[segment] + offset) : []);
  const tokens = shownOf(first, end, MAX_DRAWN).flatMap((i) => [
    places.delete(byteOffsets[i]) && element("i", { class: "split" }),
    element(
      "span",
      { class: special[i] ? "piece special" : `piece own-${comparison.colors[t]}` },
      element("b", { dir: "auto" }, pieceOf(comparison, t, i)),
      element("span", { class: "id" }, String(ids[i])),
    ),
  ]);
  const last = places.has(byteOffsets[end]) && element("i", { class: "split" });
  const rest = end - first > MAX_DRAWN && element("span", { class: "quiet" }, "… and so on");
  const count = element("span", { class: "quiet" }, ` ${plural(end - first, "token")}`);
  const name = element("p", { class: "name-of" }, comparison.names[t], count);
  return element("div", {}, name, element("div", { class: "pieces", dir }, ...tokens, last, rest));
}

/** The first tokens of a range, at most so many. @param {number} first @param {number} end @param {number} most */
const shownOf = (first, end, most) => Array.from({ length: Math.min(end - first, most) }, (_, k) => first + k);

/**
 * The tokens of each tokenizer with their ids, and how often it cuts before it looks for tokens.
 *
 * @param {Comparison} comparison @param {number} segment @param {number[][]} splits
 */
export function sayPicture(comparison, segment, splits) {
  const [start, stop] = [comparison.boundaries[segment], comparison.boundaries[segment + 1]];
  const sentences = comparison.names.map((name, t) => {
    const [first, end] = tokensIn(comparison, t, segment);
    const { ids } = comparison.models[t];
    const unknown = (/** @type {number} */ i) => (ids[i] === comparison.unknown[t] ? " (unknown)" : "");
    const tokens = shownOf(first, end, MAX_SAID).map((i) => `“${pieceOf(comparison, t, i)}” ${ids[i]}${unknown(i)}`);
    const inner = (splits[t] ?? []).filter((offset) => offset > 0 && offset < stop - start).length;
    const more = end - first > MAX_SAID ? " and more" : "";
    const times = inner === 1 ? "once" : `${inner} times`;
    const cutter = comparison.cutting[t] === "pattern" ? "its split pattern" : "its first stage";
    const isCut = splits[t] && comparison.cutting[t];
    const cuts = isCut ? `; ${cutter} ${inner ? `cuts ${times}` : "does not cut"} here` : "";
    return `${name}: ${tokens.join(", ")}${more}${cuts}.`;
  });
  return sentences.join(" ");
}
