/**
 * The text, colored by its tokens.
 *
 * The text is split into chunks (blocks of a few lines). Chunks near the viewport are drawn as one span per token, the
 * others are plain text, so that a megabyte stays light. The spans take no room and are never isolated: the browser
 * shapes and orders the line as if they were not there. A chunk that did not change keeps its elements.
 *
 * For screen readers this is a list of tokens, navigated with the arrow keys; the colored text itself is hidden.
 */

import { firstDirection } from "../shared/text/marks.js";
import { sayToken } from "../shared/text/speak.js";
import { cutText, tokenAt } from "../shared/text/tokenization.js";
import { Chunk, percent, placesOf } from "./chunk.js";
import { alternate, colorer } from "./colors.js";

/** @typedef {import("../shared/text/tokenization.js").TokenizationModel} TokenizationModel */
/** @typedef {import("./colors.js").ColorBy} ColorBy */
/** @typedef {import("./chunk.js").Paint} Paint */
/** @typedef {import("./chunk.js").Look} Look */
/** @typedef {import("./chunk.js").Drawn} Drawn */

/**
 * @typedef {object} ViewOptions
 * @property {ColorBy} [colorBy]
 * @property {boolean} [marks] whether invisible characters are marked
 * @property {string} [lang] of the text, if known
 * @property {"ltr" | "rtl" | "auto"} [dir] direction of the arrow keys
 * @property {Int32Array | null} [ranks] of each token, for coloring by rank; -1 for none
 * @property {Int32Array | null} [pretokenIndex] of each token, for coloring by pre-token
 */

/**
 * Distance from the viewport, in pixels, within which chunks are drawn in spans. Larger than the distance at which
 * browsers lay out `content-visibility: auto`; otherwise each chunk would be laid out twice, as text and as spans.
 */
const MARGIN = 1400;
/** Maximum UTF-16 units drawn before the observer reports which chunks are near. */
const DRAWN_AT_ONCE = 4500;
/** Maximum UTF-16 units printed in color, some 200 pages; the rest is printed as plain text. */
const MAX_COLOR_PRINTED = 200_000;
/** Maximum drawing time per frame; the rest is drawn in the next frames. */
const DRAWING_MS = 8;
/** Approximate width in pixels, for estimates. */
const CHARACTER_WIDTH = 11;
const thousands = new Intl.NumberFormat("en");

class TokenView {
  /** @type {Chunk[]} */
  chunks = [];
  /** @type {WeakMap<Element, Chunk>} */
  owners = new WeakMap();
  /** @type {Paint | null} */
  paint = null;
  /** @type {import("./colors.js").Alternation | null} */
  alternation = null;
  /** @type {number | null} */
  selected = null;
  /** @type {number | null} */
  active = null;
  /** @type {number | null} */
  pointed = null;
  /** @type {number | null} */
  highlightedId = null;
  /** Tokens highlighted regardless of their ids: the first, and one past the last. @type {[number, number]} */
  highlightedRange = [0, 0];
  /** @type {HTMLElement[]} */
  highlighted = [];
  frame = 0;
  /** Approximate number of characters per row. */
  columns = 80;
  rightToLeft = false;

