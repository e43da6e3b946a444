/**
 * The staffs of a score: its text, divided into a few lines each. All of them have their text in the page; only those
 * near the viewport have their bands, which are drawn for a limited time per frame.
 */

import { element } from "../shared/dom/elements.js";
import { cutText } from "../shared/text/tokenization.js";
import { Staff } from "./staff.js";

/** @typedef {import("./model.js").Comparison} Comparison */

/** Distance beyond the viewport in which bands are drawn, in pixels. */
const MARGIN = 800;
/** Maximum drawing time per frame, in milliseconds. */
const MAX_DRAWING_MS = 10;
/** Text drawn immediately after a change, in UTF-16 units; the rest is drawn in later frames. */
const DRAWN_IMMEDIATELY = 3000;
/** Staffs of a first text that are near the viewport before the browser has said so. */
const NEAR_AT_FIRST = 3;
/** Approximate width of a character, in pixels; used to estimate heights. */
const CHARACTER_WIDTH = 11;
/** Width of the tokenizers' names and of the margin, in characters. */
const NAME_COLUMNS = 12;
const MIN_COLUMNS = 10;
/** Width of a score that is not laid out yet, in pixels. */
const DEFAULT_WIDTH = 800;

export class Staffs {
  /** @type {Comparison | null} */
  #comparison = null;
  /** @type {Staff[]} */
  #list = [];
  /** @type {WeakMap<Element, Staff>} */
  #owners = new WeakMap();
  #scroller;
  #onDraw;
  #observer;
  #frame = 0;

  /**
   * @param {HTMLElement} scroller
   * @param {() => void} onDraw called after drawing, also if nothing was left to draw
   */
  constructor(scroller, onDraw) {
    this.#scroller = scroller;
    this.#onDraw = onDraw;
    /** @type {HTMLElement} */
    this.node = element("div", { class: "staffs marks", "aria-hidden": "true" });
    this.#observer = new IntersectionObserver((entries) => this.#observe(entries), {
      root: scroller,
      rootMargin: `${MARGIN}px 0px`,
    });
  }

  /** All staffs, in the order of the text. @returns {readonly Staff[]} */
  get list() {
    return this.#list;
  }

  /** The staff that an element belongs to. @param {Element} target */
  under(target) {
    const node = target.closest(".staff");
    return node ? this.#owners.get(node) : undefined;
  }

  /** The staff at a place; the last one for a place after the text. @param {number} place in UTF-16 units */
  at(place) {
    return this.#list.find((staff) => staff.to > place) ?? this.#list[this.#list.length - 1];
  }

  /** @param {Comparison} comparison */
  show(comparison) {
    this.#comparison = comparison;
    this.#divide(comparison.text);
    let budget = DRAWN_IMMEDIATELY;
    for (const staff of this.#list) {
      staff.drawn = false;
      if (!staff.near || budget <= 0) continue;
      budget -= staff.text.length;
      staff.draw(comparison);
    }
    this.#drawSome();
  }

  redraw() {
    for (const staff of this.#list) staff.drawn = false;
    this.#drawSome();
  }

  /** Draw a staff that is about to be scrolled into view. @param {Staff} staff */
  bring(staff) {
    staff.near = true;
    staff.element.classList.add("near");
    if (staff.drawn || !this.#comparison) return;
    staff.draw(this.#comparison);
    this.#onDraw();
  }

  /** Lay all staffs out for the screen again, after printing. */
  restore() {
    for (const staff of this.#list) {
      staff.element.classList.toggle("near", staff.near);
      if (!staff.near) staff.clear();
    }
    this.redraw();
  }

  dispose() {
    cancelAnimationFrame(this.#frame);
    this.#observer.disconnect();
  }

  /** Divide a new text into staffs, keeping the elements of unchanged staffs at both ends. @param {string} text */
  #divide(text) {
    const old = this.#list;
    const ends = cutText(text, 0, text.length);
    const texts = ends.map((end, k) => text.slice(ends[k - 1] ?? 0, end));
    const { head, tail } = unchangedEnds(old.map((staff) => staff.text), texts);
    const replaced = old.slice(head, old.length - tail);
    const kept = old.slice(old.length - tail);
    const fresh = texts
      .slice(head, texts.length - tail)
      .map((staffText, k) => this.#newStaff(staffText, replaced[k]?.near ?? k < NEAR_AT_FIRST));
    for (const staff of replaced) this.#drop(staff);
    const anchor = kept[0]?.element ?? null;
    for (const staff of fresh) this.node.insertBefore(staff.element, anchor);
    this.#list = [...old.slice(0, head), ...fresh, ...kept];
    let at = 0;
    for (const staff of this.#list) {
      staff.from = at;
      at += staff.text.length;
    }
  }

  /** @param {string} text @param {boolean} near */
  #newStaff(text, near) {
    const staff = new Staff(text, 0);
    staff.element.style.setProperty("--rows", String(estimateRows(text, this.#scroller.clientWidth)));
    staff.element.classList.toggle("near", near);
    staff.near = near;
    this.#owners.set(staff.element, staff);
    this.#observer.observe(staff.element);
    return staff;
  }

  /** @param {Staff} staff */
  #drop(staff) {
    this.#observer.unobserve(staff.element);
    staff.element.remove();
  }

  /** @param {IntersectionObserverEntry[]} entries */
  #observe(entries) {
    for (const { target, isIntersecting } of entries) {
      const staff = this.#owners.get(target);
      if (!staff) continue;
      staff.near = isIntersecting;
      staff.element.classList.toggle("near", isIntersecting);
      if (!isIntersecting) staff.clear();
    }
    this.#drawSome();
  }

  /** Draw staffs near the viewport that have no bands yet, for a limited time per frame. */
  #drawSome() {
    cancelAnimationFrame(this.#frame);
    if (!this.#comparison) return;
    const begun = performance.now();
    for (const staff of this.#list) {
      if (!staff.near || staff.drawn) continue;
      if (performance.now() - begun > MAX_DRAWING_MS) {
        this.#frame = requestAnimationFrame(() => this.#drawSome());
        break;
      }
      staff.draw(this.#comparison);
    }
    this.#onDraw();
  }
}

/**
 * Count the equal entries at the beginning and at the end of two lists. No entry counts for both ends.
 *
 * @param {string[]} old
 * @param {string[]} texts
 */
export function unchangedEnds(old, texts) {
  const most = Math.min(old.length, texts.length);
  let head = 0;
  while (head < most && old[head] === texts[head]) head++;
  let tail = 0;
  while (tail < most - head && old[old.length - 1 - tail] === texts[texts.length - 1 - tail]) tail++;
  return { head, tail };
}

/**
 * Estimate the rows of a staff that was never near the viewport, to keep the scroll bar steady.
 *
 * @param {string} text
 * @param {number} width of the score, in pixels; 0 if it is not laid out
 */
export function estimateRows(text, width) {
  const columns = Math.max(MIN_COLUMNS, (width || DEFAULT_WIDTH) / CHARACTER_WIDTH - NAME_COLUMNS);
  const lines = text.replace(/\n$/, "").split("\n");
  return lines.reduce((rows, line) => rows + Math.max(1, Math.ceil(line.length / columns)), 0);
}
