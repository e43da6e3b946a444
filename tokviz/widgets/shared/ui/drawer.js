/**
 * The drawer that says at length what the reader has chosen: at the right of its host, over what is there, so that nothing
 * moves; on phones a sheet from below. It never covers the line of what is chosen.
 */

import { element } from "../dom/elements.js";

/** @typedef {import("./bubble.js").Box} Box */

const GAP = 4;
/** Pixels beneath the line that are room enough, even where there are more above it. */
const ENOUGH = 210;

export class Drawer {
  #host;
  #node;
  #close;
  /** @type {() => Box | null} */
  #line = () => null;
  #resizing = new ResizeObserver(() => this.place());

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
    this.#node = element("div", { class: "drawer", role: "region", "aria-label": label, hidden: true, keydown: escape }, this.#close);
    host.append(this.#node);
    this.#resizing.observe(host);
  }

  get isOpen() {
    return !this.#node.hidden;
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
    this.place();
  }

  close() {
    this.#node.hidden = true;
  }

  /**
   * Stand where the line is in sight: over all of the host's height if that leaves it so, else beneath it, or above it where
   * there is more room.
   */
  place() {
    if (!this.isOpen) return;
    const line = this.#line();
    const host = this.#host.getBoundingClientRect();
    const isCovered = line && line.right > this.#node.getBoundingClientRect().left && line.bottom > host.top && line.top < host.bottom;
    const [above, below] = isCovered ? [line.top - host.top, host.bottom - line.bottom] : [0, 0];
    const isBelow = below >= ENOUGH || below >= above;
    this.#node.classList.toggle("is-part", Boolean(isCovered));
    this.#node.style.top = isCovered && isBelow ? `${line.bottom - host.top + GAP}px` : "";
    this.#node.style.bottom = isCovered && !isBelow ? `${host.bottom - line.top + GAP}px` : "";
  }

  dispose() {
    this.#resizing.disconnect();
    this.#node.remove();
  }
}
