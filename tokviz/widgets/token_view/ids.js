/**
 * The ids beneath the lines of the colored text, in rows of their own that move no letter; or beneath one line only, in a
 * strip laid over the next ones, so that a long text has the pitch of an editor.
 *
 * They are drawn in a layer of each chunk in sight: in one frame, all chips are measured first, then all layers are written.
 * While tokens may change in every frame, that is at once.
 */

import { element } from "../shared/dom/elements.js";
import { tokenEnd, writeToken } from "../shared/text/tokenization.js";
import { boxesIn, boxesOf, isApart, widest } from "./geometry.js";
import { DIGIT, IdLayer, ROW, sizeOfIds } from "./idlayer.js";
import { IdRoom } from "./idroom.js";
import { MAX_ROWS, placeIds, rowsOf } from "./idrows.js";
import { IdStrip } from "./idstrip.js";

/** @typedef {import("../shared/text/tokenization.js").TokenizationModel} Model */
/** @typedef {import("./chunk.js").Chunk} Chunk */
/** @typedef {import("./chunks.js").Chunks} Chunks */
/** @typedef {import("./idlayer.js").Line} Line */
/** @typedef {{block: DOMRect, lines: (Line & {k: number})[], rows: number[]}} Measured a chunk's box, its lines, and the rows that each takes, 0 for a blank one */

/** Maximum tokens that an open bracket lists. */
const MAX_LISTED = 60;
/** Room that a further row adds to a line beyond its height, in em (view.css). */
const BETWEEN_ROWS = 0.2;
/** How far ids may reach beyond the text's edges, in pixels. */
const OVERHANG = 4;
/** Distance from the view's edges, in pixels, within which ids are drawn. */
const AHEAD = 300;
/** Maximum UTF-16 units at either end of two texts that are compared, to see whether one is an edit of the other. */
const MAX_COMPARED = 1000;

export class Ids {
  #chunks;
  #node;
  #frame = 0;
  #isShown = false;
  /** Whether tokens may change in every frame: then lines keep the room that they have for ids, so that no letter moves. */
  #isSeeking = false;
  #onRows;
  #doLinesAlign;
  #disposal = new AbortController();
  /** @type {WeakMap<Chunk, IdLayer>} */
  #layers = new WeakMap();
  /** Where each line has rows of its own. @type {WeakMap<Chunk, IdRoom>} */
  #rooms = new WeakMap();
  #open = element("div", { class: "bracket-card", hidden: true });
  /** Whether only one line has ids. */
  #isAtLine = false;
  #strip;
  #resizing = new ResizeObserver(() => this.outdate());
  /** Of chunks whose ids wait until they come into sight. */
  #sight;

  /**
   * @param {HTMLElement} node of the view
   * @param {Chunks} chunks
   * @param {(rows: number) => void} onRows beneath each line there is room for so many rows now
   * @param {() => boolean} doLinesAlign whether all lines are as high as the one with most rows, as those of an editor beside it
   */
  constructor(node, chunks, onRows, doLinesAlign) {
    this.#node = node;
    this.#chunks = chunks;
    this.#onRows = onRows;
    this.#doLinesAlign = doLinesAlign;
    const { signal } = this.#disposal;
    node.append(this.#open);
    this.#strip = new IdStrip(node, chunks, (model, chunk, k) => (chunk.drawn ? this.#measure(model, chunk, k) : null));
    node.addEventListener("pointerover", (event) => event.pointerType !== "touch" && this.#point(event.target), { signal });
    node.addEventListener("pointerleave", () => this.openFor(null), { signal });
    this.#sight = new IntersectionObserver((entries) => entries.some(({ isIntersecting }) => isIntersecting) && this.draw(), {
      root: node,
      rootMargin: `${AHEAD}px 0px`,
    });
    this.#resizing.observe(node);
    document.fonts?.addEventListener("loadingdone", () => this.outdate(), { signal });
  }

