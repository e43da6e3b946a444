/**
 * The rows of a long list, of which only the visible ones are drawn.
 */

/** Maximum height in pixels, beyond which scrolling is scaled: browsers clip elements at about 33 million pixels. */
const MAX_HEIGHT = 10_000_000;
const SPARE_ROWS = 4;

/** @typedef {ReturnType<typeof layoutOf>} Layout */

/**
 * Return the list's height, and how many pixels of rows one pixel of scrolling moves: at the end of either, the last row
 * is visible.
 *
 * @param {number} n number of rows
 * @param {number} rowHeight in pixels
 * @param {number} height visible height in pixels
 */
export function layoutOf(n, rowHeight, height) {
  const full = n * rowHeight;
  const high = Math.min(full, MAX_HEIGHT);
  const scale = full > high ? (full - height) / (high - height) : 1;
  return { rowHeight, height, high, scale };
}

/**
 * Return the visible rows, and a few on either side.
 *
 * @param {number} n number of rows
 * @param {number} top scroll offset in pixels
 * @param {Layout} layout
 * @returns {{first: number, end: number, at: (i: number) => number}} `at`: the top of row i in pixels within the list
 */
export function rowsInSight(n, top, { rowHeight, height, scale }) {
  const first = Math.max(0, Math.floor((top * scale) / rowHeight) - SPARE_ROWS);
  const end = Math.min(n, first + Math.ceil(height / rowHeight) + 2 * SPARE_ROWS);
  return { first, end, at: (i) => top + i * rowHeight - top * scale };
}

/**
 * Return the scroll offset at which row i is visible, as near as possible to the present one.
 *
 * @param {number} i
 * @param {number} top scroll offset in pixels
 * @param {Layout} layout
 */
export function offsetShowing(i, top, { rowHeight, height, scale }) {
  const rowTop = i * rowHeight;
  if (rowTop < top * scale) return rowTop / scale;
  return rowTop + rowHeight > top * scale + height ? (rowTop + rowHeight - height) / scale : top;
}
