/**
 * Chips painted behind the letters of a chunk, of any tokens that consist of the same smallest pieces.
 *
 * Where these pieces are is measured once. To show other tokens of the text then takes no element and no layout: that is
 * how a text follows a slider in every frame.
 */

import { element } from "../shared/dom/elements.js";
import { firstIndex, piecesOf, stripesOf } from "../shared/text/tokenization.js";
import { placesOf } from "./piece.js";

/** @typedef {import("../shared/text/tokenization.js").TokenizationModel} Model */
/** @typedef {import("../shared/text/tokenization.js").Piece} Piece */
/** @typedef {{left: number, right: number, top: number, bottom: number}} Box within the chunk, in pixels */
/** @typedef {Box & {piece: number, isLast: boolean}} Spot a box of a smallest piece; `isLast`: its last one */
/** @typedef {Box & {token: number, opens: boolean, closes: boolean}} Chip a box of a token; whether it begins and ends there */

/** Height of a chip above and below its letters, width of the mark of a line end and of a token without bytes, gap and radius, in em. */
const [BESIDE, NEWLINE, EMPTY, GAP, ROUND] = [0.17, 0.6, 0.3, 0.01, 0.16];
const LEAST_GAP = 0.5;
/** Width of the line around a token of the newest merge, in pixels. */
const OUTLINE = 2;
/** Room around a block that its canvas reaches into, in pixels. */
const MARGIN = 8;

export class ChipLayer {
  #chunk;
  #canvas = /** @type {HTMLCanvasElement} */ (element("canvas", { class: "chips", "aria-hidden": "true" }));
  /** Size of the type, and of the chunk. */
  #size = 0;
  #block = { width: 0, height: 0 };
  /** The measured text. */
  #text = "";
  /** @type {Spot[]} */
  #spots = [];
  /** @type {Chip[]} */
  #chips = [];

  /** @param {import("./chunk.js").Chunk} chunk */
  constructor(chunk) {
    this.#chunk = chunk;
  }

  /** Whether the places of the chunk's pieces are known. */
  get isMeasured() {
    return this.#canvas.parentElement === this.#chunk.element && this.#text === this.#chunk.text;
  }

