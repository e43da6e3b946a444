/**
 * Ways on from a page, as links that say what is found there.
 */

import { element, isForBrowser } from "../dom/elements.js";

/**
 * A link to another page. Where the app's navigation has one, that is followed instead, which keeps the page loaded.
 *
 * @param {string} page
 * @param {string} label
 * @param {Node | string} teaser
 * @param {() => unknown} [go] done instead, unless it returns null
 */
export function door(page, label, teaser, go = () => null) {
  const click = (/** @type {MouseEvent} */ event) => {
    if (go() || (!isForBrowser(event) && followInApp(page))) event.preventDefault();
  };
  return element("a", { class: "door", href: page, click }, element("b", {}, `${label} →`), element("span", {}, teaser));
}

/** @param {string} page */
function followInApp(page) {
  const link = document.querySelector(`[data-testid="stTopNavLink"][href$="/${page}"]`);
  if (link instanceof HTMLElement) link.click();
  return link;
}

/** Where a page ends. @param {...HTMLElement} doors */
export const waysOn = (...doors) => element("nav", { class: "doors", "aria-label": "What next" }, ...doors);
