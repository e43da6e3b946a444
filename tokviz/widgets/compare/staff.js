/**
 * One *staff* of the score: a few lines of the text with the bands of all tokenizers under them.
 *
 * A staff holds its text as one string, which the browser wraps into rows. A row is as high as a line of text and the
 * bands beneath it. The blocks in the bands are placed under their characters by measuring the characters.
 */

import { directLineEnds, drawnRightToLeft, firstDirection, hasRightToLeft } from "../shared/text/direction.js";
import { appendMarked, isJoined, withSigns } from "../shared/text/marks.js";
import { piecesOf, stripesOf } from "../shared/text/tokenization.js";
import { atomsOf, createMeasure, joined } from "./boxes.js";
import { isBoxed, segmentOf } from "./model.js";

/** @typedef {import("./model.js").Comparison} Comparison */
/** @typedef {import("./boxes.js").Box} Box */

/** @typedef {{from: number, to: number, differs: boolean}} CutCharacter */
/** @typedef {{row: number, band: number, left: number, right: number, segment: number, element: HTMLElement}} Block */

/** Width of a block whose text has no width, in pixels. */
const MIN_WIDTH = 3;
/** Width given to a line end, about that of one letter, in em. */
const LINE_END = 0.6;
/**
 * Width per character of a byte label, relative to a line end; see the font size in score.css. Labels that don't fit
 * are left out; the card shows the bytes.
 */
const BYTES_SIZE = 0.66;
/** Maximum bytes that a cut character is widened for. */
const MAX_BYTES = 12;
/** Share of that width if its bytes are not written, enough to tell its tokens apart. */
const UNLABELED_SHARE = 0.13;
const TINTS = 4;

export class Staff {
  /** @type {Block[]} */
  blocks = [];
  /** @type {Map<number, HTMLElement[]>} */
  bySegment = new Map();
  near = false;
  drawn = false;

  /**
   * @param {string} text
   * @param {number} from start in the whole text, in UTF-16 units
   */
  constructor(text, from) {
    this.text = text;
    this.from = from;
    this.element = document.createElement("div");
    this.element.className = "staff";
    this.element.dir = "auto";
    this.source = document.createElement("span");
    this.source.className = "source";
    this.source.textContent = text;
    this.layer = document.createElement("div");
    this.layer.className = "bands";
    this.layer.dir = "ltr";
    this.element.append(this.source, this.layer);
  }

  get to() {
    return this.from + this.text.length;
  }

  clear() {
    if (!this.drawn) return;
    this.source.textContent = this.text;
    this.layer.replaceChildren();
    this.blocks = [];
    this.bySegment.clear();
    this.drawn = false;
  }

  /** @param {Comparison} comparison */
  draw(comparison) {
    const pieces = comparison.models.map((model) => piecesOf(model, this.from, this.to));
    this.#decorate(cutsOf(comparison, pieces));
    const measure = this.#measure();
    this.blocks = [];
    this.bySegment.clear();
    const found = pieces.flatMap((bandPieces, band) => this.#blocksOf(comparison, bandPieces, band, measure));
    this.layer.replaceChildren(...this.#names(comparison.names), ...found);
    this.drawn = true;
  }

  /**
   * Render the text with invisible characters marked, and with room for the bytes of cut characters.
   *
   * @param {CutCharacter[]} cuts
   */
  #decorate(cuts) {
    const content = document.createElement("span");
    let at = this.from;
    const textOf = (/** @type {number} */ from, /** @type {number} */ to) =>
      this.text.slice(Math.max(0, from - this.from), to - this.from);
    for (const { from, to, differs } of cuts) {
      appendMarked(content, textOf(at, from), textOf(at - 16, at));
      content.append(cutSpan(textOf(from, to), differs));
      at = to;
    }
    appendMarked(content, textOf(at, this.to), "");
    if (hasRightToLeft(this.text)) directLineEnds(content, this.text, 0);
    this.source.replaceChildren(...content.childNodes);
  }

  /** Create a function that measures the text in its current layout. @returns {(from: number, to: number) => Box[]} */
  #measure() {
    const style = getComputedStyle(this.element);
    this.rowHeight = parseFloat(style.lineHeight);
    this.lineEnd = LINE_END * parseFloat(style.fontSize);
    const atoms = atomsOf(this.source, this.from, (element) => element.matches(".divided, .label, .newline"));
    return createMeasure(atoms, this.element.getBoundingClientRect(), this.rowHeight);
  }

