/**
 * A mark under a range of a text area's text. Text areas can't mark anything, so a transparent copy of the text lies over
 * it, with the range underlined.
 */

import { element, fill } from "../dom/elements.js";

/** Maximum length of a text that is copied, in UTF-16 units: laying out the copy takes a part of a frame. */
const MAX_LENGTH = 20_000;

export class Underline {
  #box;

  /** @param {HTMLTextAreaElement} box */
  constructor(box) {
    this.#box = box;
    this.node = element("div", { class: `${box.className} underline`, "aria-hidden": "true", hidden: true });
    box.addEventListener("scroll", () => (this.node.scrollTop = box.scrollTop), { passive: true });
    box.addEventListener("input", () => this.hide());
  }

  /** Underline a range of the box's text. @param {number} start in UTF-16 units @param {number} end */
  show(start, end) {
    const { value, offsetWidth, offsetHeight, scrollTop } = this.#box;
    if (value.length > MAX_LENGTH || start >= end) return this.hide();
    fill(this.node, value.slice(0, start), element("mark", {}, value.slice(start, end)), value.slice(end));
    this.node.dir = this.#box.dir;
    this.node.hidden = false;
    Object.assign(this.node.style, { width: `${offsetWidth}px`, height: `${offsetHeight}px` });
    this.node.scrollTop = scrollTop;
  }

  hide() {
    this.node.hidden = true;
  }
}