  /**
   * @param {HTMLElement} root
   * @param {{onPoint: (i: number | null, element: HTMLElement | null) => void, onSelect: (i: number | null) => void}} handlers
   * @param {string} name label, unique on the page
   */
  constructor(root, handlers, name) {
    this.handlers = handlers;
    this.name = name;
    this.scroller = document.createElement("div");
    this.scroller.className = "token-view";
    this.scroller.tabIndex = 0;
    this.scroller.setAttribute("role", "listbox");
    this.scroller.setAttribute("aria-label", name);
    this.content = document.createElement("div");
    this.content.className = "chunks";
    this.content.setAttribute("aria-hidden", "true");
    this.options = [1, 2].map((turn) => optionElement(`${name} option ${turn}`.replaceAll(" ", "-")));
    this.scroller.append(this.content, ...this.options);
    root.append(this.scroller);

    const listening = new AbortController();
    this.stopListening = () => listening.abort();
    this.#listen(listening.signal);
    // Reading the width while typing would make the browser lay out twice.
    this.resizing = new ResizeObserver(([{ contentRect }]) => (this.columns = Math.max(10, contentRect.width / CHARACTER_WIDTH)));
    this.resizing.observe(this.scroller);
    const near = { root: this.scroller, rootMargin: `${MARGIN}px 0px` };
    this.observer = new IntersectionObserver((entries) => this.#observe(entries), near);
  }

  /** @param {AbortSignal} signal */
  #listen(signal) {
    const on = (/** @type {string} */ type, /** @type {(event: any) => void} */ listener) =>
      this.scroller.addEventListener(type, listener, { signal });
    on("pointermove", (event) => event.pointerType !== "touch" && this.#point(this.#tokenUnder(event)));
    on("pointerleave", () => this.#point(null));
    on("click", (event) => this.#handleClick(event));
    on("keydown", (event) => this.#handleKey(event));
    on("focus", () => this.scroller.matches(":focus-visible") && this.#handleFocus());
    on("blur", () => this.#point(null));
    on("copy", (event) => this.#handleCopy(event));
    window.addEventListener("beforeprint", () => this.#drawForPrint(), { signal });
    window.addEventListener("afterprint", () => this.#clearFar(), { signal });
  }

  /** On keyboard focus, go to the last active token or the first visible one. */
  #handleFocus() {
    if (this.paint?.model.n) this.#moveTo(this.active ?? this.#firstVisible());
  }

  // Showing

  /**
   * @param {TokenizationModel} model
   * @param {ViewOptions} options
   */
  show(model, { colorBy = "alternate", marks = true, lang = "", dir = "auto", ranks, pretokenIndex }) {
    const before = this.paint?.model ?? null;
    const tints = before === model && this.alternation ? this.alternation.tints : alternate(model, this.alternation);
    this.alternation = { model, tints };
    this.paint = { model, colorOf: colorer(colorBy, model, { tints, ranks, pretokenIndex }) };
    model.colorOf = this.paint.colorOf;
    if (this.content.lang !== lang) this.content.lang = lang;
    this.content.classList.toggle("marks", marks);
    this.rightToLeft = (dir === "auto" ? firstDirection(model.text.slice(0, 1000)) : dir) === "rtl";
    const label = `${this.name}: ${thousands.format(model.n)}. Arrow keys go from one to the next.`;
    this.scroller.setAttribute("aria-label", label);
    if (before !== model) {
      this.highlightedRange = [0, 0];
      this.active = sameToken(before, this.active, model);
      this.selected = sameToken(before, this.selected, model);
      this.pointed = null;
    }
    this.#rechunk(model.text);
    for (const chunk of this.chunks) {
      if (chunk.near) chunk.draw(this.paint, this.owners);
      else chunk.clear();
    }
    this.#highlight();
    if (this.active !== null) this.#speak(this.active);
  }

  /**
   * Split the new text into chunks, keeping those before and after the edit.
   *
   * @param {string} text
   */
  #rechunk(text) {
    const old = this.chunks;
    let head = 0;
    let from = 0;
    while (head < old.length && text.startsWith(old[head].text, from)) from += old[head++].text.length;
    if (head === old.length && from === text.length) return;
    let tail = 0;
    let to = text.length;
    while (tail < old.length - head && to - old[old.length - 1 - tail].text.length >= from) {
      const chunk = old[old.length - 1 - tail];
      if (!text.startsWith(chunk.text, to - chunk.text.length)) break;
      to -= chunk.text.length;
      tail++;
    }
    // The edit may join or separate characters and lines at its boundaries, so the neighbors are replaced too.
    if (head > 0) from -= old[--head].text.length;
    if (tail > 0) to += old[old.length - tail--].text.length;
    this.#replaceChunks(text, head, old.length - tail, from, to);
  }

  /**
   * @param {string} text
   * @param {number} first the first chunk to replace
   * @param {number} end one past the last
   * @param {number} from start of their new text
   * @param {number} to
   */
  #replaceChunks(text, first, end, from, to) {
    const replaced = this.chunks.slice(first, end);
    const wereNear = replaced.map((chunk) => chunk.near);
    const fresh = this.#makeChunks(text, first, from, to, replaced);
    const anchor = this.chunks[end]?.element ?? null;
    const kept = new Set(fresh);
    for (const chunk of replaced) if (!kept.has(chunk)) this.#drop(chunk);
    const added = document.createDocumentFragment();
    for (const chunk of fresh) {
      // Moving a kept element would make the browser lay it out again.
      if (chunk.element.parentNode === this.content) {
        this.content.insertBefore(added, chunk.element);
        continue;
      }
      added.append(chunk.element);
      this.observer.observe(chunk.element);
    }
    this.content.insertBefore(added, anchor);
    this.chunks.splice(first, end - first, ...fresh);
    let at = 0;
    for (const chunk of this.chunks) {
      chunk.from = at;
      at += chunk.text.length;
    }
    this.#drawAtOnce(fresh, wereNear);
  }

  /**
   * @param {string} text
   * @param {number} first
   * @param {number} from
   * @param {number} to
   * @param {Chunk[]} replaced replaced chunks, which are reused where possible
   */
  #makeChunks(text, first, from, to, replaced) {
    const chunks = [];
    let at = from;
    let before = this.chunks[first - 1];
    for (const end of cutText(text, from, to)) {
      const dir = directionOf(text, at, end, before);
      const chunkText = text.slice(at, end);
      const candidate = replaced[chunks.length];
      const isReused = candidate && candidate.element.dir === dir && (candidate.drawn || candidate.text === chunkText);
      before = isReused ? candidate : new Chunk(chunkText, at, dir);
      before.text = chunkText;
      before.element.style.setProperty("--rows", String(this.#estimateRows(chunkText)));
      chunks.push(before);
      at = end;
    }
    return chunks;
  }

  /**
   * Estimate a text's number of rows, for the scroll bar.
   *
   * @param {string} text
   */
  #estimateRows(text) {
    const lines = text.endsWith("\n") ? text.slice(0, -1).split("\n") : text.split("\n");
    return lines.reduce((rows, line) => rows + Math.max(1, Math.ceil(line.length / this.columns)), 0);
  }

  /**
   * Mark new chunks as near if they replace visible ones, so that they are drawn at once and not a frame late.
   *
   * @param {Chunk[]} fresh
   * @param {boolean[]} wereNear of the replaced chunks
   */
  #drawAtOnce(fresh, wereNear) {
    let budget = DRAWN_AT_ONCE;
    for (const [k, chunk] of fresh.entries()) {
      const place = Math.min(k, wereNear.length - 1);
      chunk.near = budget > 0 && (wereNear[place] ?? true);
      if (chunk.near) budget -= chunk.text.length;
    }
  }

  /** @param {Chunk} chunk */
  #drop(chunk) {
    this.observer.unobserve(chunk.element);
    chunk.element.remove();
  }

  /** @param {IntersectionObserverEntry[]} entries */
  #observe(entries) {
    const near = new Map(entries.map((entry) => [entry.target, entry.isIntersecting]));
    for (const chunk of this.chunks) {
      const now = near.get(chunk.element);
      if (now === undefined) continue;
      chunk.near = now;
      if (!now) chunk.clear();
    }
    this.#drawSome();
  }

  /** Draw near chunks that are still plain: first those on screen, the rest in the following frames. */
  #drawSome() {
    cancelAnimationFrame(this.frame);
    if (!this.paint) return;
    const waiting = this.chunks.filter((chunk) => chunk.near && !chunk.drawn);
    const { top, bottom } = this.scroller.getBoundingClientRect();
    const isOnScreen = new Map(waiting.map((chunk) => {
      const box = chunk.element.getBoundingClientRect();
      return [chunk, box.bottom > top && box.top < bottom];
    }));
    waiting.sort((a, b) => Number(isOnScreen.get(b)) - Number(isOnScreen.get(a)));
    const startTime = performance.now();
    for (const [k, chunk] of waiting.entries()) {
      if (k > 0 && performance.now() - startTime > DRAWING_MS) {
        this.frame = requestAnimationFrame(() => this.#drawSome());
        break;
      }
      chunk.draw(this.paint, this.owners);
    }
    if (waiting.length) this.#highlight();
  }

  /** Draw chunks outside the viewport too: paper has none. */
  #drawForPrint() {
    if (!this.paint) return;
    for (const chunk of this.chunks) if (chunk.to <= MAX_COLOR_PRINTED) chunk.draw(this.paint, this.owners);
  }

  #clearFar() {
    for (const chunk of this.chunks) if (!chunk.near) chunk.clear();
  }

  // Locating tokens

  /** @param {number} i */
  #chunkOf(i) {
    const offset = /** @type {Paint} */ (this.paint).model.starts[i];
    let low = 0;
    let high = this.chunks.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.chunks[middle].to > offset) high = middle;
      else low = middle + 1;
    }
    return this.chunks[high];
  }

  /**
   * Return the first drawn element of token i, drawing its chunk if necessary.
   *
   * @param {number} i
   * @returns {Drawn | null}
   */
  #drawnOf(i) {
    const chunk = this.#chunkOf(i);
    if (!chunk || !this.paint) return null;
    if (!chunk.drawn) {
      chunk.near = true;
      chunk.draw(this.paint, this.owners);
    }
    return chunk.drawn?.find(({ look }) => look.piece.first <= i && look.piece.last >= i) ?? null;
  }

  /**
   * @param {PointerEvent | MouseEvent} event
   * @returns {number | null}
   */
  #tokenUnder(event) {
    const element = /** @type {Element} */ (event.target).closest?.(".t, .cut");
    const drawn = element && this.owners.get(element)?.drawn?.find((each) => each.element === element);
    if (!drawn) return null;
    const { look } = drawn;
    if (!look.stripes) return look.piece.first;
    const box = drawn.element.getBoundingClientRect();
    const share = (look.rightToLeft ? box.right - event.clientX : event.clientX - box.left) / box.width;
    const places = placesOf(look.stripes);
    return (places.find(({ end }) => share <= end) ?? places[places.length - 1]).token;
  }

  #firstVisible() {
    const { top } = this.scroller.getBoundingClientRect();
    const chunk = this.chunks.find(({ element }) => element.getBoundingClientRect().bottom > top);
    const drawn = chunk?.drawn?.find(({ element }) => element.getBoundingClientRect().bottom > top);
    return drawn?.look.piece.first ?? 0;
  }

  // Pointing, moving, selecting

  /** @param {number | null} i */
  #point(i) {
    if (i === this.pointed) return;
    this.pointed = i;
    this.highlightedId = i === null ? null : (this.paint?.model.ids[i] ?? null);
    this.#highlight();
    this.handlers.onPoint(i, i === null ? null : (this.#drawnOf(i)?.element ?? null));
  }

  /** @param {MouseEvent} event */
  #handleClick(event) {
    const range = selectedRange(this.scroller);
    if (range && !range.collapsed) return;
    const i = this.#tokenUnder(event);
    if (i === null) return;
    this.active = i;
    this.#speak(i);
    this.#point(i);
    this.#toggleSelection(i);
  }

  /** @param {number | null} i */
  #toggleSelection(i) {
    this.selected = i === this.selected ? null : i;
    this.#highlight();
    if (this.active !== null) this.#speak(this.active);
    this.handlers.onSelect(this.selected);
  }

  /** @param {KeyboardEvent} event */
  #handleKey(event) {
    // Streamlit has single-letter shortcuts on the document.
    event.stopPropagation();
    if (event.ctrlKey || event.metaKey || event.altKey || !this.paint?.model.n) return;
    const at = this.active ?? this.#firstVisible();
    const last = this.paint.model.n - 1;
    const onward = this.rightToLeft ? -1 : 1;
    /** @type {Record<string, () => void>} */
    const actions = {
      ArrowRight: () => this.#moveTo(at + onward),
      ArrowLeft: () => this.#moveTo(at - onward),
      ArrowDown: () => this.#moveTo(this.#tokenInNextRow(at, 1)),
      ArrowUp: () => this.#moveTo(this.#tokenInNextRow(at, -1)),
      Home: () => this.#moveTo(0),
      End: () => this.#moveTo(last),
      Enter: () => this.#toggleSelection(at),
      " ": () => this.#toggleSelection(at),
      Escape: () => this.selected !== null && this.#toggleSelection(this.selected),
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  /** @param {number} i */
  #moveTo(i) {
    const { model } = /** @type {Paint} */ (this.paint);
    this.active = Math.max(0, Math.min(model.n - 1, i));
    this.#reveal(this.active);
    this.scroller.scrollIntoView({ block: "nearest" });
    this.#speak(this.active);
    this.pointed = null;
    this.#point(this.active);
  }

  /**
   * Return the token in the row below or above that is nearest to token i.
   *
   * @param {number} i
   * @param {1 | -1} step
   */
  #tokenInNextRow(i, step) {
    const drawn = this.#drawnOf(i);
    const index = this.chunks.indexOf(this.#chunkOf(i));
    const box = drawn?.element.getClientRects()[0];
    if (!box) return i + step;
    const neighbor = this.chunks[index + step];
    if (neighbor) this.#drawnOf(tokenAt(/** @type {Paint} */ (this.paint).model, neighbor.from));
    const candidates = [this.chunks[index], neighbor].flatMap((chunk) => chunk?.drawn ?? []);
    const middle = (box.left + box.right) / 2;
    let best = i;
    let least = Infinity;
    for (const { element, look } of candidates) {
      for (const other of element.getClientRects()) {
        const down = ((other.top + other.bottom) / 2 - (box.top + box.bottom) / 2) * step;
        if (down < box.height / 2) continue;
        const sideways = Math.max(0, other.left - middle, middle - other.right);
        const distance = down * 1000 + sideways;
        if (distance < least) [best, least] = [look.piece.first, distance];
      }
    }
    return best;
  }

  /** @param {number} i */
  #speak(i) {
    const { model } = /** @type {Paint} */ (this.paint);
    // Screen readers speak when another option becomes active, so the two alternate.
    const [before, option] = this.options;
    this.options = [option, before];
    before.hidden = true;
    option.hidden = false;
    option.textContent = sayToken(model, i);
    option.setAttribute("aria-posinset", String(i + 1));
    option.setAttribute("aria-setsize", String(model.n));
    option.setAttribute("aria-selected", String(i === this.selected));
    this.scroller.setAttribute("aria-activedescendant", option.id);
  }

  /** Highlight the tokens with the pointed-at id, the selected token and the keyboard's token. */
  #highlight() {
    for (const element of this.highlighted) element.classList.remove("same", "on", "active");
    this.highlighted = [];
    const [first, end] = this.highlightedRange;
    if (!this.paint || (first === end && this.highlightedId === null && this.selected === null && this.active === null)) return;
    const { ids } = this.paint.model;
    for (const chunk of this.chunks) {
      for (const { element, look } of chunk.drawn ?? []) {
        for (let i = look.piece.first; i <= look.piece.last; i++) {
          if (ids[i] === this.highlightedId || (i >= first && i < end)) this.#highlightElement(element, look, i, "same");
          if (i === this.active) this.#highlightElement(element, look, i, "active");
          if (i === this.selected) this.#highlightElement(element, look, i, "on");
        }
      }
    }
  }

  /**
   * @param {HTMLElement} element
   * @param {Look} look
   * @param {number} i
   * @param {"same" | "on" | "active"} how
   */
  #highlightElement(element, look, i, how) {
    element.classList.add(how);
    this.highlighted.push(element);
    if (!look.stripes) return;
    const places = placesOf(look.stripes);
    const { start, end } = places.find(({ token }) => token === i) ?? places[places.length - 1];
    element.style.setProperty("--lit-left", percent(look.rightToLeft ? 1 - end : start));
    element.style.setProperty("--lit-width", percent(end - start));
  }

  /**
   * Scroll token i into view without scrolling anything around the view.
   *
   * @param {number} i
   */
  #reveal(i) {
    // Twice, because heights above are estimates until they have been laid out.
    for (let attempt = 0; attempt < 2; attempt++) {
      const box = this.#drawnOf(i)?.element.getClientRects()[0];
      if (!box) return;
      const { top, bottom, height } = this.scroller.getBoundingClientRect();
      const room = Math.min(box.height, height / 4);
      if (box.top >= top + room / 2 && box.bottom <= bottom - room / 2) return;
      const far = box.bottom < top - height || box.top > bottom + height;
      const goal = far ? top + height / 3 : box.top < top + room / 2 ? top + room : bottom - room - box.height;
      this.scroller.scrollTop += box.top - goal;
    }
  }

  /** @param {number | null} i */
  select(i, { scroll = false, focus = false } = {}) {
    this.selected = i;
    if (i !== null) this.active = i;
    if (i !== null && scroll) this.#reveal(i);
    if (i !== null && this.paint) this.#speak(i);
    this.#highlight();
    if (focus) this.scroller.focus({ preventScroll: true });
  }

  /** @param {number | null} id */
  highlightId(id) {
    this.highlightedId = id;
    this.#highlight();
  }

  /** @param {[number, number]} range the first token to highlight, and one past the last */
  highlightRange(range) {
    this.highlightedRange = range;
    this.#highlight();
  }

  /** @param {number} i */
  scrollTo(i) {
    this.#reveal(i);
  }

  /**
   * Copy the text itself, without the blocks and marks added by the view.
   *
   * @param {ClipboardEvent} event
   */
  #handleCopy(event) {
    const range = selectedRange(this.scroller);
    if (!range || range.collapsed || !event.clipboardData || !this.paint) return;
    const from = this.#offsetOf(range.startContainer, range.startOffset);
    const to = this.#offsetOf(range.endContainer, range.endOffset);
    if (from === null || to === null) return;
    event.clipboardData.setData("text/plain", this.paint.model.text.slice(from, to));
    event.preventDefault();
  }

  /**
   * Map a DOM position to an offset in the text; null if it is outside.
   *
   * @param {Node} node
   * @param {number} offset
   */
  #offsetOf(node, offset) {
    if (!this.content.contains(node)) return null;
    if (node === this.content) return this.chunks[offset]?.from ?? /** @type {Paint} */ (this.paint).model.text.length;
    const element = (node instanceof Element ? node : /** @type {Element} */ (node.parentElement)).closest(".chunk");
    const chunk = /** @type {Chunk} */ (this.chunks.find((each) => each.element === element));
    const before = document.createRange();
    before.setStart(chunk.element, 0);
    before.setEnd(node, offset);
    return chunk.from + before.toString().length;
  }

  dispose() {
    cancelAnimationFrame(this.frame);
    this.observer.disconnect();
    this.resizing.disconnect();
    this.stopListening();
    this.scroller.remove();
  }
}

