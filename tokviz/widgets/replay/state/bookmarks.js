/**
 * The position at which each story opens: where it was left; or with another text, the telling step, the beginning, or
 * while a training text is typed, all of its merges.
 */

import { tellingStep } from "../model/telling.js";

/** @typedef {import("./choices.js").Story} Story */
/** @typedef {Record<Story, number | null>} Steps null: at the telling step */
/** @typedef {import("../model/telling.js").Merges} Merges */

export class Bookmarks {
  #steps;
  /** True when the text changed after the replay on screen was loaded. */
  #isTextNew = false;
  /** True if the text is being typed, and its merges are watched meanwhile. */
  #goesOn = false;
  /** Number of steps of the replay on screen. */
  #last = 0;

  /** @param {Steps} steps changed in place, since the page remembers them */
  constructor(steps) {
    this.#steps = steps;
  }

  /** @param {Story} story @param {number} k */
  keep(story, k) {
    this.#steps[story] = k;
  }

  /** Open a story before its first merge. @param {Story} story */
  restart(story) {
    this.#steps[story] = 0;
  }

  /** The next replay is of another text. @param {boolean} [goesOn] true to stay among its merges, all of them unless some are on screen */
  changeText(goesOn = false) {
    this.#isTextNew = true;
    this.#goesOn = goesOn;
  }

  /**
   * Open a replay: a new text before its first merge, or at the scene before it that was on screen.
   *
   * @param {Story} story
   * @param {Merges} replay
   */
  open(story, replay) {
    const left = this.#steps[story];
    const [isNew, last] = [this.#isTextNew, this.#last];
    this.#isTextNew = false;
    this.#last = replay.steps;
    if (left === null) return tellingStep(replay);
    if (isNew && this.#goesOn) return left > 0 && left < last ? left : replay.steps;
    return isNew ? Math.min(0, left) : left;
  }
}
