/**
 * Size of a tower: as large as the stage allows. To be in sight as a whole, it may leave out the numbers of the merges;
 * if that isn't enough, it is scrolled from line to line.
 */

import { MAX_SIZE, narrowestOf, widened } from "./labels.js";
import { place } from "./placement.js";

/**
 * @typedef {object} Fitted
 * @property {number} columns of a line
 * @property {number} column width of a column in pixels
 * @property {number} row height of a row in pixels
 * @property {number} smallest smallest size of a label, in columns
 * @property {number} largest largest size of a label, in columns
 * @property {boolean} isWhole true if all of it is in sight
 * @property {boolean} isCompact true if there is no room for the numbers of the merges
 * @property {boolean} isProjected true if text has a least height
 * @property {import("./tower.js").Tower} tower what is placed: on a projector perhaps with wider symbols
 * @property {import("./placement.js").Placement} placement
 */

/**
 * @typedef {object} Room of the stage, in pixels
 * @property {number} width
 * @property {number} height
 * @property {number} fontSize
 * @property {number} [least] smallest height of text, which a projector needs; none if absent
 */

/** Smallest width of a column of a tower in sight as a whole, in twentieths of an em. */
const MIN_WHOLE = 25;
/** That of a tower that is scrolled, and the smallest for one with very long tokens. */
const [SCROLLED, MIN_COLUMN] = [38, 22];
/** Lines of a tower that is scrolled: with fewer than these in sight, the numbers of the merges are left out. */
const FEW_LINES = 3;
/** Smallest heights of a row in em, without and with the numbers of merges. */
const [MIN_COMPACT, MIN_ROW] = [1.4, 2.4];
/**
 * Largest width of a column in twentieths of an em, heights of a row in em and in columns, and height of a label in columns.
 * On a projector, letters are as large as their blocks, which may be narrow and high, and a short text fills the stage.
 */
const ON_SCREEN = { maxColumn: 64, maxRow: 3.2, maxRatio: 1.6, largest: MAX_SIZE };
const PROJECTED = { maxColumn: 128, maxRow: 9, maxRatio: 2.6, largest: 1.45 };
/** Largest height of a label on a projector, in rows: see `heightOf`. */
export const LABEL_SHARE = 0.62;

/**
 * Find the size of a replay's tower. On a projector, symbols with long labels may be wider than on a page, if that makes
 * letters larger.
 *
 * @param {import("../model/replay.js").Replay} replay with a tower
 * @param {Room} room
 * @param {import("../model/names.js").Writing} writing
 * @returns {Fitted | null} null if there is a token that is wider than the stage
 */
export function fitReplay(replay, room, writing) {
  const tower = /** @type {import("./tower.js").Tower} */ (replay.tower);
  const fitted = fit(tower, room, narrowestOf(replay, writing));
  if (!room.least) return fitted;
  const wide = widened(replay, writing);
  const other = fit(wide, room, narrowestOf({ ...replay, tower: wide }, writing));
  return other?.isWhole && (!fitted?.isWhole || letterOf(other) > letterOf(fitted)) ? other : fitted;
}

/** Height of a letter on a projector, in pixels. @param {Fitted} fitted */
const letterOf = ({ column, row, largest }) => Math.min(column * largest, row * LABEL_SHARE);

/**
 * Find the size at which symbols are largest, or on a projector their labels, and all text has the least height. On a page,
 * what fits on one line stays on one line.
 *
 * @param {import("./tower.js").Tower} tower
 * @param {Room} room
 * @param {number} [narrowest] height in columns of the text that has the least room; see `narrowestOf`
 * @returns {Fitted | null} null if there is a token that is wider than the stage
 */
export function fit(tower, room, narrowest = 1) {
  const { width, height, fontSize } = room;
  const { maxColumn, maxRow, maxRatio, largest } = room.least ? PROJECTED : ON_SCREEN;
  const placeAt = (/** @type {number} */ twentieths) => {
    const size = twentieths / 20;
    const columns = Math.floor(width / (wholePixels(size, room, Math.ceil) * fontSize));
    const placement = place(tower, columns);
    return { columns, size, placement, isInside: placement.width <= columns };
  };
  const legible = Math.ceil(((room.least ?? 0) / (narrowest * fontSize)) * 20);
  for (const least of [MIN_ROW, MIN_COMPACT]) {
    const lowest = wholePixels(least, room, Math.ceil);
    let best = null;
    for (let twentieths = maxColumn; twentieths >= Math.max(MIN_WHOLE, legible); twentieths--) {
      const found = placeAt(twentieths);
      const rowAtMost = wholePixels(height / fontSize / found.placement.height, room, Math.floor);
      if (!found.isInside || rowAtMost < lowest) continue;
      const row = Math.max(lowest, wholePixels(Math.min(maxRow, found.size * maxRatio, rowAtMost), room, inQuarters));
      const isOneLine = !room.least && found.placement.tops.length <= 1;
      const value = room.least ? Math.min(found.size * largest, row * LABEL_SHARE) : found.size * row;
      if (!best || (isOneLine && !best.isOneLine) || (isOneLine === best.isOneLine && value > best.value)) best = { found, row, value, isOneLine };
    }
    if (best) return { ...inPixels(best.found, best.row, room), tower, isWhole: true };
  }
  for (let twentieths = Math.max(SCROLLED, Math.min(legible, maxColumn)); twentieths >= MIN_COLUMN; twentieths--) {
    const found = placeAt(twentieths);
    if (!found.isInside) continue;
    const { height: rows, tops } = found.placement;
    const inSight = (tops.length * height) / (rows * MIN_ROW * fontSize);
    return { ...inPixels(found, wholePixels(!room.least && inSight < FEW_LINES ? MIN_COMPACT : MIN_ROW, room, Math.ceil), room), tower, isWhole: false };
  }
  return null;
}

/** Heights whose quarters are whole pixels too: characters stand three quarters of a row above the symbols. @param {number} pixels */
const inQuarters = (pixels) => Math.floor(pixels / 4) * 4;

/**
 * A length in em that is whole pixels, as boxes on a page are and those of its pictures are not. On a projector it is kept.
 *
 * @param {number} em
 * @param {Room} room
 * @param {(pixels: number) => number} round
 */
const wholePixels = (em, { fontSize, least }, round) => (least ? em : round(em * fontSize) / fontSize);

/**
 * @param {{columns: number, size: number, placement: import("./placement.js").Placement}} found
 * @param {number} row in em
 * @param {Room} room
 */
function inPixels({ columns, size, placement }, row, room) {
  const { fontSize, least = 0 } = room;
  const column = wholePixels(size, room, Math.ceil) * fontSize;
  const { largest } = least ? PROJECTED : ON_SCREEN;
  const sizes = { columns, column, row: row * fontSize, smallest: least / column, largest };
  return { ...sizes, isCompact: row < MIN_ROW, isProjected: least > 0, placement };
}
