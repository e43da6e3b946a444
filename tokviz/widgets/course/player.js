/**
 * A slider over the steps of a figure, and a button that plays them.
 */

import { button, element, fill } from "../shared/dom/elements.js";

const STEP_MS = 700;

/**
 * @param {string} label of the slider: what a step is, in the plural
 * @param {(step: number) => void} show
 * @param {() => void} changed the reader has moved it
 */
export function createPlayer(label, show, changed) {
  let steps = 0;
  let step = 0;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let playing;
  const play = button("Play", () => (playing === undefined ? start() : (stop(), changed())), { class: "button play" });
  const slider = element("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": label, input: () => (stop(), go(Number(slider.value))), change: changed });
  const at = element("span", { class: "quiet" });

  /** @param {number} k */
  function go(k) {
    step = k;
    slider.value = String(k);
    fill(at, `${k} of ${steps} ${label.toLowerCase()}`);
    show(k);
  }

  function start() {
    if (!steps) return;
    if (step === steps) go(0);
    fill(play, "Pause");
    playing = setInterval(() => (step < steps ? go(step + 1) : (stop(), changed())), STEP_MS);
  }

  function stop() {
    clearInterval(playing);
    playing = undefined;
    fill(play, "Play");
  }

  return {
    node: element("div", { class: "row steps" }, play, slider, at),
    step: () => step,
    /** Begin with other steps. @param {number} count @param {number} first where it begins */
    load(count, first) {
      stop();
      steps = count;
      slider.max = String(count);
      go(Math.min(first, count));
    },
    dispose: stop,
  };
}

/** The step in a figure's value; null for anything else. @param {string} value */
export const stepIn = (value) => (/^\d{1,6}$/.test(value) ? Number(value) : null);