  /**
   * @param {Comparison} comparison
   * @param {import("../shared/text/tokenization.js").Piece[]} pieces
   * @param {number} band
   * @param {(from: number, to: number) => Box[]} measure
   */
  #blocksOf(comparison, pieces, band, measure) {
    /** @type {Map<number, Box[]>} */
    const byToken = new Map();
    const add = (/** @type {number} */ token, /** @type {Box[]} */ boxes) =>
      byToken.set(token, [...(byToken.get(token) ?? []), ...boxes]);
    for (const piece of pieces) {
      if (isCut(piece)) for (const { token, box } of this.#stripes(comparison.models[band], piece, measure)) add(token, [box]);
      else if (piece.to > piece.from) add(piece.first, this.#boxes(piece.from, piece.to, measure));
    }
    return [...byToken].flatMap(([token, boxes]) => {
      const segment = segmentOf(comparison, band, token);
      const differs = comparison.isDiffering[segment] === 1;
      const blocks = joined(boxes, MIN_WIDTH).map((box) => this.#block(box, band, segment, differs));
      if (isBoxed(comparison, band, token)) for (const block of blocks) block.classList.add("special");
      return blocks;
    });
  }

  /**
   * Boxes of a stretch of the text, with their labels.
   *
   * @param {number} from @param {number} to @param {(from: number, to: number) => Box[]} measure
   */
  #boxes(from, to, measure) {
    const boxes = measure(from, to);
    const isWrapped = boxes.some(({ row }) => row !== boxes[0].row);
    const hasLineEnd = this.text.slice(from - this.from, to - this.from).includes("\n");
    const parts = isWrapped || hasLineEnd ? this.#characters(from, to) : [[from, to]];
    return parts.flatMap(([start, end]) => {
      const partBoxes = parts.length === 1 ? boxes : measure(start, end);
      const text = this.text.slice(start - this.from, end - this.from);
      if (partBoxes[0]) partBoxes[0].label = withSigns(text);
      return text === "\n" ? partBoxes.slice(0, 1).map((box) => this.#lineEnd(box, start)) : partBoxes;
    });
  }

  /**
   * Ranges of the code points in a stretch, in UTF-16 units.
   *
   * @param {number} from
   * @param {number} to
   * @returns {[number, number][]}
   */
  #characters(from, to) {
    let at = from;
    return Array.from(this.text.slice(from - this.from, to - this.from), (character) => [at, (at += character.length)]);
  }

  /** Widen the box of a line end, in the direction of its line. @param {Box} box without width @param {number} at */
  #lineEnd(box, at) {
    const place = at - this.from;
    const line = this.text.slice(this.text.lastIndexOf("\n", place - 1) + 1, place);
    const width = this.lineEnd ?? 0;
    return firstDirection(line) === "rtl" ? { ...box, left: box.left - width } : { ...box, right: box.right + width };
  }

