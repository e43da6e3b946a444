/**
 * The player's controls: buttons, a track with ticks at notable steps;
 * and apart from them, what is rarely needed.
 */

import { button, element, fill, menu, number, playButton, range } from "../../shared/dom/elements.js";
import { createTicks } from "../../shared/dom/svg.js";
import { notableSteps, sceneName, summaryAt } from "../explain/captions.js";
import { SPEEDS } from "./player.js";

/** @typedef {import("../model/replay.js").Replay} Replay */
/** @typedef {import("./player.js").Speed} Speed */

/**
 * @typedef {object} Actions
 * @property {(k: number) => void} seek
 * @property {() => void} back
 * @property {() => void} next
 * @property {() => void} toggle play or pause
 * @property {(speed: Speed) => void} speed
 * @property {() => void} help
 */

export class Timeline {
  /** @type {Replay | null} */
  #replay = null;
  #seesAhead = true;
  #counter = element("span", { class: "counter" });
  #ticks = createTicks();
  #play;
  #next;
  #jumps;
  #track;

  /** @param {Speed} speed @param {Actions} act */
  constructor(speed, act) {
    this.#play = playButton(() => act.toggle());
    this.#jumps = element("select", { "aria-label": "Jump to", change: () => this.#jump(act) });
    // The scenes before the merges are all at its start, where its counter is at 0.
    this.#track = range("Step", (k) => act.seek(k), { class: "track step-track" });
    const rail = element("div", { class: "rail" }, this.#track, this.#ticks.node);
    const back = icon("◀", "Back", () => act.back());
    const next = (this.#next = icon("▶|", "Next", () => act.next(), { class: "button next-step" }));
    this.node = element("div", { class: "timeline row controls" }, element("div", { class: "row moves" }, this.#play.node, back, next), rail, this.#counter);
    /** Belongs to the settings. */
    this.options = [
      icon("⏮", "First step", () => act.seek(-Infinity)),
      icon("⏭", "Last step", () => act.seek(Infinity)),
      menu("Speed", SPEEDS, speed, (chosen) => act.speed(/** @type {Speed} */ (chosen))).node,
      this.#jumps,
      button("Keys", () => act.help(), { title: "Keys (?)" }),
    ];
  }

  /** @returns {HTMLElement} */
  get track() {
    return this.#track;
  }

  /** @param {Replay} replay */
  load(replay) {
    this.#replay = replay;
    this.#track.max = String(replay.steps);
    this.#showTicks(replay, this.#seesAhead ? replay.steps : 0);
  }

  /**
   * @param {number} k
   * @param {boolean} seesAhead false to hide everything after k while a class guesses
   * @param {boolean} isAsked true at a question, for whose answer Play waits
   */
  show(k, seesAhead, isAsked) {
    if (!this.#replay) return;
    const play = this.#play.node;
    if (isAsked && play.matches(":focus")) this.#next.focus();
    play.disabled = isAsked;
    const { steps } = this.#replay;
    this.#track.value = String(Math.max(0, k));
    this.#ticks.pass(steps && Math.max(0, k) / steps);
    this.#track.setAttribute("aria-valuetext", k < 0 ? sceneName(this.#replay, k) : summaryAt(this.#replay, k));
    fill(this.#counter, k < 0 ? "start" : `${number(k)} of ${number(steps)}`);
    if (!seesAhead || !this.#seesAhead) this.#showTicks(this.#replay, seesAhead ? steps : k);
    this.#seesAhead = seesAhead;
  }

  /** @param {boolean} playing */
  showPlaying(playing) {
    this.#play.show(playing);
  }

  /** @param {Actions} act */
  #jump(act) {
    const k = Number(this.#jumps.value);
    this.#jumps.value = "";
    act.seek(k);
  }

  /** @param {Replay} replay @param {number} last the last position with a tick */
  #showTicks(replay, last) {
    const notable = notableSteps(replay).filter(({ k }) => k <= last);
    this.#ticks.draw(notable.filter(({ k }) => k >= 0).map(({ k }) => replay.steps && k / replay.steps));
    const options = notable.map(({ k, label }) =>
      element("option", { value: k }, k > 0 ? `${number(k)}: ${label}` : label),
    );
    fill(this.#jumps, element("option", { value: "" }, "Jump to"), ...options);
    this.#jumps.value = "";
  }
}

/** @param {string} sign @param {string} label @param {() => void} click @param {Record<string, any>} [properties] */
export function icon(sign, label, click, properties = {}) {
  return button(sign, click, { "aria-label": label, title: label, ...properties });
}
