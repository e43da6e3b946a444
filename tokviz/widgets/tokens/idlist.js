/**
 * The tokens as a list of ids and texts, linked to the colored text, that can be copied.
 *
 * The list is virtual: only the visible rows are in the page.
 */

import { copyText } from "../shared/dom/copying.js";
import { button, element, fill, number, plural } from "../shared/dom/elements.js";
import { sayToken } from "../shared/text/speak.js";
import { writeToken } from "../shared/text/tokenization.js";

/** Height of a row in rem, as in widget.css. */
const ROW_HEIGHT_REM = 2.75;
const PAGE_ROWS = 10;

/** @typedef {import("../shared/text/tokenization.js").TokenizationModel} Model */

export class IdList {
  /** @type {Model | null} */
  #model = null;
  #active = 0;
  #frame = 0;
  #on;
  #rows = element("div", { class: "rows" });
  #list = this.#createList();
  #copied = element("span", { class: "quiet", role: "status" });
  #fallback = element("textarea", {
    class: "mono",
    readonly: true,
    hidden: true,
    rows: 3,
    "aria-label": "The ids, to copy by hand",
  });
  #resizeObserver = new ResizeObserver(() => this.#drawSoon());

  /**
   * @param {object} on
   * @param {(i: number | null) => void} on.point
   * @param {(i: number) => void} on.select
   */
  constructor(on) {
    this.#on = on;
    const copyButtons = element(
      "div",
      { class: "row" },
      button("Copy as Python list", () => this.#copy(", ")),
      button("Copy as JSON", () => this.#copy(",")),
      this.#copied,
    );
    const label = { class: "ids-view", "aria-label": "Token ids" };
    this.node = element("section", label, copyButtons, this.#fallback, this.#list);
    this.#resizeObserver.observe(this.#list);
  }

  #createList() {
    return element(
      "div",
      {
        class: "ids mono",
        role: "listbox",
        tabindex: 0,
        "aria-label": "Token ids, in the order of the text",
        scroll: () => this.#drawSoon(),
        keydown: (/** @type {KeyboardEvent} */ event) => this.#handleKey(event),
        pointerover: (/** @type {Event} */ event) => this.#on.point(indexOf(event.target)),
        pointerleave: () => this.#on.point(null),
        click: (/** @type {Event} */ event) => this.#select(indexOf(event.target)),
      },
      this.#rows,
    );
  }

  /** @param {Model} model */
  show(model) {
    this.#model = model;
    this.#active = Math.min(this.#active, Math.max(0, model.n - 1));
    this.#rows.style.height = `${this.#layout().high}px`;
    fill(this.#copied);
    this.#drawSoon();
  }

  /** Make a token the active one and scroll it into view. @param {number} i */
  mark(i) {
    this.#active = i;
    const { scrollTop } = this.#list;
    const top = offsetShowing(i, scrollTop, this.#layout());
    if (top !== scrollTop) this.#list.scrollTop = top;
    this.#drawSoon();
  }

  // Drawing

  #drawSoon() {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => this.#draw());
  }

  #layout() {
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    return layoutOf(this.#model?.n ?? 0, ROW_HEIGHT_REM * rem, this.#list.clientHeight);
  }

  #draw() {
    const model = this.#model;
    const list = this.#list;
    if (!model || !list.isConnected) return;
    const { first, end, at } = rowsInSight(model.n, list.scrollTop, this.#layout());
    const entries = Array.from({ length: end - first }, (_, row) => this.#entry(model, first + row, at(first + row)));
    fill(this.#rows, ...entries);
    const isActiveDrawn = first <= this.#active && this.#active < end;
    if (isActiveDrawn) list.setAttribute("aria-activedescendant", `id-${this.#active}`);
    else list.removeAttribute("aria-activedescendant");
  }

  /** @param {Model} model @param {number} i @param {number} top */
  #entry(model, i, top) {
    const { n, ids } = model;
    const isActive = i === this.#active;
    const option = element(
      "div",
      {
        class: isActive ? "entry active" : "entry",
        id: `id-${i}`,
        role: "option",
        "aria-selected": String(isActive),
        "aria-posinset": i + 1,
        "aria-setsize": n,
        "aria-label": `${ids[i]}, ${sayToken(model, i)}`,
        "data-index": i,
      },
      element("span", { class: "place quiet" }, number(i + 1)),
      element("span", { class: "id" }, String(ids[i])),
      element("span", { class: "token-text" }, writeToken(model, i)),
    );
    option.style.transform = `translateY(${top}px)`;
    return option;
  }

  // Selecting and copying

  /** @param {KeyboardEvent} event */
  #handleKey(event) {
    if (!this.#model) return;
    const active = this.#active;
    const last = this.#model.n - 1;
    /** @type {Record<string, number>} */
    const to = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      Home: 0,
      End: last,
      PageDown: active + PAGE_ROWS,
      PageUp: active - PAGE_ROWS,
      Enter: active,
    };
    if (!(event.key in to) || last < 0) return;
    event.preventDefault();
    this.#select(Math.max(0, Math.min(last, to[event.key])));
  }

  /** @param {number | null} i */
  #select(i) {
    if (i === null) return;
    this.mark(i);
    this.#on.select(i);
  }

  /** @param {string} separator */
  async #copy(separator) {
    if (!this.#model) return;
    const { n, ids } = this.#model;
    const isCopied = await copyText(`[${ids.join(separator)}]`, this.#fallback);
    this.#fallback.hidden = isCopied;
    fill(
      this.#copied,
      isCopied
        ? `${plural(n, "id")} copied`
        : "Your browser did not copy. The ids are selected below: copy them yourself.",
    );
    if (isCopied) this.#fallback.value = "";
    else this.#fallback.select();
  }

  dispose() {
    cancelAnimationFrame(this.#frame);
    this.#resizeObserver.disconnect();
  }
}

/** @param {EventTarget | null} target @returns {number | null} */
function indexOf(target) {
  const entry = target instanceof Element && target.closest("[data-index]");
  return entry instanceof HTMLElement ? Number(entry.dataset.index) : null;
}

// The rows of a long list, of which only the visible ones are drawn

/** Maximum height in pixels, beyond which scrolling is scaled: browsers clip elements at about 33 million pixels. */
const MAX_HEIGHT = 10_000_000;
const SPARE_ROWS = 4;

/** @typedef {ReturnType<typeof layoutOf>} Layout */

/**
 * Return the list's height, and how many pixels of rows one pixel of scrolling moves: at the end of either, the last row
 * is visible.
 *
 * @param {number} n number of rows
 * @param {number} rowHeight in pixels
 * @param {number} height visible height in pixels
 */
export function layoutOf(n, rowHeight, height) {
  const full = n * rowHeight;
  const high = Math.min(full, MAX_HEIGHT);
  const scale = full > high ? (full - height) / (high - height) : 1;
  return { rowHeight, height, high, scale };
}

/**
 * Return the visible rows, and a few on either side.
 *
 * @param {number} n number of rows
 * @param {number} top scroll offset in pixels
 * @param {Layout} layout
 * @returns {{first: number, end: number, at: (i: number) => number}} `at`: the top of row i in pixels within the list
 */
export function rowsInSight(n, top, { rowHeight, height, scale }) {
  const first = Math.max(0, Math.floor((top * scale) / rowHeight) - SPARE_ROWS);
  const end = Math.min(n, first + Math.ceil(height / rowHeight) + 2 * SPARE_ROWS);
  return { first, end, at: (i) => top + i * rowHeight - top * scale };
}

/**
 * Return the scroll offset at which row i is visible, as near as possible to the present one.
 *
 * @param {number} i
 * @param {number} top scroll offset in pixels
 * @param {Layout} layout
 */
export function offsetShowing(i, top, { rowHeight, height, scale }) {
  const rowTop = i * rowHeight;
  if (rowTop < top * scale) return rowTop / scale;
  return rowTop + rowHeight > top * scale + height ? (rowTop + rowHeight - height) / scale : top;
}
