/**
 * A place on the curve of tokens against merges: a line over the chart with a dot on the curve. The curve can be dragged
 * there as well.
 */

import { element } from "../shared/dom/elements.js";
import { ZERO } from "../seek/scale.js";

/** @typedef {import("./mergehandle.js").Place} Place */
/** @typedef {{left: number, top: number, width: number, height: number, x: number[], y: number[]}} Plot the area of the curve in the chart, in pixels, and the ends of its axes */

export class CurvePlace {
  #host;
  #on;
  /** @type {Place | null} */
  #place = null;
  #dot = element("i", { class: "dot" });
  #line = element("div", { class: "curve-place", "aria-hidden": "true", hidden: true }, this.#dot);
  #disposal = new AbortController();

  /**
   * @param {HTMLElement} host of the chart
   * @param {object} on
   * @param {(merges: number) => void} on.seek the reader has pressed the chart above a number of merges
   * @param {(axis: {zero: number, unit: number} | null) => void} on.drawn see `MergeHandle.align`
   */
  constructor(host, on) {
    this.#host = host;
    this.#on = on;
    host.append(this.#line);
    const { signal } = this.#disposal;
    for (const event of ["pointerdown", "pointermove"]) host.addEventListener(event, (each) => this.#drag(/** @type {PointerEvent} */ (each)), { signal });
  }

  /** @param {Place | null} place */
  show(place) {
    this.#place = place;
    this.draw();
  }

  /** Draw it where the chart's axes are now. */
  draw() {
    const [plot, place] = [this.#plot(), this.#place];
    this.#line.hidden = !plot || !place;
    this.#on.drawn(plot && { zero: xOf(plot, 0), unit: xOf(plot, 10) - xOf(plot, 1) });
    if (!plot || !place) return;
    this.#line.ariaBusy = String(place.isStale);
    const height = plot.height * (1 - (100 * place.share - plot.y[0]) / (plot.y[1] - plot.y[0]));
    Object.assign(this.#line.style, { left: `${xOf(plot, place.merges)}px`, top: `${plot.top}px`, height: `${plot.height}px` });
    this.#line.style.setProperty("--own", place.color);
    this.#dot.style.top = `${height}px`;
  }

  /** @returns {Plot | null} null before the chart is drawn */
  #plot() {
    const area = this.#host.querySelector(".nsewdrag")?.getBoundingClientRect();
    const { layout } = /** @type {HTMLElement & {layout?: Record<string, any>}} */ (this.#host);
    if (!area || !layout) return null;
    const { left, top } = this.#host.getBoundingClientRect();
    return { left: area.left - left, top: area.top - top, width: area.width, height: area.height, x: layout.xaxis.range, y: layout.yaxis.range };
  }

  /** @param {PointerEvent} event */
  #drag({ buttons, clientX, pointerType, type }) {
    const plot = this.#plot();
    if (!plot || !this.#place || !(buttons & 1) || (pointerType === "touch" && type === "pointermove")) return; // a finger scrolls
    const share = (clientX - this.#host.getBoundingClientRect().left - plot.left) / plot.width;
    const merges = 10 ** (plot.x[0] + share * (plot.x[1] - plot.x[0]));
    if (share >= 0 && share <= 1) this.#on.seek(merges < Math.sqrt(ZERO) ? 0 : Math.max(1, merges));
  }

  dispose() {
    this.#disposal.abort();
    this.#line.remove();
  }
}

/** Where a number of merges is. @param {Plot} plot @param {number} merges */
const xOf = ({ left, width, x }, merges) => left + (width * (Math.log10(Math.max(merges, ZERO)) - x[0])) / (x[1] - x[0]);
