/**
 * The rows of a long list, of which only the visible ones are drawn.
 */

/** Maximum height in pixels, beyond which scrolling is scaled: browsers clip elements at about 33 million pixels. */
const MAX_HEIGHT = 10_000_000;
const SPARE_ROWS = 4;

/**
 * Return the list's height, and how many pixels of rows one pixel of scrolling moves.
 *
 * @param {number} n number of rows
 * @param {number} rowHeight in pixels
 */
export function layoutOf(n, rowHeight) {
  const high = n * rowHeight;
  return { rowHeight, high: Math.min(high, MAX_HEIGHT), squeezed: Math.max(1, high / MAX_HEIGHT) };
}

/**
 * Return the visible rows, and a few on either side.
 *
 * @param {number} n number of rows
 * @param {number} top scroll offset in pixels
 * @param {number} height visible height in pixels
 * @param {ReturnType<typeof layoutOf>} layout
 * @returns {{first: number, end: number, at: (i: number) => number}} `at`: the top of row i in pixels within the list
 */
export function rowsInSight(n, top, height, { rowHeight, squeezed }) {
  const first = Math.max(0, Math.floor((top * squeezed) / rowHeight) - SPARE_ROWS);
  const end = Math.min(n, first + Math.ceil(height / rowHeight) + 2 * SPARE_ROWS);
  return { first, end, at: (i) => top + i * rowHeight - top * squeezed };
}

/**
 * Return the scroll offset at which row i is visible, as near as possible to the present one.
 *
 * @param {number} i
 * @param {number} top scroll offset in pixels
 * @param {number} height visible height in pixels
 * @param {ReturnType<typeof layoutOf>} layout
 */
export function offsetShowing(i, top, height, { rowHeight, squeezed }) {
  const rowTop = (i * rowHeight) / squeezed;
  if (rowTop < top) return rowTop;
  return rowTop + rowHeight > top + height ? rowTop + rowHeight - height : top;
}
