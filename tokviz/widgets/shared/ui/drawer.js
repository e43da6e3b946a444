/**
 * The drawer that says at length what the reader has chosen: at the right edge of its host, in a column of its own where the
 * page keeps one, else over what is there, so that nothing moves; on phones a sheet from below. It stays in the window, and
 * never covers the line of what is chosen.
 */

import { element } from "../dom/elements.js";

/** @typedef {import("./bubble.js").Box} Box */

const GAP = 4;
/** Room beneath a line that is enough, even where there is more above it, in pixels. */
const ENOUGH = 210;

export class Drawer {
  #host;
  #node;
  #close;
  /** @type {() => Box | null} */
  #line = () => null;
  #resizing = new ResizeObserver(() => this.#place());
  #disposal = new AbortController();

  /**
   * @param {HTMLElement} host a positioned element
   * @param {string} label
   * @param {() => void} onClose the reader has closed it
   * @param {string} [says] of the button that closes it
   */
  constructor(host, label, onClose, says = "Close") {
    this.#host = host;
    this.#close = element("button", { type: "button", class: "close", "aria-label": says, click: onClose }, "×");
    const escape = (/** @type {KeyboardEvent} */ event) => event.key === "Escape" && onClose();
    this.#node = element("div", { class: "drawer", role: "region", "aria-label": label, hidden: true, "data-closes": "", keydown: escape, close: onClose }, this.#close);
    host.append(this.#node);
    this.#resizing.observe(host);
    document.addEventListener("scroll", ({ target }) => target !== this.#node && this.#place(), { capture: true, passive: true, signal: this.#disposal.signal });
  }

  /** Whether the focus is in it. */
  get hasFocus() {
    return this.#node.matches(":focus-within");
  }

  /**
   * Open it, or show something else in it.
   *
   * @param {() => Box | null} line that it keeps clear of, on screen
   * @param {...(Node | string)} children
   */
  open(line, ...children) {
    this.#line = line;
    while (this.#close.nextSibling) this.#close.nextSibling.remove(); // the button stays, since a finger may be on it
    this.#node.append(...children);
    this.#node.hidden = false;
    this.#place();
  }

  close() {
    this.#node.hidden = true;
  }

  /** Stand where the stylesheet has it, as far as that is in the window; beneath the line if that is covered, or above it where there is more room. */
  #place() {
    if (this.#node.hidden) return;
    const { style } = this.#node;
    style.top = style.bottom = style.minHeight = "";
    const [line, host, box] = [this.#line(), this.#host.getBoundingClientRect(), this.#node.getBoundingClientRect()];
    const { position, scrollMarginTop, minHeight } = getComputedStyle(this.#node);
    if (position !== "absolute") return; // a sheet, or part of the page
    const [header, least] = [scrollMarginTop, minHeight].map(parseFloat);
    let bottom = Math.max(header + least, Math.min(innerHeight, box.bottom));
    let top = Math.min(Math.max(header, box.top), bottom - least);
    if (line && line.right > box.left && line.bottom > top && line.top < bottom) {
      const [above, below] = [line.top - top, bottom - line.bottom];
      if (below >= Math.min(ENOUGH, above)) top = line.bottom + GAP;
      else bottom = line.top - GAP;
    }
    Object.assign(style, { top: `${top - host.top}px`, bottom: `${host.bottom - bottom}px`, minHeight: "0" });
  }

  dispose() {
    this.#disposal.abort();
    this.#resizing.disconnect();
    this.#node.remove();
  }
}
