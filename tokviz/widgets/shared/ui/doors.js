/**
 * Ways on from a page: links that are sentences, with a number of what is on screen where there is one.
 */

import { element, isForBrowser } from "../dom/elements.js";

/**
 * A link to another page. Where the app's navigation has one, that is followed instead, which keeps the page loaded.
 *
 * @param {string} page
 * @param {Node | string} says what is found there
 * @param {(event: MouseEvent) => unknown} [go] done instead, unless it returns nothing
 */
export function door(page, says, go = () => null) {
  const click = (/** @type {MouseEvent} */ event) => {
    if (go(event) || (!isForBrowser(event) && followInApp(page))) event.preventDefault();
  };
  return element("a", { class: "door", href: page, click }, says, " →");
}

/** @param {string} page */
function followInApp(page) {
  const link = document.querySelector(`[data-testid="stTopNavLink"][href$="/${page}"]`);
  if (link instanceof HTMLElement) link.click();
  return link;
}

/** Where a page ends. @param {...import("../dom/elements.js").Child} doors */
export const waysOn = (...doors) => element("nav", { class: "doors", "aria-label": "What next" }, ...doors);
