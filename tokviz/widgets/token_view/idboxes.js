/**
 * The boxes of tokens that ids stand beneath.
 */

import { MAX_LABELED_STRIPES, placesOf } from "./piece.js";

/** @typedef {import("../shared/text/tokenization.js").TokenizationModel} Model */
/** @typedef {{left: number, right: number, top: number, bottom: number, isDense: boolean}} Box of a token, within its chunk */

/**
 * The boxes of the tokens that start in a chunk, in token order. Parts that touch are one box.
 *
 * @param {Model} model @param {import("./chunk.js").Chunk} chunk @param {DOMRect} block @param {number} size of the text
 */
export function boxesIn(model, chunk, block, size) {
  /** @type {Map<number, Box[]>} */
  const found = new Map();
  const add = (/** @type {number} */ token, /** @type {Box} */ box) => {
    if (model.starts[token] < chunk.from) return;
    const boxes = found.get(token) ?? [];
    found.set(token, boxes);
    const touching = boxes.find(({ left, right, top, bottom }) => Math.min(bottom, box.bottom) > Math.max(top, box.top) && box.left < right + 1 && box.right > left - 1);
    if (touching) Object.assign(touching, { left: Math.min(touching.left, box.left), right: Math.max(touching.right, box.right), isDense: touching.isDense || box.isDense });
    else boxes.push(box);
  };
  for (const { element, look } of chunk.drawn ?? []) {
    const { piece, stripes, rightToLeft } = look;
    const isDense = stripes !== null && stripes.length > MAX_LABELED_STRIPES;
    for (const { left, right, top, bottom } of element.getClientRects()) {
      const box = { left: left - block.left, right: right - block.left, top: top - block.top, bottom: bottom - block.top, isDense };
      const width = right - left;
      if (!stripes) add(piece.first, box);
      else if (isDense) for (const { token } of stripes) add(token, { ...box });
      else for (const { token, start, end } of placesOf(stripes)) {
        const [from, to] = rightToLeft ? [1 - end, 1 - start] : [start, end];
        add(token, { ...box, left: box.left + from * width, right: box.left + to * width });
      }
    }
    const newline = stripes ? null : element.querySelector(".newline");
    const end = newline?.getClientRects()[0];
    if (!end) continue;
    // The mark of a line end is drawn beyond the line (invisibles.css).
    const [x, mark] = [end.left - block.left, 0.6 * size];
    const isLeftwards = newline?.classList.contains("rtl") || (rightToLeft && !newline?.classList.contains("ltr"));
    add(piece.first, { left: isLeftwards ? x - mark : x, right: isLeftwards ? x : x + mark, top: end.top - block.top, bottom: end.bottom - block.top, isDense });
  }
  return [...found].sort(([one], [other]) => one - other);
}

/** @typedef {{left: number, right: number}} Edges @param {Edges} one @param {Edges} other */
export const isApart = (one, other) => one.right <= other.left + 1 || one.left >= other.right - 1;

/** @template {Omit<Box, "isDense">} B @param {B[]} boxes */
export const widest = (boxes) => boxes.reduce((most, box) => (box.right - box.left > most.right - most.left ? box : most));
