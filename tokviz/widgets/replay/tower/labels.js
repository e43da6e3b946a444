/**
 * Labels of a tower's blocks, and how large they may be written.
 */

import { isWide } from "../../shared/text/invisibles.js";
import { joinRuns, writingOf } from "../model/names.js";

/** Width of a monospaced character relative to its height. */
const CHARACTER_WIDTH = 0.6;
/** Part of a block's width that its label may take. */
const SHARE = 0.9;
/** Part of a block's width that its id may take, so that it stays apart from the ids beside it. */
const ID_SHARE = 0.86;
/** Largest size of a label in columns, unless on a projector. */
export const MAX_SIZE = 0.8;
/** Smallest size of a label, in columns. A longer label is cut short. */
const MIN_SIZE = 0.3;
/** Size of an id for which a symbol is made wider, in columns. */
const MIN_ID = 0.7;
/** Maximum width of a symbol that is made wider, in columns. */
const MAX_WIDENED = 8;
/** Smallest size of a label that all of it is written at, where text has a least height. */
const MIN_WHOLE = 0.5;

/**
 * @param {import("../model/replay.js").Replay} replay
 * @param {import("./tower.js").Block} block
 * @param {import("../model/names.js").Writing} writing
 * @param {number} width of the block, in columns
 * @param {{smallest?: number, largest?: number}} [sizes] smallest and largest size, in columns
 * @returns {{text: string, hasHex: boolean, size: number}} `size` in columns
 */
export function labelOf(replay, { start, end, id }, writing, width, { smallest = 0, largest = MAX_SIZE } = {}) {
  const covered = end - start === 1 ? replay.covered.get(start) : undefined;
  const runs = writingOf(replay, id, writing, covered);
  const text = shorten(joinRuns(runs), width, Math.max(MIN_SIZE, smallest));
  return { text, hasHex: runs.some(({ part }) => part), size: sizeOf(text, width, largest) };
}

/**
 * Size in columns of the text of a tower that has the least room: ids, and labels that are not shortened.
 *
 * @param {import("../model/replay.js").Replay} replay with a tower
 * @param {import("../model/names.js").Writing} writing
 */
export function narrowestOf(replay, writing) {
  const { blocks, places, widths } = /** @type {import("./tower.js").Tower} */ (replay.tower);
  return blocks.reduce((least, block) => {
    const first = /** @type {number} */ (places.get(block.start));
    const width = widths.subarray(first, first + block.end - block.start).reduce((sum, each) => sum + each, 0);
    const label = Math.max(MIN_WHOLE, labelOf(replay, block, writing, width).size);
    return Math.min(least, label, block.gone < Infinity ? label : idSize(block.id, width));
  }, MAX_SIZE);
}

/**
 * A tower whose symbols are wide enough for their labels to be as large as letters are, and at the end for their ids.
 *
 * @param {import("../model/replay.js").Replay} replay with a tower
 * @param {import("../model/names.js").Writing} writing
 * @returns {import("./tower.js").Tower}
 */
export function widened(replay, writing) {
  const tower = /** @type {import("./tower.js").Tower} */ (replay.tower);
  const widths = tower.widths.map((width, i) => {
    const block = tower.blocks[i]; // the symbols are the first blocks
    const isLegible = (/** @type {number} */ wide) =>
      labelOf(replay, block, writing, wide).size >= MAX_SIZE && (block.gone < Infinity || idSize(block.id, wide) >= MIN_ID);
    let wide = width;
    while (!isLegible(wide) && wide < MAX_WIDENED) wide++;
    return wide;
  });
  return { ...tower, widths };
}

/** How large an id may be written under a block, in columns. @param {number} id @param {number} width of the block, in columns */
export const idSize = (id, width) => (ID_SHARE * width) / (CHARACTER_WIDTH * String(id).length);

/** How large a text may be written in a block. @param {string} text @param {number} width @param {number} [largest] in columns */
export function sizeOf(text, width, largest = MAX_SIZE) {
  return Math.min(largest, (SHARE * width) / (CHARACTER_WIDTH * Math.max(1, widthOf(text))));
}

/** @param {string} text @param {number} width @param {number} smallest size, in columns */
function shorten(text, width, smallest) {
  const most = Math.max(1, Math.floor((SHARE * width) / (CHARACTER_WIDTH * smallest)));
  if (widthOf(text) <= most) return text;
  let [kept, used] = ["", 1];
  for (const character of text) {
    used += widthOf(character);
    if (used > most) break;
    kept += character;
  }
  return `${kept}…`;
}

/** Width of a text in monospaced characters, as fonts usually have it. @param {string} text */
export function widthOf(text) {
  let width = 0;
  for (const character of text) width += /\p{M}|\p{Cf}/u.test(character) ? 0 : isWide(character) ? 2 : 1;
  return width;
}
