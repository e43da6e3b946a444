/**
 * A slider over the steps of a figure, and a button that plays them.
 */

import { element, fill, playButton, range } from "../shared/dom/elements.js";

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
  const play = playButton(() => (playing === undefined ? start() : (stop(), changed())));
  const slider = range(label, (k) => (stop(), go(k)), { max: 0, value: 0, change: changed });
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
    play.show(true);
    playing = setInterval(() => (step < steps ? go(step + 1) : (stop(), changed())), STEP_MS);
  }

  function stop() {
    clearInterval(playing);
    playing = undefined;
    play.show(false);
  }

  return {
    node: element("div", { class: "row steps" }, play.node, slider, at),
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

/** A slider under its name and what it stands at. @param {string} label @param {(at: number) => void} move */
export function namedRange(label, move) {
  const input = range(label, move);
  const at = element("b", { class: "mono" });
  return { node: element("label", {}, element("span", {}, label, " ", at), input), input, at };
}

/** The step in a figure's value; null for anything else. @param {string} value */
export const stepIn = (value) => (/^\d{1,6}$/.test(value) ? Number(value) : null);
