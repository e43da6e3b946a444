/**
 * Type as large as the screen has room for, while presenting.
 */

/** Maximum length of a text whose type is fitted, in UTF-16 units; longer ones scroll anyway. */
const MAX_FITTED = 1500;
/** Type sizes, in pixels. The least is what can be read from the last row. */
const LEAST = 34;
const MOST = 260;
const PRECISION = 2;
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
 * Set the size of a token view's type so that its text fills the screen below its upper edge, in whole words.
 *
 * @param {HTMLElement} view
 * @param {number} length of the text
 */
export function fitType(view, length) {
  if (length > MAX_FITTED) return void view.style.setProperty("--token-size", `${LEAST}px`);
  const room = window.innerHeight - view.getBoundingClientRect().top - MARGIN;
  view.classList.add("fitting");
  const fits = (/** @type {number} */ size) => {
    view.style.setProperty("--token-size", `${size}px`);
    return view.scrollHeight <= room && view.scrollWidth <= view.clientWidth;
  };
  const size = largestThatFits(LEAST, Math.min(MOST, room / 2), fits);
  view.style.setProperty("--token-size", `${size}px`);
  view.classList.remove("fitting");
}

/** Give a token view its usual type again. @param {HTMLElement} view */
export function unfitType(view) {
  view.style.removeProperty("--token-size");
}
