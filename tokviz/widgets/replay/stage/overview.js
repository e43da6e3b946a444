/**
 * Overview strip of a long text: how much is joined where, the visible window, and the places of the next merge.
 */

import { button, element } from "../../shared/dom/elements.js";
import { boundariesOf } from "../model/replay.js";
import { svg } from "../../shared/dom/svg.js";

/** @typedef {import("../model/replay.js").Replay} Replay */

/** Number of equal parts of the text in the strip. */
const CELLS = 120;
/** Heights in units of the drawing, in which a cell is one wide. */
const HEIGHT = 100;
const NEXT_HEIGHT = 30;
const DESCRIPTION = "The whole text: how much of it is joined, where the next merge is, and framed what you see beneath";

/** @param {(symbol: number) => void} onWindow called to show the text from a symbol on */
export function createOverview(onWindow) {
  /** @type {Replay | null} */
  let replay = null;
  let size = 1;
  let from = 0;
  const joinedPath = svg("path", { class: "joined" });
  const nextPath = svg("path", { class: "next" });
  const drawing = svg("svg", { viewBox: `0 0 ${CELLS} ${HEIGHT}`, preserveAspectRatio: "none" });
  drawing.append(joinedPath, nextPath);
  const frame = element("b", {});
  const strip = element(
    "div",
    { class: "strip", "aria-hidden": "true", title: DESCRIPTION, pointerdown: dragged, pointermove: dragged },
    drawing,
    frame,
  );
  const node = element(
    "div",
    { class: "overview", hidden: true },
    button("◀", () => onWindow(from - size / 2), { "aria-label": "Earlier in the text" }),
    strip,
    button("▶", () => onWindow(from + size / 2), { "aria-label": "Later in the text" }),
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
    /** @param {number} k @param {boolean} next true if the next merge may be shown */
    show(k, next) {
      if (!replay || node.hidden) return;
      joinedPath.setAttribute("d", columns(joinedShares(replay, k)));
      nextPath.setAttribute("d", next ? columns(nextPlaces(replay, k)) : "");
    },
  };
}

/** Share of each cell that is joined after k steps, as heights. @param {Replay} replay @param {number} k */
function joinedShares({ n, removedAt }, k) {
  const edge = (/** @type {number} */ cell) => Math.floor((cell * n) / CELLS);
  return Float64Array.from({ length: CELLS }, (_, cell) => {
    let joined = 0;
    const [begin, end] = [edge(cell), edge(cell + 1)];
    for (let i = begin; i < end; i++) if (removedAt[i] < k) joined++;
    return (HEIGHT * joined) / (end - begin);
  });
}

/** Cells in which step k joins a pair, as heights. @param {Replay} replay @param {number} k */
function nextPlaces(replay, k) {
  const heights = new Float64Array(CELLS);
  if (k < 0 || k >= replay.steps) return heights;
  for (const i of boundariesOf(replay, k)) heights[Math.floor((i * CELLS) / replay.n)] = NEXT_HEIGHT;
  return heights;
}

/**
 * Outline of columns of these heights, as one path, because a hundred elements would be slow.
 *
 * @param {Float64Array} heights
 */
function columns(heights) {
  const tops = Array.from(heights, (height) => `V${Math.round(Math.max(0, HEIGHT - height))}h1`);
  return `M0 ${HEIGHT}${tops.join("")}V${HEIGHT}z`;
}
