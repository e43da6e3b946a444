/**
 * The chunks of the colored text: those near the viewport are drawn as one span per token, the others are plain text.
 *
 * An edit replaces only the chunks that it changes, and their elements are reused where possible.
 */

import { debounce, element } from "../shared/dom/elements.js";
import { cutText, firstIndex } from "../shared/text/tokenization.js";
import { Chunk } from "./chunk.js";
import { boundBytes } from "./geometry.js";
import { chunkDirection, estimateRows, findReplacement } from "./replacement.js";

/** @typedef {import("./piece.js").Paint} Paint */

/**
 * Distance from the viewport, in pixels, within which chunks are drawn in spans. Larger than the distance at which
 * browsers lay out `content-visibility: auto`; otherwise each chunk would be laid out twice, as text and as spans.
 */
const MARGIN = 1400;
/** Maximum UTF-16 units printed in color, some 200 pages; the rest is printed as plain text. */
const MAX_COLOR_PRINTED = 200_000;
/** Maximum time per frame for drawing chunks on screen; the rest is drawn in the next frames. */
const DRAWING_MS = 8;
/** Time without other tokens of the same text after which chunks out of sight are drawn. */
const REST_MS = 100;
/** Approximate size in pixels, for estimates. */
const [CHARACTER_WIDTH, LINE_HEIGHT] = [11, 35];

export class Chunks {
  /** @type {Chunk[]} */
  list = [];
  /** @type {WeakMap<Element, Chunk>} */
  #owners = new WeakMap();
  /** @type {Paint | null} */
  #paint = null;
  #frame = 0;
  /** Of the same text with other tokens, chunks out of sight are drawn when these rest. */
  #drawRest = debounce(() => this.#drawSome(1), REST_MS);
  /** Approximate number of characters per row, and on screen. */
  #columns = 80;
  #onScreen = 4000;
  /** @type {HTMLElement} */
  #scroller;
  /** @type {() => void} */
  #onDraw;
  #create;
  /** @type {ResizeObserver} */
  #resizing;
  /** @type {IntersectionObserver} */
  #observer;

