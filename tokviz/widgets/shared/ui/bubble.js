/**
 * The bubble that says what is pointed at, and the veil that dims the rest. Neither takes room, pointer or focus: nothing
 * on the page moves for them.
 */

import { element, fill } from "../dom/elements.js";

/** @typedef {{left: number, right: number, top: number, bottom: number}} Box on screen, in pixels */
/** @typedef {import("../dom/elements.js").Child} Child */

/** Room between a thing and its bubble, and at the sides of the screen, in pixels. */
const GAP = 8;
/** Width of a bubble (controls.css), and room above or beneath a thing that is enough for one, in rem: to measure it would take a layout. */
const [WIDTH, ENOUGH] = [16.25, 7.5];

export class Bubble {
  /** In the top layer, which no scroller clips. Screen readers are told of a thing where it has the focus. */
  #node = element("div", { class: "info-bubble", popover: "manual", "aria-hidden": "true" });
  #veil = element("div", { class: "veil" });
  #isBeneath;

  /**
   * @param {HTMLElement} host whose other content is dimmed, and that the bubble stays in if there is room; a positioned element
   * @param {boolean} [isBeneath] whether it stands beneath a thing rather than above it
   */
  constructor(host, isBeneath = false) {
    this.#isBeneath = isBeneath;
    host.append(this.#veil, this.#node);
  }

  /**
   * Show what there is to say of a thing.
   *
   * @param {Box[]} boxes of the thing; a token that wraps has several
   * @param {Box[]} lit what else isn't dimmed
   * @param {() => number} beneath where what belongs to the thing ends, on screen
   * @param {...Child} children
   */
  show(boxes, lit, beneath, ...children) {
    if (!boxes.length) return this.hide();
    const veil = this.#veil.getBoundingClientRect();
    const place = this.#placeAt(boxes, veil, beneath);
    fill(this.#node, ...children);
    if (!this.#node.matches(":popover-open")) this.#node.showPopover();
    Object.assign(this.#node.style, place);
    this.#dim(veil, [...boxes, ...lit]);
  }

  /** Say something else of the same thing. @param {...Child} children */
  say(...children) {
    if (this.#node.matches(":popover-open")) fill(this.#node, ...children);
  }

  /** Above the thing or beneath it: within the host, or else where there is room in the window. @param {Box[]} boxes @param {DOMRect} host @param {() => number} beneath */
  #placeAt(boxes, host, beneath) {
    const { left, right, top } = boxes[0];
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize); // presenter mode enlarges it
    const width = Math.min(WIDTH * rem, innerWidth - 2 * GAP);
    const at = `${Math.max(GAP, Math.min((left + right - width) / 2, innerWidth - width - GAP))}px`;
    const above = top - ENOUGH * rem;
    const isWithin = above >= Math.max(0, host.top);
    if (isWithin && !this.#isBeneath) return { left: at, top: "auto", bottom: `${innerHeight - top + GAP}px` };
    const bottom = Math.max(...boxes.map((box) => box.bottom), beneath());
    const below = bottom + ENOUGH * rem;
    const isAbove = below > Math.min(innerHeight, host.bottom) && (isWithin || (above >= 0 && !this.#isBeneath) || below > innerHeight);
    return { left: at, top: isAbove ? "auto" : `${bottom + GAP}px`, bottom: isAbove ? `${innerHeight - top + GAP}px` : "auto" };
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
