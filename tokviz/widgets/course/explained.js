/**
 * A term in a sentence, explained on hover, focus or tap.
 */

import { element } from "../shared/dom/elements.js";
import { exampleOf } from "../shared/text/glossary.js";

let made = 0;

/** @param {string} text the term as it is written @param {import("../shared/text/glossary.js").Entry} entry @param {string} course the page's address */
export function explained(text, entry, course) {
  const id = `explanation-${made++}`;
  const show = () => (explanation.hidden = false);
  const hide = () => (explanation.hidden = true);
  const explanation = element("span", { id, class: "explanation", hidden: true }, `${entry.means} `, element("a", { href: exampleOf(entry, course) }, "An example"));
  const leave = (/** @type {FocusEvent} */ event) => event.relatedTarget instanceof Node && node.contains(event.relatedTarget) || hide();
  const press = (/** @type {KeyboardEvent} */ event) => event.key === "Escape" && (hide(), event.stopPropagation());
  const node = element(
    "span",
    { class: "explained", pointerenter: show, pointerleave: hide, focusin: show, focusout: leave, keydown: press },
    element("button", { type: "button", class: "term", "aria-describedby": id, click: show }, text),
    explanation,
  );
  return node;
}
