/**
 * The bubble that says what is pointed at, and the veil that dims the rest. Neither takes room, pointer or focus: nothing
 * on the page moves for them.
 */

import { element, fill } from "../dom/elements.js";

/** @typedef {{left: number, right: number, top: number, bottom: number}} Box on screen, in pixels */
/** @typedef {import("../dom/elements.js").Child} Child */

/** Room between a thing and its bubble, and at the sides of the screen, in pixels. */
const GAP = 8;
/** Width of a bubble (controls.css), and room above a thing that is enough for one, in rem: to measure it would take a layout. */
const [WIDTH, ENOUGH] = [16.25, 10.6];

export class Bubble {
  /** In the top layer, which no scroller clips. Screen readers are told of a thing where it has the focus. */
  #node = element("div", { class: "info-bubble", popover: "manual", "aria-hidden": "true" });
  #veil = element("div", { class: "veil" });

  /** @param {HTMLElement} host whose other content is dimmed; a positioned element */
  constructor(host) {
    host.append(this.#veil, this.#node);
  }

  /**
   * Show what there is to say of a thing.
   *
   * @param {Box[]} boxes of the thing; a token that wraps has several
   * @param {...Child} children
   */
  show(boxes, ...children) {
    if (!boxes.length) return this.hide();
    const veil = this.#veil.getBoundingClientRect();
    fill(this.#node, ...children);
    if (!this.#node.matches(":popover-open")) this.#node.showPopover();
    this.#place(boxes);
    this.#dim(veil, boxes);
  }

  /** Say something else of the same thing. @param {...Child} children */
  say(...children) {
    if (this.#node.matches(":popover-open")) fill(this.#node, ...children);
  }

  /** Stand above the thing, or beneath it where there is no room. @param {Box[]} boxes */
  #place(boxes) {
    const { left, right, top } = boxes[0];
    const bottom = Math.max(...boxes.map((box) => box.bottom));
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize); // presenter mode enlarges it
    const width = Math.min(WIDTH * rem, innerWidth - 2 * GAP);
    const isAbove = top > ENOUGH * rem;
    Object.assign(this.#node.style, {
      left: `${Math.max(GAP, Math.min((left + right - width) / 2, innerWidth - width - GAP))}px`,
      top: isAbove ? "auto" : `${bottom + 3 * GAP}px`, // beneath its id
      bottom: isAbove ? `${innerHeight - top + GAP}px` : "auto",
    });
  }

  /** @param {DOMRect} veil @param {Box[]} boxes that stay as they are */
  #dim({ left, top, width, height }, boxes) {
    const holes = boxes.map((box) => `M${box.left - left} ${box.top - top}H${box.right - left}V${box.bottom - top}H${box.left - left}Z`);
    this.#veil.style.clipPath = `path(evenodd, "M0 0H${width}V${height}H0Z${holes.join("")}")`;
    this.#veil.classList.add("on");
  }

  hide() {
    if (!this.#node.matches(":popover-open")) return;
    this.#node.hidePopover();
    this.#veil.classList.remove("on");
  }

  dispose() {
    this.#node.remove();
    this.#veil.remove();
  }
}