  /** Find where the smallest pieces are. @param {Model} smallest */
  measure(smallest) {
    const { element: host, text, from, to } = this.#chunk;
    if (this.#canvas.parentElement !== host) host.prepend(this.#canvas);
    this.#text = text;
    this.#size = parseFloat(getComputedStyle(host).fontSize);
    const block = host.getBoundingClientRect();
    const rangeOf = rangesIn(host, from);
    this.#spots = piecesOf(smallest, from, to).flatMap((piece) => spotsOf(smallest, piece, rangeOf(piece), block, this.#size));
    this.#block = { width: block.width, height: block.height };
  }

  /**
   * @param {Model} model whose tokens consist of the smallest pieces @param {Model} smallest
   * @param {(i: number) => string} paintOf token i @param {string} outline color around tokens of the newest merge
   * @param {[top: number, bottom: number]} [view] lines beyond stay empty, in pixels of the screen
   */
  draw(model, smallest, paintOf, outline, [top, bottom] = [-Infinity, Infinity]) {
    const { top: origin } = this.#chunk.element.getBoundingClientRect();
    const spots = this.#spots.filter((spot) => origin + spot.bottom > top && origin + spot.top < bottom);
    this.#chips = chipsOf(spots, model, smallest);
    const context = clearPaper(this.#canvas, this.#block);
    for (const chip of this.#chips) {
      if (model.special[chip.token]) continue; // its frame is drawn with its letters
      context.fillStyle = paintOf(chip.token);
      this.#trace(context, chip);
      context.fill();
      if (!model.newest?.[chip.token]) continue;
      context.strokeStyle = outline;
      context.lineWidth = 2 * OUTLINE;
      context.save();
      context.clip(); // its neighbors are painted over what is beyond
      context.stroke();
      context.restore();
    }
  }

  /** @param {CanvasRenderingContext2D} context @param {Chip} chip */
  #trace(context, { left, right, top, bottom, opens, closes }) {
    const gap = Math.max(LEAST_GAP, GAP * this.#size);
    const radius = ROUND * this.#size;
    const [start, end] = [left + (opens ? gap : 0), right - (closes ? gap : 0)];
    const [first, last] = [opens ? radius : 0, closes ? radius : 0];
    context.beginPath();
    context.roundRect(start, top + gap, Math.max(0, end - start), bottom - top - 2 * gap, [first, last, last, first]);
  }

  /** The boxes of the tokens drawn that begin in the chunk, in token order. @param {Model} model @returns {[token: number, boxes: Box[]][]} */
  boxesOf(model) {
    /** @type {Map<number, Box[]>} */
    const found = new Map();
    for (const chip of this.#chips) {
      if (model.starts[chip.token] < this.#chunk.from) continue;
      const boxes = found.get(chip.token);
      if (boxes) boxes.push(chip);
      else found.set(chip.token, [chip]);
    }
    return [...found];
  }

  remove() {
    this.#canvas.remove();
  }
}

/** A function that finds the range of a piece among the text nodes of a chunk. @param {HTMLElement} host @param {number} from start of the chunk in the text */
function rangesIn(host, from) {
  const walker = document.createTreeWalker(host, NodeFilter.SHOW_TEXT);
  let node = /** @type {Text | null} */ (walker.nextNode());
  let before = from;
  const range = document.createRange();
  /** Move on to the node with an offset. @param {number} offset */
  const placeOf = (offset) => {
    while (node && offset > before + node.data.length) {
      before += node.data.length;
      node = /** @type {Text | null} */ (walker.nextNode());
    }
    return offset - before;
  };
  return (/** @type {Piece} */ piece) => {
    placeOf(piece.from + 1); // where it begins in a node of its own, not at the end of the one before
    if (!node) return range;
    range.setStart(node, Math.max(0, piece.from - before));
    const place = placeOf(piece.to);
    if (node) range.setEnd(node, place);
    return range;
  };
}

/**
 * The boxes of a piece, or of each stripe of a character that several of them share.
 *
 * @param {Model} smallest @param {Piece} piece @param {Range} range @param {DOMRect} block @param {number} size of the type
 * @returns {Spot[]}
 */
function spotsOf(smallest, piece, range, block, size) {
  const boxes = Array.from(range.getClientRects(), ({ left, right, top, bottom }) => ({
    ...{ left: left - block.left, right: right - block.left },
    ...{ top: top - block.top - BESIDE * size, bottom: bottom - block.top + BESIDE * size },
  }));
  const box = boxes.at(-1);
  if (!box) return [];
  if (piece.first === piece.last) {
    const lineEnd = smallest.text.slice(piece.from, piece.to).endsWith("\n") && range.endContainer.parentElement;
    if (lineEnd) [box.left, box.right] = goesLeft(lineEnd) ? [box.left - NEWLINE * size, box.left] : [box.left, box.left + NEWLINE * size];
    else if (piece.from === piece.to) [box.left, box.right] = [box.left - (EMPTY / 2) * size, box.left + (EMPTY / 2) * size];
    return boxes.map((each, k) => ({ ...each, piece: piece.first, isLast: k === boxes.length - 1 }));
  }
  const width = box.right - box.left;
  const isRightToLeft = range.startContainer.parentElement?.closest(".cut")?.classList.contains("rtl");
  return placesOf(stripesOf(smallest, piece)).map(({ token, start, end }) => {
    const [from, to] = isRightToLeft ? [1 - end, 1 - start] : [start, end];
    return { ...box, left: box.left + from * width, right: box.left + to * width, piece: token, isLast: true };
  });
}

/** Whether the mark of a line end is drawn to the left of its line. @param {Element} mark */
const goesLeft = (mark) => mark.classList.contains("rtl") || (mark.closest(".rtl") !== null && !mark.classList.contains("ltr"));

/**
 * The boxes of tokens. Those of their pieces that touch are one.
 *
 * @param {Spot[]} spots @param {Model} model @param {Model} smallest @returns {Chip[]}
 */
function chipsOf(spots, model, smallest) {
  /** @type {Chip[]} */
  const chips = [];
  let token = spots.length ? tokenOf(model, smallest.byteOffsets[spots[0].piece]) : 0;
  /** @type {Chip | undefined} */
  let last;
  for (const spot of spots) {
    const [start, end] = [smallest.byteOffsets[spot.piece], smallest.byteOffsets[spot.piece + 1]];
    while (token + 1 < model.n && (end > start ? model.byteOffsets[token + 1] <= start : model.byteOffsets[token + 1] < start || (model.byteOffsets[token + 1] === start && !model.byteLengths[token + 1]))) token++;
    const opens = model.byteOffsets[token] === start;
    const closes = spot.isLast && model.byteOffsets[token + 1] === end;
    if (last?.token === token && isTouching(last, spot)) {
      Object.assign(last, { left: Math.min(last.left, spot.left), right: Math.max(last.right, spot.right), closes: last.closes || closes });
      continue;
    }
    const { left, right, top, bottom } = spot;
    last = { token, left, right, top, bottom, opens, closes };
    chips.push(last);
  }
  return chips;
}

/** @param {Box} one @param {Box} other */
const isTouching = (one, other) => Math.abs(one.top - other.top) < 2 && other.left < one.right + 1 && other.right > one.left - 1;

/** The token with the byte at an offset. @param {Model} model @param {number} offset */
const tokenOf = ({ n, byteOffsets }, offset) => firstIndex(n - 1, (i) => byteOffsets[i + 1] > offset);

/**
 * Clear a canvas over a block, and return its context, which counts in pixels from the block's corner.
 *
 * @param {HTMLCanvasElement} canvas within the block
 * @param {{width: number, height: number}} block
 */
export function clearPaper(canvas, block) {
  const scale = window.devicePixelRatio;
  const [width, height] = [block.width + 2 * MARGIN, block.height + 2 * MARGIN];
  const [across, down] = [Math.ceil(width * scale), Math.ceil(height * scale)];
  if (canvas.width !== across || canvas.height !== down) {
    Object.assign(canvas, { width: across, height: down });
    // Of whole pixels, or the browser scales what is drawn to its place, which blurs it.
    const size = { width: `${across / scale}px`, height: `${down / scale}px` };
    Object.assign(canvas.style, { position: "absolute", left: `${-MARGIN}px`, top: `${-MARGIN}px`, ...size });
  }
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.setTransform(scale, 0, 0, scale, MARGIN * scale, MARGIN * scale);
  context.clearRect(-MARGIN, -MARGIN, width, height);
  return context;
}
