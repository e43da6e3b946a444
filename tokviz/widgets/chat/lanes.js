/**
 * Lanes beside the prompt: on each line, what its characters come from.
 */

import { element } from "../shared/dom/elements.js";
import { KINDS } from "./origins.js";

/** @typedef {import("./origins.js").Kind} Kind */
/** @typedef {{top: number, bottom: number, kinds: Set<Kind>}} Line */

/** Lines whose upper edges are as near as this, in pixels, are one. */
const SAME_LINE = 6;

/**
 * Join what stands on the same line.
 *
 * @param {Line[]} boxes in the order of the text
 * @returns {Line[]} from top to bottom
 */
export function linesOf(boxes) {
  /** @type {Line[]} */
  const lines = [];
  for (const { top, bottom, kinds } of [...boxes].sort((one, other) => one.top - other.top)) {
    const line = lines[lines.length - 1];
    if (!line || top - line.top > SAME_LINE) lines.push({ top, bottom, kinds: new Set(kinds) });
    else {
      line.bottom = Math.max(line.bottom, bottom);
      for (const kind of kinds) line.kinds.add(kind);
    }
  }
  return lines;
}

/**
 * The bars of one lane: neighboring lines with this kind are one bar.
 *
 * @param {Line[]} lines @param {Kind} kind
 * @returns {[top: number, bottom: number][]}
 */
export function barsOf(lines, kind) {
  /** @type {[number, number][]} */
  const bars = [];
  lines.forEach((line, i) => {
    if (!line.kinds.has(kind)) return;
    const top = i ? (lines[i - 1].bottom + line.top) / 2 : line.top;
    const bottom = lines[i + 1] ? (line.bottom + lines[i + 1].top) / 2 : line.bottom;
    const last = bars[bars.length - 1];
    if (last && lines[i - 1]?.kinds.has(kind)) last[1] = bottom;
    else bars.push([top, bottom]);
  });
  return bars;
}

export class Lanes {
  #view;
  #layer = element("div", { class: "lanes", "aria-hidden": "true" });
  #frame = 0;
  /** @type {[from: number, to: number] | null} */
  #place = null;
  /** @type {import("./origins.js").Reading | null} */
  #reading = null;
  #resizing = new ResizeObserver(() => this.draw());

  /** @param {import("../token_view/view.js").TokenView} view */
  constructor(view) {
    this.#view = view;
    view.node.append(this.#layer);
    this.#resizing.observe(view.node);
  }

  /** @param {import("./origins.js").Reading} reading */
  show(reading) {
    this.#reading = reading;
    this.draw();
  }

  /** Mark the lines of a part of the prompt. @param {[from: number, to: number] | null} place in UTF-16 units */
  mark(place) {
    this.#place = place;
    this.draw();
  }

  /** Draw them in the next frame, when the text is laid out. */
  draw() {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => this.#draw());
  }

  #draw() {
    const reading = this.#reading;
    if (!reading) return;
    const { top: origin } = this.#view.node.getBoundingClientRect();
    const above = this.#view.node.scrollTop - origin - this.#view.node.clientTop;
    /** @type {(Line & {first: number})[]} */
    const boxes = [];
    this.#view.eachDrawn((first, last, drawn) => {
      if (last >= reading.model.n) return;
      const kinds = new Set([...reading.kindsOf(first), ...reading.kindsOf(last)]);
      for (const { top, bottom } of drawn.getClientRects()) boxes.push({ top: top + above, bottom: bottom + above, kinds, first });
    });
    const lines = linesOf(boxes);
    const bars = KINDS.flatMap(([kind]) => barsOf(lines, kind).map(([top, bottom]) => this.#bar(kind, top, bottom)));
    const marked = this.#place ? linesOf(boxes.filter(({ first }) => this.#isMarked(first))) : [];
    const mark = marked.length ? [this.#bar("marked", marked[0].top, marked[marked.length - 1].bottom)] : [];
    this.#layer.replaceChildren(...mark, ...bars);
  }

  /** Whether a token is in the marked part. @param {number} i */
  #isMarked(i) {
    const [from, to] = /** @type {[number, number]} */ (this.#place);
    const start = this.#reading?.model.starts[i] ?? 0;
    return start >= from && start < to;
  }

  /** @param {Kind | "marked"} kind @param {number} top @param {number} bottom */
  #bar(kind, top, bottom) {
    const bar = element("i", { class: `lane ${kind}` });
    bar.style.top = `${top}px`;
    bar.style.height = `${bottom - top}px`;
    return bar;
  }

  dispose() {
    cancelAnimationFrame(this.#frame);
    this.#resizing.disconnect();
  }
}
