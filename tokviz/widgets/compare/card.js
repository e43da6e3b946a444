/**
 * Details of one segment: a picture of how each tokenizer cuts it, and why the tokenizers differ.
 */

import { element, fill } from "../shared/dom/elements.js";
import { drawCauses, quoting } from "./causes.js";
import { sentencesOf } from "./explaining.js";
import { reasonNames } from "./model.js";
import { drawPicture } from "./picture.js";
import { textOf } from "./pieces.js";

/** @typedef {import("./model.js").Comparison} Comparison */

/**
 * @typedef {object} Difference
 * @property {string} place its position, such as "Difference 3 of 13"
 * @property {number} bits of its reasons
 * @property {string} [refusal] why the server gave no reasons
 * @property {import("./explaining.js").Explained} explanation null until loaded
 */

const HINT = "Point at a token to see how each tokenizer cuts there, and why.";

/**
 * @param {HTMLElement} root
 * @param {{isOpen: boolean, toggle: (isOpen: boolean) => void}} [fold] whether the whole explanations are in sight
 */
export function createCard(root, fold = { isOpen: false, toggle() {} }) {
  const node = element("section", { class: "segment-card", "aria-label": "Difference" });
  let { isOpen } = fold;
  root.append(node);

  /** The whole explanations, folded away. @param {Difference} difference */
  function details({ explanation }) {
    const sentences = sentencesOf(explanation);
    if (!sentences.length) return null;
    const paragraphs = sentences.map((sentence) => element("p", { class: "sentence" }, ...quoting(sentence)));
    /** @type {HTMLDetailsElement} */
    const whole = element("details", { toggle }, element("summary", {}, "In full"), ...paragraphs);
    whole.open = isOpen;
    return whole;

    function toggle() {
      if (whole.open === isOpen) return;
      isOpen = whole.open;
      fold.toggle(isOpen);
    }
  }

  return {
    /** @param {Comparison | null} comparison @param {number | null} segment @param {Difference | null} difference null if all cut it alike */
    show(comparison, segment, difference) {
      node.classList.toggle("full", comparison !== null && segment !== null);
      if (!comparison || segment === null) return fill(node, element("p", { class: "hint" }, HINT));
      const explanation = difference?.explanation;
      fill(
        node,
        element("p", { class: "place quiet" }, difference ? difference.place : "All cut this alike."),
        element("p", { class: "big mono", dir: "auto" }, textOf(comparison, segment)),
        drawPicture(comparison, segment, explanation?.splits ?? []),
        ...(explanation ? drawCauses(explanation, comparison.names) : []),
        difference && (explanation ? details(difference) : pending(difference)),
      );
    },
    dispose() {
      node.remove();
    },
  };
}

/** The reasons as far as they are known before the explanation is loaded. @param {Difference} difference */
function pending({ bits, refusal }) {
  const reasons = reasonNames(bits).join(" and ") || refusal || "being worked out";
  return element("p", { class: "why" }, element("b", {}, "Why: "), reasons);
}