  /**
   * Divide the box of a cut character among its tokens in proportion to their bytes.
   *
   * @param {import("../shared/text/tokenization.js").TokenizationModel} model
   * @param {import("../shared/text/tokenization.js").Piece} piece
   * @param {(from: number, to: number) => Box[]} measure
   */
  #stripes(model, piece, measure) {
    const [box] = measure(piece.from, piece.to);
    if (!box) return [];
    const stripes = stripesOf(model, piece).map(({ token, bytes }) => ({ token, bytes, length: bytes.split(" ").length }));
    const perByte = (box.right - box.left) / stripes.reduce((sum, { length }) => sum + length, 0);
    const isRightToLeft = drawnRightToLeft(model.text, piece.from, piece.to);
    let before = 0;
    return stripes.map(({ token, bytes, length }) => {
      const [near, far] = [before * perByte, (before + length) * perByte];
      before += length;
      const edges = isRightToLeft
        ? { left: box.right - far, right: box.right - near }
        : { left: box.left + near, right: box.left + far };
      return { token, box: { ...box, ...edges, label: bytes, isBytes: true } };
    });
  }

  /** @param {Box} box @param {number} band @param {number} segment @param {boolean} differs */
  #block({ row, left, right, label, isBytes }, band, segment, differs) {
    const element = document.createElement("div");
    element.className = differs ? `block differs tint-${band % TINTS}` : "block";
    const fits = !isBytes || right - left > label.length * BYTES_SIZE * (this.lineEnd ?? 0);
    if (differs && fits) element.textContent = label;
    if (differs && isBytes) element.classList.add("bytes");
    element.style.cssText = `left:${left}px;width:${right - left}px;--row:${row};--band:${band}`;
    this.blocks.push({ row, band, left, right, segment, element });
    this.bySegment.set(segment, [...(this.bySegment.get(segment) ?? []), element]);
    return element;
  }

  /** Create the tokenizers' names in front of each row. @param {string[]} names */
  #names(names) {
    const rows = Math.max(1, Math.round(this.element.clientHeight / (this.rowHeight ?? 1)));
    return Array.from({ length: rows * names.length }, (_, k) => {
      const name = document.createElement("div");
      name.className = "name";
      name.textContent = names[k % names.length];
      name.style.cssText = `--row:${Math.floor(k / names.length)};--band:${k % names.length}`;
      return name;
    });
  }

  /**
   * Find the block at a point; for a point in the text, the block of the first tokenizer.
   *
   * @param {number} x in pixels, from the staff's left edge
   * @param {number} y from its top
   */
  blockAt(x, y) {
    const [first] = this.blocks;
    if (!first || !this.rowHeight) return null;
    const row = Math.floor(y / this.rowHeight);
    const bandTop = first.element.offsetTop - first.row * this.rowHeight;
    const bandHeight = first.element.offsetHeight;
    const band = Math.max(0, Math.floor((y - row * this.rowHeight - bandTop) / bandHeight));
    return this.blocks.find((block) => block.row === row && block.band === band && block.left <= x && x < block.right) ?? null;
  }

  /**
   * Top and bottom of the row of a segment, in pixels from the score's top; of the first row if it has no block here.
   *
   * @param {number} segment
   * @returns {[top: number, bottom: number]}
   */
  rowOf(segment) {
    const [block] = this.bySegment.get(segment) ?? [];
    const height = this.rowHeight ?? 0;
    const top = this.element.offsetTop + (block ? Number(block.style.getPropertyValue("--row")) * height : 0);
    return [top, top + height];
  }

  /**
   * Draw a frame around a stretch of the text.
   *
   * @param {number} from @param {number} to @param {string} kind
   */
  frame(from, to, kind) {
    for (const old of this.layer.querySelectorAll(`.frame.${kind}`)) old.remove();
    const start = Math.max(from, this.from);
    const end = Math.min(to, this.to);
    if (!this.drawn || start >= end) return;
    for (const { row, left, right } of joined(this.#boxes(start, end, this.#measure()), MIN_WIDTH)) {
      const frame = document.createElement("div");
      frame.className = `frame ${kind}`;
      frame.style.cssText = `left:${left}px;width:${right - left}px;--row:${row}`;
      this.layer.append(frame);
    }
  }
}

/** True if a piece is a character that belongs to more than one token. @param {{first: number, last: number}} piece */
function isCut({ first, last }) {
  return first !== last;
}

/**
 * Characters that at least one tokenizer cuts, in order; `differs` is true if the tokenizers differ there.
 *
 * @param {Comparison} comparison
 * @param {import("../shared/text/tokenization.js").Piece[][]} pieces of each tokenizer
 */
function cutsOf(comparison, pieces) {
  /** @type {Map<number, CutCharacter>} */
  const cuts = new Map();
  pieces.forEach((tokenizerPieces, t) => {
    for (const { from, to, first, last } of tokenizerPieces.filter(isCut)) {
      let differs = cuts.get(from)?.differs ?? false;
      for (let i = first; i <= last; i++) differs ||= comparison.isDiffering[segmentOf(comparison, t, i)] === 1;
      cuts.set(from, { from, to, differs });
    }
  });
  return [...cuts.values()].sort((a, b) => a.from - b.from);
}

/**
 * Render a cut character with room for its bytes.
 *
 * @param {string} character
 * @param {boolean} differs if its bytes are written
 */
function cutSpan(character, differs) {
  const span = document.createElement("span");
  span.className = "divided";
  // Extra room would separate letters that join their neighbors.
  const bytes = new TextEncoder().encode(character).length;
  const room = differs ? Math.min(bytes, MAX_BYTES) : bytes * UNLABELED_SHARE;
  if (!isJoined(character)) span.style.setProperty("--bytes", String(room));
  appendMarked(span, character);
  return span;
}
