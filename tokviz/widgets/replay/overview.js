/**
 * A strip that stands for the whole of a long text: darker where more is joined, with the window and the next merge.
 */

import { button, element } from "../shared/elements.js";
import { boundariesOf } from "./model.js";

/** @typedef {import("./model.js").Replay} Replay */

const CELLS = 120;

/** @param {(symbol: number) => void} onWindow show the text from this symbol on */
export function createOverview(onWindow) {
  /** @type {Replay | null} */
  let replay = null;
  let size = 1;
  let from = 0;
  const cells = Array.from({ length: CELLS }, () => element("i", {}));
  const frame = element("b", {});
  const strip = element(
    "div",
    { class: "strip", "aria-hidden": "true", pointerdown: dragged, pointermove: dragged },
    ...cells,
    frame,
  );
  const node = element(
    "div",
    { class: "overview", hidden: true },
    button("‹", () => onWindow(from - size / 2), { "aria-label": "Earlier in the text" }),
    strip,
    button("›", () => onWindow(from + size / 2), { "aria-label": "Later in the text" }),
  );

  /** @param {PointerEvent} event */
  function dragged(event) {
    if (!replay || !(event.buttons & 1)) return;
    const box = strip.getBoundingClientRect();
    onWindow(((event.clientX - box.left) / box.width) * replay.n - size / 2);
  }

  return {
    node,
    /** @param {Replay} newReplay @param {boolean} needed */
    load(newReplay, needed) {
      replay = newReplay;
      node.hidden = !needed;
    },
    /** @param {number} begin @param {number} end the window's symbols */
    window(begin, end) {
      if (!replay?.n) return;
      [from, size] = [begin, end - begin];
      frame.style.left = `${(begin / replay.n) * 100}%`;
      frame.style.width = `${((end - begin) / replay.n) * 100}%`;
    },
    /** @param {number} k @param {boolean} next whether the next merge may be shown */
    show(k, next) {
      if (!replay || node.hidden) return;
      const { n, removedAt, steps } = replay;
      const joined = new Float64Array(CELLS);
      for (let i = 0; i < n; i++) if (removedAt[i] < k) joined[Math.floor((i * CELLS) / n)]++;
      const hit = new Set();
      if (next && k >= 0 && k < steps) for (const i of boundariesOf(replay, k)) hit.add(Math.floor((i * CELLS) / n));
      cells.forEach((cell, i) => {
        cell.style.setProperty("--joined", `${Math.round((joined[i] * CELLS * 100) / n)}%`);
        cell.classList.toggle("next", hit.has(i));
      });
    },
  };
}