/** @param {string} id */
function optionElement(id) {
  const option = document.createElement("div");
  option.id = id;
  option.className = "spoken";
  option.hidden = true;
  option.setAttribute("role", "option");
  option.setAttribute("aria-selected", "false");
  return option;
}

/**
 * Return a chunk's direction: whole lines get theirs line by line; a part of a long line continues that of its start.
 *
 * @param {string} text
 * @param {number} from
 * @param {number} to
 * @param {Chunk | undefined} before
 */
function directionOf(text, from, to, before) {
  const continuesLine = from > 0 && text[from - 1] !== "\n";
  if (continuesLine && before) return before.element.dir === "rtl" ? "rtl" : "ltr";
  if (to === text.length || text[to - 1] === "\n") return "auto";
  return firstDirection(text.slice(from, to)) ?? "ltr";
}

/**
 * Find token i of the old tokenization in the new one: before an edit it has the same index, after it a shifted one.
 *
 * @param {TokenizationModel | null} before
 * @param {number | null} i
 * @param {TokenizationModel} model
 */
function sameToken(before, i, model) {
  if (!before || i === null) return null;
  const isSame = (/** @type {number} */ j) => j >= 0 && j < model.n && model.ids[j] === before.ids[i];
  const shifted = i + model.n - before.n;
  if (isSame(i) && model.starts[i] === before.starts[i]) return i;
  const fromEnd = before.text.length - before.starts[i];
  return isSame(shifted) && model.text.length - model.starts[shifted] === fromEnd ? shifted : null;
}

