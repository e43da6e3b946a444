/**
 * Why one segment is cut differently: in plain words, with a picture of how each tokenizer cuts it, and at length on demand.
 */

import { element } from "../shared/dom/elements.js";
import { drawCauses } from "./causes.js";
import { reasonNames } from "./model.js";
import { drawPicture } from "./picture.js";

/** @typedef {import("./model.js").Comparison} Comparison */

/**
 * @typedef {object} Difference
 * @property {number} bits of its reasons
 * @property {string} [refusal] why the server gave no reasons
 * @property {import("./explaining.js").Explained} explanation null until loaded
 */

/** How to read a text in a layout. @param {import("./comparedtext.js").Layout} layout */
export const sayHint = (layout) => `${layout === "aligned" ? "Blank" : "Underlined"}: cut alike.`;

/**
 * @param {Comparison} comparison @param {number} segment @param {Difference | null} difference null if all cut it alike
 * @param {import("./folds.js").Folds} folds remember whether the whole explanations are in sight
 * @returns {HTMLElement[]}
 */
export function drawCard(comparison, segment, difference, folds) {
  const explanation = difference?.explanation;
  const picture = drawPicture(comparison, segment, explanation?.splits ?? []);
  if (!difference) return [element("p", { class: "plain" }, "All cut this alike."), picture];
  if (!explanation) return [pending(difference), picture];
  return [...drawCauses(explanation, comparison.names, folds), picture];
}

/** The reasons as far as they are known before the explanation is loaded. @param {Difference} difference */
function pending({ bits, refusal }) {
  return element("p", { class: "plain" }, refusal || reasonNames(bits).join(" and ") || "Being worked out");
}
