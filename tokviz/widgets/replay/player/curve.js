/**
 * The curve of tokens left after each merge, aligned with the track above it; it can be scrubbed as well.
 */

import { element, fill, number } from "../../shared/dom/elements.js";
import { svg } from "../../shared/dom/svg.js";

/** @typedef {import("../model/replay.js").Replay} Replay */

/** Approximate number of points of the curve. */
const POINTS = 400;
const [WIDTH, HEIGHT] = [1000, 160];

export class Curve {
  #onSeek;
  /** @type {Replay | null} */
  #replay = null;
  #seesAhead = true;
  #line = svg("polyline", { class: "line" });
  #cursor = svg("line", { class: "cursor", y1: 0, y2: HEIGHT });
  #says = element("span", { class: "says" });
  #plot;

  /** @param {(k: number) => void} onSeek */
  constructor(onSeek) {
    this.#onSeek = onSeek;
    const drawing = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none" });
    drawing.append(this.#line, this.#cursor);
    const drag = (/** @type {PointerEvent} */ event) => this.#drag(event);
    this.#plot = element("div", { class: "plot", pointerdown: drag, pointermove: drag }, drawing, this.#says);
    this.node = element("div", { class: "curve", "aria-hidden": "true" }, this.#plot);
  }

  /** @param {Replay} replay */
  load(replay) {
    this.#replay = replay;
    this.node.title = "tokens left after each merge";
    this.node.hidden = !replay.steps;
    this.#draw(replay, this.#seesAhead ? replay.steps : 0);
  }

  /** @param {number} k @param {boolean} seesAhead true if the curve after k may be shown */
  show(k, seesAhead) {
    if (!this.#replay) return;
    const isRedrawn = !seesAhead || !this.#seesAhead;
    this.#seesAhead = seesAhead;
    const x = String(xOf(this.#replay, k));
    this.#cursor.setAttribute("x1", x);
    this.#cursor.setAttribute("x2", x);
    if (isRedrawn) this.#draw(this.#replay, seesAhead ? this.#replay.steps : Math.max(0, k));
  }

  /** @param {Replay} replay @param {number} last the last step drawn */
  #draw(replay, last) {
    const { tokenCounts, n, steps } = replay;
    const y = (/** @type {number} */ k) => HEIGHT - (tokenCounts[k] / Math.max(1, n)) * HEIGHT;
    const points = pointsUpTo(last, steps).map((k) => `${xOf(replay, k).toFixed(1)},${y(k).toFixed(1)}`);
    this.#line.setAttribute("points", points.join(" "));
    const end = this.#seesAhead ? number(tokenCounts[steps]) : "?";
    fill(this.#says, `tokens left: ${number(n)} → ${end}`);
  }

  /** @param {PointerEvent} event */
  #drag(event) {
    if (!this.#replay || !(event.buttons & 1)) return;
    const { left, width } = this.#plot.getBoundingClientRect();
    this.#onSeek(Math.round(((event.clientX - left) / width) * this.#replay.steps));
  }
}

/** Steps whose points are drawn: at regular distances, and the last. @param {number} last @param {number} steps */
export function pointsUpTo(last, steps) {
  const stride = Math.max(1, Math.floor(steps / POINTS));
  const found = [];
  for (let k = 0; k < last; k += stride) found.push(k);
  return [...found, last];
}

/** Horizontal place of a position; the scenes before the merges are at the start. @param {Replay} replay @param {number} k */
function xOf(replay, k) {
  return replay.steps ? (Math.max(0, k) / replay.steps) * WIDTH : 0;
}
