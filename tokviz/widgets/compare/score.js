/**
 * The aligned view: the text once, and under each of its rows one band per tokenizer, with each block exactly under its
 * characters. Where all tokenizers cut alike, the blocks are faint; where they differ, the blocks show their text.
 *
 * The text is divided into staffs of a few lines. All staffs have their text in the page; only those near the viewport
 * have their bands. The view needs only columns, so it works without a server. For a screen reader it is a single
 * labeled group, navigated with the arrow keys; the table of differences gives the same content as text.
 */

import { element } from "../shared/dom/elements.js";
import { placeOf } from "./model.js";
import { printout } from "./printing.js";
import { Staffs } from "./staffs.js";

/** @typedef {import("./model.js").Comparison} Comparison */
/** @typedef {import("./walking.js").Move | "leave"} Walk */

/** @type {Record<string, Walk>} */
const KEYS = {
  ArrowRight: "next",
  ArrowDown: "next",
  ArrowLeft: "previous",
  ArrowUp: "previous",
  Home: "first",
  End: "last",
  Escape: "leave",
};

/**
 * @typedef {object} ScoreListeners
 * @property {(segment: number | null) => void} point
 * @property {(segment: number) => void} select
 * @property {(where: Walk) => void} walk
 */

export class Score {
  /** @type {Comparison | null} */
  #comparison = null;
  /** @type {{pointed: number | null, chosen: number | null}} */
  #highlighted = { pointed: null, chosen: null };
  /** Width and font size of the last layout. */
  #size = "";
  #staffs;
  #printed = element("div", { class: "printed marks", "aria-hidden": "true" });
  #resizing = new ResizeObserver(() => this.updateSize());
  #disposal = new AbortController();
  #on;

  /**
   * @param {HTMLElement} root
   * @param {ScoreListeners} on
   */
  constructor(root, on) {
    this.#on = on;
    /** @type {HTMLElement} */
    this.node = element("div", { class: "score", tabindex: 0, role: "group" });
    this.#staffs = new Staffs(this.node, () => this.#updateHighlights());
    this.node.append(this.#staffs.node, this.#printed);
    root.append(this.node);
    this.#listen();
    this.#resizing.observe(this.node);
    this.#resizing.observe(this.#staffs.node);
  }

  /** @param {Comparison} comparison @param {string} [lang] language of the text, if known */
  show(comparison, lang = "") {
    this.#comparison = comparison;
    if (this.#staffs.node.lang !== lang) this.#staffs.node.lang = lang;
    this.node.style.setProperty("--bands", String(comparison.names.length));
    const count = comparison.differing.length;
    const says = count === 1 ? "1 difference" : `${count.toLocaleString("en-US")} differences`;
    this.node.setAttribute("aria-label", `Aligned view: ${says}. Arrow keys go from one to the next.`);
    this.#highlighted = { pointed: null, chosen: null };
    this.#staffs.show(comparison);
  }

  /** @param {number | null} segment the chosen segment */
  choose(segment) {
    this.#highlighted.chosen = segment;
    this.#updateHighlights();
  }

  /** Scroll a segment into view. @param {number} segment */
  scrollTo(segment) {
    if (!this.#comparison) return;
    const staff = this.#staffs.at(placeOf(this.#comparison, segment)[0]);
    if (!staff) return;
    this.#staffs.bring(staff);
    const [top, bottom] = staff.rowOf(segment);
    // Set scrollTop, because scrollIntoView would also scroll the page.
    const { scrollTop, clientHeight } = this.node;
    if (top < scrollTop || bottom > scrollTop + clientHeight) this.node.scrollTop = top - (clientHeight - (bottom - top)) / 2;
  }

  dispose() {
    this.#disposal.abort();
    this.#staffs.dispose();
    this.#resizing.disconnect();
    this.node.remove();
  }

  #listen() {
    const { signal } = this.#disposal;
    this.node.addEventListener("pointermove", (event) => this.#handleMove(event), { signal });
    this.node.addEventListener("pointerleave", () => this.#point(null), { signal });
    this.node.addEventListener("click", (event) => this.#select(this.#segmentUnder(event)), { signal });
    this.node.addEventListener("keydown", (event) => this.#handleKey(event), { signal });
    window.addEventListener("beforeprint", () => this.#layOutForPrint(), { signal });
    window.addEventListener("afterprint", () => this.#printed.replaceChildren(), { signal });
    // A font that loads late changes all widths.
    document.fonts.addEventListener("loadingdone", () => this.#staffs.redraw(), { signal });
  }

  /** Lay the bands out again if the width or the size of the type has changed. */
  updateSize() {
    const now = `${this.node.clientWidth} ${getComputedStyle(this.node).fontSize}`;
    if (now === this.#size) return;
    this.#size = now;
    this.#staffs.redraw();
  }

  /** Lay out the printed rows at the width of paper. */
  #layOutForPrint() {
    if (!this.#comparison || this.node.hidden) return;
    this.node.classList.add("for-paper");
    this.#printed.lang = this.#staffs.node.lang;
    this.#printed.replaceChildren(...printout(this.#staffs.list, this.#comparison, this.#highlighted.chosen));
    this.node.classList.remove("for-paper");
    this.#staffs.restore();
  }

  // Pointing and selecting

  /** @param {PointerEvent} event */
  #handleMove(event) {
    if (event.pointerType !== "touch") this.#point(this.#segmentUnder(event));
  }

  /** @param {KeyboardEvent} event */
  #handleKey(event) {
    const where = KEYS[event.key];
    if (!where || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.#on.walk(where);
  }

  /** @param {MouseEvent} event @returns {number | null} */
  #segmentUnder(event) {
    const staff = this.#staffs.under(/** @type {Element} */ (event.target));
    if (!staff) return null;
    const { left, top } = staff.element.getBoundingClientRect();
    return staff.blockAt(event.clientX - left, event.clientY - top)?.segment ?? null;
  }

  /** @param {number | null} segment */
  #select(segment) {
    if (segment !== null) this.#on.select(segment);
  }

  /** @param {number | null} segment */
  #point(segment) {
    if (segment === this.#highlighted.pointed) return;
    this.#highlighted.pointed = segment;
    this.#updateHighlights();
    this.#on.point(segment);
  }

  /** Highlight the pointed and the chosen segment, in the text and in all bands. */
  #updateHighlights() {
    const lit = this.#staffs.node.querySelectorAll(".block:is(.pointed, .chosen)");
    for (const block of lit) block.classList.remove("pointed", "chosen");
    this.#highlight("pointed");
    this.#highlight("chosen");
  }

  /** @param {"pointed" | "chosen"} kind */
  #highlight(kind) {
    const segment = this.#highlighted[kind];
    const [from, to] = segment === null || !this.#comparison ? [0, 0] : placeOf(this.#comparison, segment);
    for (const staff of this.#staffs.list) {
      if (!staff.drawn) continue;
      staff.frame(from, to, kind);
      if (segment !== null) for (const block of staff.bySegment.get(segment) ?? []) block.classList.add(kind);
    }
  }
}