  /**
   * Show the ids, or not.
   *
   * @param {boolean} isShown @param {Model | null} before the tokens shown until now
   * @param {boolean} isSeeking whether tokens may change in every frame: their ids change in the same one
   * @param {boolean} isAtLine whether only one line has ids
   */
  show(isShown, before, isSeeking, isAtLine) {
    const { model } = this.#chunks;
    if (isAtLine !== this.#isAtLine) this.#remove();
    this.#isAtLine = isAtLine;
    if (isSeeking !== this.#isSeeking) for (const chunk of this.#chunks.list) chunk.areIdsCurrent = false;
    this.#isShown = isShown;
    this.#isSeeking = isSeeking;
    if (model && !isEdit(before, model)) this.#loseRows();
    if (!isShown) this.#remove();
    if (isShown && isSeeking && !isAtLine) this.#drawSome(this.#inSight());
    else this.draw();
    this.openFor(null);
  }

  #remove() {
    for (const chunk of this.#chunks.list) {
      this.#layers.get(chunk)?.remove();
      this.#rooms.get(chunk)?.clear();
      chunk.areIdsCurrent = false;
    }
    this.#strip.hide();
  }

  #loseRows() {
    this.#giveRows(1);
    for (const chunk of this.#chunks.list) this.#rooms.get(chunk)?.clear();
  }

  /** Draw all of them again, since their places have changed. */
  outdate() {
    for (const chunk of this.#chunks.list) chunk.areIdsCurrent = false;
    this.draw();
  }

  /** Chunks were drawn that have come near the view: those of one line stay as they are. */
  drawNew() {
    if (!this.#isAtLine) this.draw();
  }

  /** Draw those that are missing in sight, before the next frame is painted. */
  draw() {
    cancelAnimationFrame(this.#frame);
    if (this.#isShown) this.#frame = requestAnimationFrame(() => (this.#isAtLine ? this.#strip.draw(this.#isSeeking) : this.#drawSome(this.#inSight())));
  }

  /** Show the ids of the line that the pointer is at; null for none. @param {import("./idstrip.js").At | null} at */
  pointAt(at) {
    this.#strip.pointer = at;
    this.#moveStrip();
  }

  /** Show the ids of the caret's line while there is no pointer; null for none. @param {import("./idstrip.js").At | null} at */
  caretAt(at) {
    this.#strip.caret = at;
    this.#moveStrip();
  }

  #moveStrip() {
    if (this.#isShown && this.#isAtLine && !this.#strip.isCurrent(this.#isSeeking)) this.draw();
  }

  /** Boxes on screen of a token's id, or of the ids of its line. @param {number} token @returns {import("./geometry.js").Box[]} */
  boxesWith(token) {
    if (!this.#isShown) return [];
    if (!this.#isAtLine) return this.#layers.get(this.#chunks.chunkOf(token))?.boxesOf(token) ?? [];
    const [{ left, right }, boxes] = [this.#node.getBoundingClientRect(), boxesOf(this.#chunks, token)];
    const top = Math.max(...boxes.map(({ bottom }) => bottom));
    return boxes.length ? [{ left, right, top, bottom: top + this.#strip.heightFor(token) }] : [];
  }

  /** Room beneath a token's line that its ids take from the next ones, in pixels. @param {number} token */
  roomBeneath(token) {
    return this.#isShown && this.#isAtLine ? this.#strip.heightFor(token) : 0;
  }

  /** Draw all ids for paper, whose lines are as wide as this class makes them. */
  drawForPrint() {
    if (!this.#isShown) return;
    this.#node.classList.add("printing"); // as wide as paper is: lines end elsewhere
    this.#drawSome(this.#chunks.list.filter(({ drawn }) => drawn));
  }

  afterPrint() {
    this.#node.classList.remove("printing");
    this.outdate();
  }

  /** Chunks in sight whose ids are missing; of others, measuring would take time from the frame. */
  #inSight() {
    this.#sight.disconnect();
    const { top, bottom } = this.#node.getBoundingClientRect();
    return this.#chunks.list.filter((chunk) => {
      if (!chunk.near || !chunk.drawn || chunk.areIdsCurrent) return false;
      const box = chunk.element.getBoundingClientRect();
      const isInSight = box.bottom > top - AHEAD && box.top < bottom + AHEAD;
      if (!isInSight) this.#sight.observe(chunk.element);
      return isInSight;
    });
  }

  /** @param {Chunk[]} chunks */
  #drawSome(chunks) {
    cancelAnimationFrame(this.#frame);
    const { model, content } = this.#chunks;
    if (!model || !chunks.length) return;
    const measured = this.#isSeeking ? this.#measureAll(model, chunks) : this.#makeRoom(model, chunks);
    const size = sizeOfIds(getComputedStyle(content));
    for (const [k, chunk] of chunks.entries()) {
      const layer = this.#layers.get(chunk) ?? new IdLayer(chunk);
      this.#layers.set(chunk, layer);
      layer.draw(model, measured[k].lines, size);
      chunk.areIdsCurrent = true;
    }
  }

  /** Give lines room for their ids. @param {Model} model @param {Chunk[]} chunks */
  #makeRoom(model, chunks) {
    const areAligned = this.#doLinesAlign();
    if (areAligned) for (const chunk of chunks) this.#rooms.get(chunk)?.clear();
    else this.#giveRows(1);
    let measured = this.#measureAll(model, chunks);
    if (!areAligned) return this.#giveOwnRows(chunks, measured) ? this.#measureAll(model, chunks) : measured;
    for (let rows = mostRows(measured); rows > this.#rows; rows = mostRows(measured)) {
      this.#giveRows(rows);
      measured = this.#measureAll(model, chunks); // the lines are higher now, or the type is smaller
    }
    return measured;
  }

  /** Give each line its own room. @param {Chunk[]} chunks @param {Measured[]} measured @returns {boolean} whether lines have moved */
  #giveOwnRows(chunks, measured) {
    const style = getComputedStyle(this.#chunks.content);
    const [line, row] = [parseFloat(style.lineHeight), ROW * sizeOfIds(style) + BETWEEN_ROWS * parseFloat(style.fontSize)];
    const moved = chunks.filter((chunk, k) => this.#roomOf(chunk).give(measured[k].rows, line, row, /\n[^\S\n]/.test(chunk.text)));
    return moved.length > 0;
  }

  /** @param {Chunk} chunk */
  #roomOf(chunk) {
    const room = this.#rooms.get(chunk) ?? new IdRoom(chunk.element);
    this.#rooms.set(chunk, room);
    return room;
  }

  /** Rows of ids that lines have room for. */
  get #rows() {
    return Number(this.#node.dataset.idRows ?? 1);
  }

  /** @param {number} rows */
  #giveRows(rows) {
    if (this.#rows === rows) return;
    this.#node.dataset.idRows = String(rows);
    this.#onRows(rows);
    for (const chunk of this.#chunks.list) chunk.areIdsCurrent = false;
    this.draw(); // those of the other chunks
  }

  // Measuring

  /** @param {Model} model @param {Chunk[]} chunks */
  #measureAll(model, chunks) {
    return chunks.map((chunk) => this.#measure(model, chunk));
  }

  /** @param {Model} model @param {Chunk} chunk @param {number} [only] the line whose ids are placed, -1 for all @returns {Measured} */
  #measure(model, chunk, only = -1) {
    const style = getComputedStyle(chunk.element);
    const [line, size] = [parseFloat(style.lineHeight), sizeOfIds(style)];
    const room = this.#roomOf(chunk);
    let block = chunk.element.getBoundingClientRect();
    if (!room.fits(block.width, line)) block = chunk.element.getBoundingClientRect();
    /** @type {Map<number, {bottom: number, items: import("./idrows.js").Item[]}>} */
    const lines = new Map();
    /** Lines that are not blank. @type {Set<number>} */
    const filled = new Set();
    let group = 0;
    let last = /** @type {import("./geometry.js").TokenBox | null} */ (null);
    const mostAt = (/** @type {number} */ k) => (this.#isSeeking ? Math.max(this.#rows, room.rowsAt(k)) : MAX_ROWS);
    for (const [token, boxes] of boxesIn(model, chunk, block, parseFloat(style.fontSize))) {
      for (const each of boxes) if (each.right - each.left >= 1) filled.add(room.lineAt((each.top + each.bottom) / 2, line));
      const box = widest(boxes);
      const isDense = boxes.some((each) => "isDense" in each && each.isDense);
      const isOfWord = !/^\s/.test(model.text.slice(model.starts[token], tokenEnd(model, token)));
      if (!isOfWord || isDense !== last?.isDense || (isDense && isApart(box, last))) group++; // a new word, or a dense character
      last = { ...box, isDense };
      const at = room.lineAt((box.top + box.bottom) / 2, line);
      const found = lines.get(at) ?? { bottom: 0, items: [] };
      found.bottom = Math.max(found.bottom, box.bottom);
      found.items.push({ token, group, isDense, left: box.left, right: box.right, width: String(model.ids[token]).length * DIGIT * size });
      lines.set(at, found);
    }
    const placesOf = (/** @type {import("./idrows.js").Item[]} */ items, /** @type {number} */ k) => placeIds(items, block.width, DIGIT * size, mostAt(k), parseFloat(style.paddingLeft) - OVERHANG);
    const isBlank = (/** @type {import("./idrows.js").Item[]} */ items) => items.every(({ token }) => /^[\r\n]*$/.test(model.text.slice(model.starts[token], tokenEnd(model, token))));
    const rows = Array.from({ length: Math.max(-1, ...lines.keys()) + 1 }, (_, k) => Number(filled.has(k)));
    const wanted = [...lines].filter(([k]) => only < 0 || k === only);
    const placed = wanted.map(([k, { bottom, items }]) => {
      const places = placesOf(items, k);
      rows[k] = isBlank(items) ? 0 : rowsOf(places);
      return { k, bottom, places };
    });
    return { block, lines: placed, rows };
  }

  // Pointing, brackets

  /** The token whose id is under the pointer; null if there is none. @param {PointerEvent | MouseEvent} event */
  tokenUnder(event) {
    const at = /** @type {Element} */ (event.target);
    const listed = /** @type {HTMLElement | null} */ (at.closest("[data-token]"));
    if (listed) return Number(listed.dataset.token);
    if (!this.#isShown || at.closest(".t, .cut")) return null;
    for (const layer of this.#drawnLayers()) {
      const token = layer.tokenAt(event);
      if (token !== null) return token;
    }
    return null;
  }

  #drawnLayers() {
    if (this.#isAtLine) return this.#strip.layers;
    return this.#chunks.list.filter(({ areIdsCurrent }) => areIdsCurrent).flatMap((chunk) => this.#layers.get(chunk) ?? []);
  }

  /** Open the bracket of a token, and close any other. @param {number | null} token */
  openFor(token) {
    const brackets = token === null || !this.#isShown ? [] : this.#drawnLayers().map((layer) => layer.bracketOf(token));
    this.#openBracket(brackets.find((bracket) => bracket) ?? null);
  }

  /** Open the bracket that is pressed. Returns whether there is one. @param {Event} event */
  press({ target }) {
    const bracket = /** @type {Element} */ (target).closest(".bracket");
    if (bracket) this.#openBracket(bracket);
    return bracket !== null;
  }

  /** @param {EventTarget | null} target */
  #point(target) {
    const at = /** @type {Element} */ (target);
    if (this.#open.contains(at)) return;
    this.#openBracket(at.closest(".bracket"));
  }

  /** @param {Element | null} bracket */
  #openBracket(bracket) {
    const { model } = this.#chunks;
    const isOpen = bracket !== null && model !== null;
    if (this.#open.hidden === isOpen) this.#open.hidden = !isOpen;
    if (!isOpen) return;
    const tokens = this.#drawnLayers().flatMap((layer) => layer.tokensOf(bracket));
    const shown = tokens.slice(0, MAX_LISTED).map((i) => {
      return element("span", { "data-token": i }, element("b", { class: `t ${model.colorOf?.(i) ?? "tint-0"}` }, element("bdi", {}, writeToken(model, i))), element("small", {}, String(model.ids[i])));
    });
    this.#open.replaceChildren(...shown);
    const [view, at] = [this.#node.getBoundingClientRect(), bracket.getBoundingClientRect()];
    const left = Math.max(8, Math.min(at.left - view.left, view.width - this.#open.offsetWidth - 24));
    Object.assign(this.#open.style, { left: `${left}px`, top: `${at.bottom - view.top + this.#node.scrollTop}px` });
  }

  dispose() {
    cancelAnimationFrame(this.#frame);
    this.#resizing.disconnect();
    this.#sight.disconnect();
    this.#disposal.abort();
  }
}

/** Rows of the line that takes most. @param {Measured[]} measured */
const mostRows = (measured) => Math.max(1, ...measured.flatMap(({ rows }) => rows));

/**
 * Whether tokens are those of the same text after an edit: half of the shorter text's characters are at the start or at the
 * end of the longer one. Of one text, rows of ids only grow, so that neither lines nor the place in the text jump.
 *
 * @param {Model | null} before
 * @param {Model} after
 */
function isEdit(before, after) {
  if (!before) return false;
  const [one, other] = [before.text, after.text];
  const shorter = Math.min(one.length, other.length);
  const half = Math.min(MAX_COMPARED, Math.ceil(shorter / 2));
  let [head, tail] = [0, 0];
  while (head < half && one[head] === other[head]) head++;
  while (head + tail < half && one.at(-1 - tail) === other.at(-1 - tail)) tail++;
  return half > 0 && head + tail >= half;
}
