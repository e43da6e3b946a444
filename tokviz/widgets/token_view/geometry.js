/**
 * Where tokens are on screen: under the pointer, in the next row, in view.
 */

import { tokenAt } from "../shared/text/tokenization.js";
import { MAX_LABELED_STRIPES, placesOf } from "./piece.js";

/** @typedef {import("./chunks.js").Chunks} Chunks */
/** @typedef {Pick<DOMRect, "left" | "right" | "top" | "bottom">} Box */

/**
 * @param {Chunks} chunks
 * @param {PointerEvent | MouseEvent} event
 * @returns {number | null}
 */
export function tokenUnder(chunks, event) {
  const element = /** @type {Element} */ (event.target).closest(".t, .cut");
  const drawn = element && chunks.drawnAs(element);
  if (!drawn) return null;
  const { look } = drawn;
  if (!look.stripes) return look.piece.first;
  return stripeAt(look.stripes, look.rightToLeft, drawn.element.getBoundingClientRect(), event.clientX);
}

/**
 * Return the token of the stripe at a horizontal position within a cut character.
 *
 * @param {import("./piece.js").Stripe[]} stripes
 * @param {boolean} rightToLeft whether the first stripe is the rightmost
 * @param {Pick<Box, "left" | "right">} box of the character
 * @param {number} x
 */
export function stripeAt(stripes, rightToLeft, { left, right }, x) {
  const share = (rightToLeft ? right - x : x - left) / (right - left);
  const places = placesOf(stripes);
  return (places.find(({ end }) => share <= end) ?? places[places.length - 1]).token;
}

/**
 * Tell the bytes beneath a cut character that is pointed at how far they may reach from its middle (view.css): beyond its
 * chunk, they are clipped.
 *
 * @param {Event} event
 */
export function boundBytes({ target }) {
  const cut = /** @type {HTMLElement | null} */ (/** @type {Element} */ (target).closest(".cut"));
  const bounds = cut?.closest(".chunk")?.getBoundingClientRect();
  if (!cut || !bounds) return;
  const { left, right } = cut.getBoundingClientRect();
  const middle = (left + right) / 2;
  cut.style.setProperty("--room-before", `${middle - bounds.left}px`);
  cut.style.setProperty("--room-after", `${bounds.right - middle}px`);
}

/**
 * Return the boxes of token i on screen, in the order of its text: a token that wraps, or of letters in two directions, has
 * several.
 *
 * @param {Chunks} chunks
 * @param {number} i
 * @returns {Box[]}
 */
export function boxesOf(chunks, i) {
  const drawn = chunks.model && chunks.drawnOf(i) ? (chunks.chunkOf(i).drawn ?? []) : [];
  return drawn.flatMap(({ element, look }) => {
    const { first, last } = look.piece;
    if (i < first || i > last) return [];
    const boxes = Array.from(element.getClientRects()).filter(({ width }) => width);
    return look.stripes ? boxes.map((box) => stripeIn(box, /** @type {import("./piece.js").Stripe[]} */ (look.stripes), look.rightToLeft, i)) : boxes;
  });
}

/**
 * @param {DOMRect} box of a cut character @param {import("./piece.js").Stripe[]} stripes @param {boolean} rightToLeft @param {number} i
 * @returns {Box} of the stripe of token i
 */
function stripeIn({ left, width, top, bottom }, stripes, rightToLeft, i) {
  const places = placesOf(stripes);
  const { start, end } = places.find(({ token }) => token === i) ?? places[places.length - 1];
  const [from, to] = rightToLeft ? [1 - end, 1 - start] : [start, end];
  return { left: left + from * width, right: left + to * width, top, bottom };
}

/**
 * Return the lines of text that token i stands in, with the room for ids beneath; null if it is not drawn.
 *
 * @param {Chunks} chunks
 * @param {number} i
 * @returns {Box | null}
 */
export function lineOf(chunks, i) {
  const own = boxesOf(chunks, i);
  if (!own.length) return null;
  const { top, bottom } = around(own);
  const { element, drawn } = chunks.chunkOf(i);
  const boxes = (drawn ?? []).flatMap((each) => Array.from(each.element.getClientRects())).filter((box) => box.top < bottom && box.bottom > top);
  const between = parseFloat(getComputedStyle(element).lineHeight) - (own[0].bottom - own[0].top);
  return { ...around(boxes), top, bottom: bottom + between };
}

/** The smallest box around boxes. @param {Box[]} boxes @returns {Box} */
export function around(boxes) {
  const [lefts, rights, tops, bottoms] = [boxes.map(({ left }) => left), boxes.map(({ right }) => right), boxes.map(({ top }) => top), boxes.map(({ bottom }) => bottom)];
  return { left: Math.min(...lefts), right: Math.max(...rights), top: Math.min(...tops), bottom: Math.max(...bottoms) };
}

