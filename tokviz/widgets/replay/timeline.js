/**
 * The player's position: buttons, a track with ticks at notable steps, and under it the curve of tokens against merges,
 * which can be scrubbed as well.
 */

import { button, element, fill, menu, number } from "../shared/dom/elements.js";
import { notableSteps, summaryAt } from "./captions.js";
import { firstPosition } from "./model.js";
import { SPEEDS } from "./player.js";
import { svg } from "../shared/dom/svg.js";

/** @typedef {import("./model.js").Replay} Replay */
/** @typedef {import("./player.js").Speed} Speed */

/** Approximate number of points of the curve. */
const POINTS = 400;
const [WIDTH, HEIGHT] = [1000, 160];

/**
 * @param {object} on
 * @param {(k: number) => void} on.seek
 * @param {() => void} on.back
 * @param {() => void} on.next
 * @param {() => void} on.toggle play or pause
 * @param {(speed: Speed) => void} on.speed
 * @param {() => void} on.help
 * @param {Speed} speed
 */
export function createTimeline(on, speed) {
  /** @type {Replay | null} */
  let replay = null;
  let first = 0;
  let position = 0;
  let hidden = false;

  const icon = (/** @type {string} */ sign, /** @type {string} */ label, /** @type {() => void} */ click, extra = {}) =>
    button(sign, click, { "aria-label": label, title: label, ...extra });
  const play = icon("▶", "Play", on.toggle, { class: "button main" });
  const counter = element("span", { class: "counter" });
  const speeds = menu("Speed", SPEEDS, speed, (chosen) => on.speed(/** @type {Speed} */ (chosen)));
  const jumps = element("select", {
    "aria-label": "Jump to",
    change: () => {
      const k = Number(jumps.value);
      jumps.value = "";
      on.seek(k);
    },
  });
  const track = element("input", {
    type: "range",
    class: "track step-track",
    "aria-label": "Step",
    step: 1,
    input: () => on.seek(Number(track.value)),
  });
  const ticks = element("div", { class: "ticks", "aria-hidden": "true" });
  const controls = element(
    "div",
    { class: "row controls" },
    icon("⏮", "First step", () => on.seek(first)),
    icon("◀", "Back", on.back),
    play,
    icon("▶|", "Next", on.next, { class: "button next-step" }),
    icon("⏭", "Last step", () => replay && on.seek(replay.steps)),
    counter,
    speeds.node,
    jumps,
    icon("?", "Keys", on.help),
  );
  const curve = createCurve(on.seek);
  const node = element("div", { class: "timeline" }, controls, element("div", { class: "rail" }, track, ticks));

  /** @param {Replay} newReplay */
  function load(newReplay) {
    replay = newReplay;
    first = firstPosition(replay);
    track.min = first;
    track.max = replay.steps;
    curve.load(replay);
    showTicks();
  }

  function showTicks() {
    if (!replay) return;
    const { steps } = replay;
    const notable = notableSteps(replay).filter(({ k }) => !hidden || k <= position);
    const place = (/** @type {number} */ k) => `${steps === first ? 0 : ((k - first) / (steps - first)) * 100}%`;
    const marks = notable.map(() => element("i"));
    notable.forEach(({ k }, i) => (marks[i].style.left = place(k)));
    fill(ticks, ...marks);
    const options = notable.map(({ k, label }) =>
      element("option", { value: k }, k > 0 ? `${number(k)}: ${label}` : label),
    );
    fill(jumps, element("option", { value: "" }, "Jump to"), ...options);
    jumps.value = "";
  }

  return {
    node,
    curve: curve.node,
    load,
    /** @param {number} k */
    show(k) {
      if (!replay) return;
      position = k;
      track.value = String(k);
      track.setAttribute("aria-valuetext", k < 0 ? (k < -1 ? "the text" : "the pre-tokens") : summaryAt(replay, k));
      fill(counter, k < 0 ? "before the merges" : `${number(k)} of ${number(replay.steps)}`);
      curve.show(k);
      if (hidden) showTicks();
    },
    /** @param {boolean} playing */
    playing(playing) {
      play.textContent = playing ? "⏸" : "▶";
      play.setAttribute("aria-label", playing ? "Pause" : "Play");
      play.title = playing ? "Pause" : "Play";
    },
    /** Hide everything past the cursor while a class guesses. @param {boolean} hide */
    hideAhead(hide) {
      if (hide === hidden) return;
      hidden = hide;
      curve.hideAhead(hide);
      showTicks();
    },
  };
}

/** Create the curve of tokens left, aligned with the track above it. @param {(k: number) => void} onSeek */
function createCurve(onSeek) {
  /** @type {Replay | null} */
  let replay = null;
  let first = 0;
  let hidden = false;
  let position = 0;

  const line = svg("polyline", { class: "line" });
  const cursor = svg("line", { class: "cursor", y1: 0, y2: HEIGHT });
  const drawing = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none" });
  drawing.append(line, cursor);
  const says = element("span", { class: "says" });
  const plot = element("div", { class: "plot", pointerdown: dragged, pointermove: dragged }, drawing, says);
  const node = element("div", { class: "curve", "aria-hidden": "true" }, plot);

  /** @param {PointerEvent} event */
  function dragged(event) {
    if (!replay || !(event.buttons & 1)) return;
    const box = plot.getBoundingClientRect();
    onSeek(first + Math.round(((event.clientX - box.left) / box.width) * (replay.steps - first)));
  }

  /** @param {number} k */
  function x(k) {
    return replay?.steps ? ((k - first) / (replay.steps - first)) * WIDTH : 0;
  }

  function draw() {
    if (!replay) return;
    const { steps, tokenCounts, n } = replay;
    const last = hidden ? Math.max(0, position) : steps;
    const points = [];
    const stride = Math.max(1, Math.floor(steps / POINTS));
    for (let k = 0; k <= last; k += stride) points.push(k);
    if (points[points.length - 1] !== last) points.push(last);
    line.setAttribute(
      "points",
      points
        .map((k) => `${x(k).toFixed(1)},${(HEIGHT - (tokenCounts[k] / Math.max(1, n)) * HEIGHT).toFixed(1)}`)
        .join(" "),
    );
    const end = hidden ? "" : `, ${number(tokenCounts[steps])} at the end`;
    fill(says, `tokens left after each merge: ${number(n)} at first${end}`);
  }

  return {
    node,
    /** @param {Replay} newReplay */
    load(newReplay) {
      replay = newReplay;
      first = firstPosition(replay);
      node.hidden = !replay.steps;
      draw();
    },
    /** @param {number} k */
    show(k) {
      position = k;
      const at = String(x(k));
      cursor.setAttribute("x1", at);
      cursor.setAttribute("x2", at);
      if (hidden) draw();
    },
    /** @param {boolean} hide */
    hideAhead(hide) {
      hidden = hide;
      draw();
    },
  };
}