  /**
   * @param {HTMLElement} scroller element that scrolls `content`
   * @param {() => void} onDraw called when chunks were drawn that have come near the viewport
   * @param {(...chunk: ConstructorParameters<typeof Chunk>) => Chunk} [create]
   */
  constructor(scroller, onDraw, create = (...chunk) => new Chunk(...chunk)) {
    this.#scroller = scroller;
    this.#onDraw = onDraw;
    this.#create = create;
    /** @type {HTMLElement} */
    this.content = element("div", { class: "chunks", "aria-hidden": "true", pointerover: boundBytes });
    // Reading the width while typing would make the browser lay out twice.
    this.#resizing = new ResizeObserver(([{ contentRect }]) => {
      this.#columns = Math.max(10, contentRect.width / CHARACTER_WIDTH);
      this.#onScreen = (this.#columns * window.innerHeight) / LINE_HEIGHT;
    });
    this.#resizing.observe(scroller);
    const near = { root: scroller, rootMargin: `${MARGIN}px 0px` };
    this.#observer = new IntersectionObserver((entries) => this.#handleNear(entries), near);
  }

  /** The tokens on screen; null before the first. */
  get model() {
    return this.#paint?.model ?? null;
  }

  /** @param {Paint} paint */
  show(paint) {
    this.#paint = paint;
    const { text, isolates } = paint.model;
    const replacement = findReplacement(this.list, text);
    if (replacement) this.#replace(text, isolates?.outside ?? text, replacement);
    const isOnScreen = replacement ? () => true : this.findOnScreen();
    for (const chunk of this.list) {
      if (!chunk.near) chunk.clear();
      else if (isOnScreen(chunk)) chunk.draw(paint, this.#owners);
      else chunk.outdate();
    }
    if (!replacement) this.#drawRest.later();
  }

  /** Find which chunks are on screen. @returns {(chunk: Chunk) => boolean} */
  findOnScreen() {
    const { top, bottom } = this.#scroller.getBoundingClientRect();
    return ({ element }) => {
      const box = element.getBoundingClientRect();
      return box.bottom > top && box.top < bottom;
    };
  }

  // Replacing chunks

  /**
   * @param {string} text
   * @param {string} directed the same without its isolates
   * @param {import("./replacement.js").Replacement} replacement
   */
  #replace(text, directed, { first, end, from, to }) {
    const replaced = this.list.slice(first, end);
    const wereNear = replaced.map((chunk) => chunk.near);
    const fresh = this.#makeChunks(text, directed, from, to, this.list[first - 1], replaced);
    const anchor = this.list[end]?.element ?? null;
    const kept = new Set(fresh);
    for (const chunk of replaced) if (!kept.has(chunk)) this.#drop(chunk);
    this.#insert(fresh, anchor);
    this.list.splice(first, end - first, ...fresh);
    let at = 0;
    for (const chunk of this.list) {
      chunk.from = at;
      at += chunk.text.length;
    }
    drawAtOnce(fresh, wereNear, this.#onScreen);
  }

  /**
   * @param {string} text
   * @param {string} directed
   * @param {number} from
   * @param {number} to
   * @param {Chunk | undefined} before the chunk before the first
   * @param {Chunk[]} replaced replaced chunks, which are reused where possible
   */
  #makeChunks(text, directed, from, to, before, replaced) {
    /** @type {Chunk[]} */
    const chunks = [];
    let at = from;
    for (const end of cutText(text, from, to)) {
      const dir = chunkDirection(directed, at, end, before?.element.dir);
      const chunkText = text.slice(at, end);
      const candidate = replaced[chunks.length];
      const isReused = candidate?.element.dir === dir && (candidate.drawn || candidate.text === chunkText);
      const chunk = isReused ? candidate : this.#create(chunkText, at, dir);
      chunk.text = chunkText;
      chunk.element.style.setProperty("--rows", String(estimateRows(chunkText, this.#columns)));
      chunks.push(chunk);
      before = chunk;
      at = end;
    }
    return chunks;
  }

  /**
   * @param {Chunk[]} fresh some of them may be in the page already
   * @param {HTMLElement | null} anchor the element after them
   */
  #insert(fresh, anchor) {
    const added = document.createDocumentFragment();
    for (const { element } of fresh) {
      // Moving a kept element would make the browser lay it out again.
      if (element.parentElement) this.#insertBefore(added, element);
      else added.append(element);
    }
    this.#insertBefore(added, anchor);
  }

  /** @param {DocumentFragment} added chunks @param {HTMLElement | null} anchor the chunk after them */
  #insertBefore(added, anchor) {
    if (!added.firstChild) return;
    const section = anchor?.parentElement ?? this.content.lastElementChild ?? this.content.appendChild(createSection());
    section.insertBefore(added, anchor);
    for (const part of divideSection(section)) {
      // Anew, so that it is reported, and its chunks are observed if it is near.
      this.#observer.unobserve(part);
      this.#observer.observe(part);
    }
  }

  /** @param {Chunk} chunk */
  #drop({ element }) {
    const section = /** @type {HTMLElement} */ (element.parentElement);
    this.#observer.unobserve(element);
    element.remove();
    if (section.firstChild) return;
    this.#observer.unobserve(section);
    section.remove();
  }

  // Drawing

  /** @param {IntersectionObserverEntry[]} entries */
  #handleNear(entries) {
    const near = new Map(entries.map((entry) => [entry.target, entry.isIntersecting]));
    const far = [];
    for (const chunk of this.list) {
      const { element } = chunk;
      const isSectionNear = near.get(/** @type {Element} */ (element.parentElement));
      if (isSectionNear === true) this.#observer.observe(element);
      if (isSectionNear === false) this.#observer.unobserve(element);
      const isNear = isSectionNear === false ? false : near.get(element);
      if (isNear === undefined) continue;
      chunk.near = isNear;
      if (!isNear) far.push(chunk);
    }
    this.#drawSome();
    // Last, because drawing measures: after a change, the browser would have to lay out the page for that.
    for (const chunk of far) chunk.clear();
  }

  /**
   * Draw near chunks that are still plain: those on screen now, then one per frame. What is drawn also has to be styled
   * and laid out, which takes longer than drawing it.
   *
   * @param {number} ahead how many chunks out of sight may be drawn: several calls may fall into one frame
   */
  #drawSome(ahead = 0) {
    cancelAnimationFrame(this.#frame);
    if (!this.#paint) return;
    const waiting = this.list.filter((chunk) => chunk.near && !chunk.drawn);
    const find = this.findOnScreen();
    const isOnScreen = new Map(waiting.map((chunk) => [chunk, find(chunk)]));
    waiting.sort((a, b) => Number(isOnScreen.get(b)) - Number(isOnScreen.get(a)));
    const startTime = performance.now();
    for (const [k, chunk] of waiting.entries()) {
      if (isOnScreen.get(chunk) ? k > 0 && performance.now() - startTime > DRAWING_MS : k >= ahead) {
        this.#frame = requestAnimationFrame(() => this.#drawSome(1));
        break;
      }
      chunk.draw(this.#paint, this.#owners);
    }
    if (waiting.length) this.#onDraw();
  }

  /** Draw chunks outside the viewport too: paper has none. */
  drawForPrint() {
    if (!this.#paint) return;
    for (const chunk of this.list) if (chunk.to <= MAX_COLOR_PRINTED) chunk.draw(this.#paint, this.#owners);
  }

  clearFar() {
    for (const chunk of this.list) if (!chunk.near) chunk.clear();
  }

  // Finding tokens

  /** Return the chunk of token i. @param {number} i */
  chunkOf(i) {
    const offset = /** @type {Paint} */ (this.#paint).model.starts[i];
    return this.list[firstIndex(this.list.length - 1, (k) => this.list[k].to > offset)];
  }

  /**
   * Return the first drawn element of token i, drawing its chunk if necessary.
   *
   * @param {number} i
   * @returns {import("./chunk.js").Drawn | null}
   */
  drawnOf(i) {
    const chunk = this.chunkOf(i);
    if (!chunk || !this.#paint) return null;
    if (!chunk.drawn) {
      chunk.near = true;
      chunk.draw(this.#paint, this.#owners);
    }
    return chunk.drawn?.find(({ look }) => look.piece.first <= i && look.piece.last >= i) ?? null;
  }

  /** Return what is drawn as this element. @param {Element} element */
  drawnAs(element) {
    return this.#owners.get(element)?.drawn?.find((each) => each.element === element) ?? null;
  }

  dispose() {
    cancelAnimationFrame(this.#frame);
    this.#drawRest.cancel();
    this.#observer.disconnect();
    this.#resizing.disconnect();
  }
}

/**
 * Mark new chunks as near if they replace visible ones, so that they are drawn at once and not a frame late.
 *
 * @param {Chunk[]} fresh
 * @param {boolean[]} wereNear of the replaced chunks
 * @param {number} budget UTF-16 units to draw before the observer reports which chunks are near
 */
function drawAtOnce(fresh, wereNear, budget) {
  for (const [k, chunk] of fresh.entries()) {
    const place = Math.min(k, wereNear.length - 1);
    chunk.near = budget > 0 && (wereNear[place] ?? true);
    if (chunk.near) budget -= chunk.text.length;
  }
}

// Sections: groups of chunks that follow each other. Browsers compute in each frame where all observed elements and all with
// `content-visibility: auto` are. Of a long text these are some dozens of sections, and only of those nearby the chunks.

/** Chunks in a section; at most twice as many after edits. */
const SIZE = 32;

/** @returns {HTMLElement} */
const createSection = () => element("div", { class: "section" });

/**
 * Divide a section that has become too large, and estimate its height from that of its chunks.
 *
 * @param {Element} section
 * @returns {HTMLElement[]} its parts, of which it is the first
 */
function divideSection(section) {
  const chunks = /** @type {HTMLElement[]} */ ([...section.children]);
  const parts = [/** @type {HTMLElement} */ (section)];
  if (chunks.length > 2 * SIZE) {
    for (let k = SIZE; k < chunks.length; k += SIZE) {
      const part = createSection();
      part.append(...chunks.slice(k, k + SIZE));
      parts.push(part);
    }
    section.after(...parts.slice(1));
  }
  for (const part of parts) part.style.setProperty("--rows", String(rowsOf(part)));
  return parts;
}

/** Sum of the estimated rows of a section's chunks. @param {HTMLElement} section */
function rowsOf({ children }) {
  const chunks = /** @type {HTMLElement[]} */ ([...children]);
  return chunks.reduce((rows, { style }) => rows + Number(style.getPropertyValue("--rows")), 0);
}