/**
 * Return the selected range, also inside a shadow root.
 *
 * @param {Node} node
 * @returns {StaticRange | Range | null}
 */
function selectedRange(node) {
  const selection = document.getSelection();
  if (!selection?.rangeCount) return null;
  const root = node.getRootNode();
  if (!(root instanceof ShadowRoot)) return selection.getRangeAt(0);
  if (selection.getComposedRanges) return selection.getComposedRanges({ shadowRoots: [root] })[0] ?? null;
  const own = /** @type {any} */ (root).getSelection?.() ?? selection;
  return own.rangeCount ? own.getRangeAt(0) : null;
}

/**
 * Show a tokenized text in `root`.
 *
 * @param {HTMLElement} root
 * @param {{onPoint: (i: number | null, element: HTMLElement | null) => void, onSelect: (i: number | null) => void}} handlers
 *   `onPoint` on hover or arrow keys, `onSelect` on a click or Enter; null when that ends
 * @param {string} [name] label, unique on the page
 */
export function createTokenView(root, handlers, name = "Tokens of the text") {
  const view = new TokenView(root, handlers, name);
  return {
    node: view.scroller,
    /** @type {(model: TokenizationModel, options: ViewOptions) => void} */
    show: (model, options) => view.show(model, options),
    /** @type {(id: number | null) => void} */
    highlightId: (id) => view.highlightId(id),
    /** @type {(range: [number, number]) => void} */
    highlightRange: (range) => view.highlightRange(range),
    /** @type {(i: number | null, how?: {scroll?: boolean, focus?: boolean}) => void} */
    select: (i, how) => view.select(i, how),
    selected: () => view.selected,
    /** @type {(i: number) => void} */
    scrollTo: (i) => view.scrollTo(i),
    dispose: () => view.dispose(),
  };
}
