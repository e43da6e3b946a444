/**
 * Parts of a page that are presented without having the presenter's button: they follow the mode that it sets.
 */

import { CHANGE_EVENT, PRESENTING_CLASS } from "./presenter.js";

/** Give an element the class "present" while the page is presented. @param {HTMLElement} node */
export function followPresenting(node) {
  const disposal = new AbortController();
  const show = () => node.classList.toggle("present", document.documentElement.classList.contains(PRESENTING_CLASS));
  document.addEventListener(CHANGE_EVENT, show, { signal: disposal.signal });
  show();
  return { dispose: () => disposal.abort() };
}
