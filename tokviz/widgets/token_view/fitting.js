/**
 * Type as large as the screen has room for, while presenting.
 */

import { screenScale } from "../shared/page/presenter.js";

/** Maximum length of a text whose type is fitted, in UTF-16 units; longer ones scroll anyway. */
const MAX_FITTED = 1500;
/** Type sizes on the smallest screen, in pixels. The least is what can be read from the last row. */
const LEAST = 40;
const MOST = 260;
const PRECISION = 2;
/** Room beneath the text, on the smallest screen: for a line of small type. */
const MARGIN = 24;

/**
 * Return the largest size that fits, `least` if none does.
 *
 * @param {number} least
 * @param {number} most
 * @param {(size: number) => boolean} fits true for all sizes up to some size
 */
export function largestThatFits(least, most, fits) {
  if (fits(most)) return most;
  let [low, high] = [least, most];
  while (high - low > PRECISION) {
    const middle = (low + high) / 2;
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/**
 * Set the size of a text's type so that the text fills the screen below its upper edge, in whole words.
 *
 * @param {HTMLElement} host gets the size and the height that views may have, and the class "fitting" while sizes are
 *   tried
 * @param {number} length of the text
 * @param {HTMLElement[]} views that scroll if it doesn't fit, within the host
 * @param {number} beneath pixels at the lower edge of the screen that are left free
 */
export function fitType(host, length, views = [host], beneath = 0) {
  const scale = screenScale();
  const [least, most] = [scale * LEAST, scale * MOST];
  const setSize = (/** @type {number} */ size) => host.style.setProperty("--token-size", `${size}px`);
  const rooms = views.map((view) => window.innerHeight - view.getBoundingClientRect().top - scale * MARGIN - beneath);
  host.style.setProperty("--view-height", `${Math.min(...rooms)}px`);
  if (length > MAX_FITTED) return setSize(least);
  host.classList.add("fitting");
  const fits = (/** @type {number} */ size) => {
    setSize(size);
    return views.every((view, k) => heightOf(view) <= rooms[k] && view.scrollWidth <= view.clientWidth);
  };
  setSize(largestThatFits(least, Math.max(least, Math.min(most, ...rooms.map((room) => room / 2))), fits));
  host.classList.remove("fitting");
}

/** Height of a view that doesn't scroll, with its border. @param {HTMLElement} view */
const heightOf = ({ scrollHeight, offsetHeight, clientHeight }) => scrollHeight + offsetHeight - clientHeight;

/** Give a text its usual type again. @param {HTMLElement} host */
export function unfitType(host) {
  for (const property of ["--token-size", "--view-height"]) host.style.removeProperty(property);
}