/**
 * Return the first token that is not scrolled away.
 *
 * @param {Chunks} chunks
 * @param {HTMLElement} scroller
 */
export function firstVisible(chunks, scroller) {
  const { top } = scroller.getBoundingClientRect();
  const isVisible = (/** @type {Element} */ element) => element.getBoundingClientRect().bottom > top;
  // By sections, because measuring in one that is scrolled away would make the browser lay it out.
  const section = Array.from(chunks.content.children).find(isVisible);
  const chunk = chunks.list.find(({ element }) => element.parentElement === section && isVisible(element));
  const drawn = chunk?.drawn?.find(({ element }) => isVisible(element));
  return drawn?.look.piece.first ?? 0;
}

/**
 * Return the token in the row below or above that is nearest to token i.
 *
 * @param {Chunks} chunks
 * @param {number} i
 * @param {1 | -1} step
 */
export function tokenInNextRow(chunks, i, step) {
  const { list, model } = chunks;
  const drawn = chunks.drawnOf(i);
  const index = list.indexOf(chunks.chunkOf(i));
  const box = drawn?.element.getClientRects()[0];
  if (!box || !model) return i + step;
  const neighbor = list[index + step];
  if (neighbor) chunks.drawnOf(tokenAt(model, neighbor.from));
  const candidates = [list[index], neighbor].flatMap((chunk) => chunk?.drawn ?? []);
  const boxes = candidates.map(({ element, look }) => ({ token: look.piece.first, boxes: element.getClientRects() }));
  return nearestInNextRow(box, boxes, step) ?? i;
}

/**
 * Return the token whose box is nearest, first by row and then sideways; null if there is none below or above.
 *
 * @param {Box} from
 * @param {{token: number, boxes: Iterable<Box>}[]} candidates a token that wraps has several boxes
 * @param {1 | -1} step 1 for rows below, -1 for rows above
 */
export function nearestInNextRow(from, candidates, step) {
  const middle = (from.left + from.right) / 2;
  let best = null;
  let least = Infinity;
  for (const { token, boxes } of candidates) {
    for (const box of boxes) {
      const down = ((box.top + box.bottom) / 2 - (from.top + from.bottom) / 2) * step;
      if (down < (from.bottom - from.top) / 2) continue;
      const sideways = Math.max(0, box.left - middle, middle - box.right);
      const distance = down * 1000 + sideways;
      if (distance < least) [best, least] = [token, distance];
    }
  }
  return best;
}

/**
 * Scroll token i into view without scrolling anything around the view.
 *
 * @param {Chunks} chunks
 * @param {HTMLElement} scroller
 * @param {number} i
 */
export function reveal(chunks, scroller, i) {
  // Twice, because heights above are estimates until they have been laid out.
  for (let attempt = 0; attempt < 2; attempt++) {
    const box = chunks.drawnOf(i)?.element.getClientRects()[0];
    const distance = box ? scrollDistance(box, scroller.getBoundingClientRect()) : null;
    if (distance === null) return;
    scroller.scrollTop += distance;
  }
}

/**
 * Return how far to scroll down to bring a box into view: just inside, or to a third of the height if it is far away.
 *
 * @param {Pick<Box, "top" | "bottom">} box
 * @param {Pick<Box, "top" | "bottom">} view
 * @returns {number | null} null if it is in view
 */
export function scrollDistance(box, { top, bottom }) {
  const height = bottom - top;
  const boxHeight = box.bottom - box.top;
  const room = Math.min(boxHeight, height / 4);
  if (box.top >= top + room / 2 && box.bottom <= bottom - room / 2) return null;
  const isFar = box.bottom < top - height || box.top > bottom + height;
  const goal = isFar ? top + height / 3 : box.top < top + room / 2 ? top + room : bottom - room - boxHeight;
  return box.top - goal;
}

// The boxes of tokens that ids stand beneath

/** @typedef {Box & {isDense: boolean}} TokenBox of a token, within its chunk */

/**
 * The boxes of the tokens that start in a chunk, in token order. Parts that touch are one box.
 *
 * @param {import("../shared/text/tokenization.js").TokenizationModel} model @param {import("./chunk.js").Chunk} chunk @param {DOMRect} block @param {number} size of the text
 */
export function boxesIn(model, chunk, block, size) {
  /** @type {Map<number, TokenBox[]>} */
  const found = new Map();
  const add = (/** @type {number} */ token, /** @type {TokenBox} */ box) => {
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

/** @template {Box} B @param {B[]} boxes */
export const widest = (boxes) => boxes.reduce((most, box) => (box.right - box.left > most.right - most.left ? box : most));
