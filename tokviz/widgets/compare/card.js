/**
 * Details of one segment: a picture of how each tokenizer cuts it, and why the tokenizers differ. They stand beneath the
 * segment's line in the text, tied to it.
 */

import { button, element, fill, press } from "../shared/dom/elements.js";
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

/** Room above and below the card, in pixels. */
const AROUND = 18;
/** How far from the card's left edge its tie is where there is room, in pixels. */
const TIED_AT = 48;

/** @typedef {{left: number, right: number, bottom: number}} Place the last line of a segment, in the window */

/** How to read a text in a layout, and what to do to see the card. @param {import("./comparedtext.js").Layout} layout */
export function sayHint(layout) {
  return `${layout === "aligned" ? "Blank" : "Underlined"}: cut alike. ${press()} a colored piece to see why.`;
}

/**
 * @param {HTMLElement} root what the card is placed in, over the text
 * @param {() => void} onClose
 * @param {import("./folds.js").Folds} folds remember whether the whole explanations are in sight
 */
export function createCard(root, onClose, folds) {
  const leave = (/** @type {KeyboardEvent} */ event) => event.key === "Escape" && !event.defaultPrevented && onClose();
  const node = element("section", { class: "segment-card", "aria-label": "Difference", keydown: leave });
  const pane = element("div", { class: "card-pane", hidden: true }, node);
  const close = button("×", onClose, { class: "button close", "aria-label": "Hide the difference", title: "Key: Escape" });
  root.append(pane);

  /** The whole explanations, folded away. @param {Difference} difference */
  function details({ explanation }) {
    const sentences = sentencesOf(explanation);
    if (!sentences.length) return null;
    const paragraphs = sentences.map((sentence) => element("p", { class: "sentence" }, ...quoting(sentence)));
    const toggle = () => folds.remember("why", whole.open);
    /** @type {HTMLDetailsElement} */
    const whole = element("details", { open: folds.isOpen("why"), toggle }, element("summary", {}, "In full"), ...paragraphs);
    return whole;
  }

  return {
    /** What stands beneath the line: the card, and above it what else a page puts there. */
    pane,
    /** @param {Comparison | null} comparison @param {number | null} segment @param {Difference | null} difference null if all cut it alike */
    show(comparison, segment, difference) {
      pane.hidden = !comparison || segment === null;
      if (!comparison || segment === null) return;
      const explanation = difference?.explanation;
      fill(
        node,
        element("p", { class: "place quiet" }, difference ? difference.place : "All cut this alike."),
        close,
        element("p", { class: "big mono", dir: "auto" }, textOf(comparison, segment)),
        drawPicture(comparison, segment, explanation?.splits ?? []),
        difference && element("div", { class: "reasons" }, ...(explanation ? [...drawCauses(explanation, comparison.names), details(difference)] : [pending(difference)])),
      );
    },
    /** Height of what stands beneath the line, with the room around it. */
    height: () => pane.offsetHeight + AROUND,
    /** Stand beneath the segment. @param {Place | null} place null if the segment is out of sight, and the card with it */
    place(place) {
      pane.classList.toggle("away", !place);
      if (!place) return;
      const around = root.getBoundingClientRect();
      const middle = (place.left + place.right) / 2 - around.left;
      const left = Math.max(0, Math.min(middle - TIED_AT, around.width - pane.offsetWidth));
      const sizes = { "--top": place.bottom - around.top, "--left": left, "--tie": middle - left };
      for (const [name, size] of Object.entries(sizes)) pane.style.setProperty(name, `${size}px`);
    },
    bringIntoView: () => pane.scrollIntoView({ block: "nearest" }),
    dispose() {
      pane.remove();
    },
  };
}

/** The reasons as far as they are known before the explanation is loaded. @param {Difference} difference */
function pending({ bits, refusal }) {
  const reasons = reasonNames(bits).join(" and ") || refusal || "being worked out";
  return element("p", { class: "why" }, element("b", {}, "Why: "), reasons);
}
