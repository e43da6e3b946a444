/**
 * The ids beneath the lines of the colored text, in rows of their own that move no letter; or beneath one line only, in a
 * strip laid over the next ones, so that a long text has the pitch of an editor.
 *
 * They are drawn in a layer of each chunk in sight: in one frame, all chips are measured first, then all layers are written.
 * While tokens may change in every frame, that is at once, before anything else on the page has changed.
 */

import { element } from "../shared/dom/elements.js";
import { tokenEnd, writeToken } from "../shared/text/tokenization.js";
import { DIGIT, ID_SIZE, IdLayer, ROW } from "./idlayer.js";
import { IdRoom } from "./idroom.js";
import { MAX_ROWS, placeIds } from "./idrows.js";
import { MAX_LABELED_STRIPES, placesOf } from "./piece.js";

/** @typedef {import("../shared/text/tokenization.js").TokenizationModel} Model */
/** @typedef {import("./chunk.js").Chunk} Chunk */
/** @typedef {import("./chunks.js").Chunks} Chunks */
/** @typedef {import("./idlayer.js").Line} Line */
/** @typedef {{left: number, right: number, top: number, bottom: number, isDense: boolean}} Box of a token, within its chunk */
/** @typedef {{y: number} | {token: number}} At a line of the text: the one at a height on screen, or that of a token */
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
  #chips;
  #node;
  #frame = 0;
  #isShown = false;
  /** Whether lines keep the room that they have for ids, so that no letter moves. */
  #keepsRows = false;
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
  /** The line of the pointer, and the one of the caret, which has ids while there is no pointer. @type {[pointer: At | null, caret: At | null]} */
  #at = [null, null];
  /** Holds the ids of one line. */
  #strip = element("div", { class: "id-strip", hidden: true });
  /** @type {{layer: IdLayer, chunk: Chunk, k: number} | null} */
  #inStrip = null;
  #resizing = new ResizeObserver(() => this.outdate());
  /** Of chunks whose ids wait until they come into sight. */
  #sight;

  /**
   * @param {HTMLElement} node of the view
   * @param {Chunks} chunks
   * @param {import("./chiplayers.js").ChipLayers} chips those that are drawn behind the letters
   * @param {(rows: number) => void} onRows beneath each line there is room for so many rows now
   * @param {() => boolean} doLinesAlign whether all lines are as high as the one with most rows, as those of an editor beside it
   */
  constructor(node, chunks, chips, onRows, doLinesAlign) {
    this.#node = node;
    this.#chips = chips;
    this.#chunks = chunks;
    this.#onRows = onRows;
    this.#doLinesAlign = doLinesAlign;
    const { signal } = this.#disposal;
    node.append(this.#open, this.#strip);
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
   * @param {boolean} keepsRows whether lines keep the room that they have for ids, so that no letter moves
   * @param {Chunk[] | null} inView chunks whose chips were painted just now in view, of other tokens of the same text; or null
   * @param {boolean} isAtLine whether only one line has ids
   */
  show(isShown, before, keepsRows, inView, isAtLine) {
    const { model } = this.#chunks;
    if (isAtLine !== this.#isAtLine) this.#remove();
    this.#isAtLine = isAtLine;
    if (keepsRows !== this.#keepsRows) for (const chunk of this.#chunks.list) chunk.areIdsCurrent = false;
    this.#isShown = isShown;
    this.#keepsRows = keepsRows;
    if (model && !isEdit(before, model)) this.#loseRows();
    if (!isShown) this.#remove();
    if (isShown && inView && !isAtLine) this.#drawSome(inView);
    else this.draw();
    this.openFor(null);
  }

  #remove() {
    for (const chunk of this.#chunks.list) {
      this.#layers.get(chunk)?.remove();
      this.#rooms.get(chunk)?.clear();
      chunk.areIdsCurrent = false;
    }
    this.#strip.hidden = true;
    this.#inStrip = null;
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
    if (this.#isShown) this.#frame = requestAnimationFrame(() => (this.#isAtLine ? this.#drawStrip() : this.#drawSome(this.#inSight())));
  }

  // The ids of one line

  /** Show the ids of the line that the pointer is at; null for none. @param {At | null} at */
  pointAt(at) {
    this.#at[0] = at;
    this.#moveStrip();
  }

  /** Show the ids of the caret's line while there is no pointer; null for none. @param {At | null} at */
  caretAt(at) {
    this.#at[1] = at;
    this.#moveStrip();
  }

  /** Room beneath a line that its ids take from the next ones, in pixels. */
  get heightOfStrip() {
    return this.#isShown && this.#isAtLine ? parseFloat(getComputedStyle(this.#chunks.content).lineHeight) : 0;
  }

  #moveStrip() {
    if (!this.#isShown || !this.#isAtLine) return;
    const line = this.#findLine();
    if (line && line.chunk === this.#inStrip?.chunk && line.k === this.#inStrip.k && !this.#strip.hidden) return;
    if (line || !this.#strip.hidden) this.draw();
  }

  /** @returns {{chunk: Chunk, k: number} | null} */
  #findLine() {
    const at = this.#at[0] ?? this.#at[1];
    const { model, list } = this.#chunks;
    if (!at || !model || ("token" in at && this.#keepsRows)) return null; // where tokens change in every frame, none is the caret's
    const box = "token" in at ? (at.token < model.n && this.#chunks.drawnOf(at.token)?.element.getClientRects()[0]) || null : null;
    if ("token" in at && !box) return null;
    const y = box ? (box.top + box.bottom) / 2 : /** @type {{y: number}} */ (at).y;
    const view = this.#node.getBoundingClientRect();
    if (!box && (y < view.top || y > view.bottom)) return null;
    const chunk = "token" in at ? this.#chunks.chunkOf(at.token) : list.find(({ near, element }) => near && isAround(element.getBoundingClientRect(), y));
    if (!chunk) return null;
    const line = parseFloat(getComputedStyle(chunk.element).lineHeight);
    return { chunk, k: Math.floor((y - chunk.element.getBoundingClientRect().top) / line) };
  }

  #drawStrip() {
    cancelAnimationFrame(this.#frame);
    const { model, content } = this.#chunks;
    const found = this.#findLine();
    const measured = found && model && (found.chunk.drawn || this.#chips.of(found.chunk)) ? this.#measure(model, found.chunk, found.k) : null;
    const line = measured?.lines[0];
    if (this.#strip.hidden === (line !== undefined)) this.#strip.hidden = !line;
    this.#inStrip = null;
    if (!found || !model || !measured || !line) return;
    const style = getComputedStyle(content);
    const size = sizeOfIds(style);
    const view = this.#node.getBoundingClientRect();
    const { block } = measured;
    const rows = rowsOf(line.places);
    Object.assign(this.#strip.style, { left: `${block.left - view.left}px`, top: `${block.top - view.top + this.#node.scrollTop}px`, width: `${block.width}px`, height: `${block.height}px` });
    this.#strip.style.setProperty("--from", `${line.bottom}px`);
    this.#strip.style.setProperty("--tall", `${parseFloat(style.lineHeight) + (rows - 1) * ROW * size}px`);
    const layer = new IdLayer(found.chunk, this.#strip);
    this.#strip.replaceChildren();
    layer.draw(model, [line], size, false);
    this.#inStrip = { ...found, layer };
  }

  // The ids of all lines

  /** Draw all ids for paper, whose lines are as wide as this class makes them. */
  drawForPrint() {
    if (!this.#isShown) return;
    this.#node.classList.add("printing"); // as wide as paper is: lines end elsewhere
    this.#drawSome(this.#chunks.list.filter(({ drawn }) => drawn), false);
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
      if (!chunk.near || !(chunk.drawn || this.#chips.of(chunk)) || chunk.areIdsCurrent) return false;
      const box = chunk.element.getBoundingClientRect();
      const isInSight = box.bottom > top - AHEAD && box.top < bottom + AHEAD;
      if (!isInSight) this.#sight.observe(chunk.element);
      return isInSight;
    });
  }

  /** @param {Chunk[]} chunks @param {boolean} [arePainted] on canvases, which paper would show blurred */
  #drawSome(chunks, arePainted = this.#keepsRows) {
    cancelAnimationFrame(this.#frame);
    const { model, content } = this.#chunks;
    if (!model || !chunks.length) return;
    const measured = this.#keepsRows ? this.#measureAll(model, chunks) : this.#makeRoom(model, chunks);
    const style = getComputedStyle(content);
    const size = sizeOfIds(style);
    const ink = arePainted && { font: `${ID_SIZE * size}px ${style.fontFamily}`, digits: this.#chips.colorOf("quiet"), leaders: this.#chips.colorOf("solid") };
    for (const [k, chunk] of chunks.entries()) {
      const layer = this.#layers.get(chunk) ?? new IdLayer(chunk);
      this.#layers.set(chunk, layer);
      const { lines, block } = measured[k];
      layer.draw(model, lines, size, ink && { ...ink, block });
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
    let last = /** @type {Box | null} */ (null);
    const mostAt = (/** @type {number} */ k) => (this.#keepsRows ? Math.max(this.#rows, room.rowsAt(k)) : MAX_ROWS);
    for (const [token, boxes] of this.#chips.of(chunk)?.boxesOf(model) ?? boxesOf(model, chunk, block, parseFloat(style.fontSize))) {
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
    if (this.#isAtLine) return this.#inStrip ? [this.#inStrip.layer] : [];
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

/** @param {DOMRect} box @param {number} y */
const isAround = ({ top, bottom }, y) => y >= top && y < bottom;

/** Size that the ids' lengths are measured in: that of the text, times the scale of its ids. @param {CSSStyleDeclaration} style */
const sizeOfIds = (style) => parseFloat(style.fontSize) * Number(style.getPropertyValue("--ids") || 1);

/** Rows of the line that takes most. @param {Measured[]} measured */
const mostRows = (measured) => Math.max(1, ...measured.flatMap(({ rows }) => rows));

/** Rows that ids take. @param {import("./idrows.js").Place[]} places */
const rowsOf = (places) => Math.min(MAX_ROWS, Math.max(1, ...places.map(({ row }) => row + 1)));

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

/**
 * The boxes of the tokens that start in a chunk, in token order. Parts that touch are one box.
 *
 * @param {Model} model @param {Chunk} chunk @param {DOMRect} block @param {number} size of the text
 */
function boxesOf(model, chunk, block, size) {
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
const isApart = (one, other) => one.right <= other.left + 1 || one.left >= other.right - 1;

/** @template {Omit<Box, "isDense">} B @param {B[]} boxes */
const widest = (boxes) => boxes.reduce((most, box) => (box.right - box.left > most.right - most.left ? box : most));
