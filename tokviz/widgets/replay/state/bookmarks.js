/**
 * The position at which each story opens: where it was left; or with another text, the telling step, or the beginning.
 */

import { tellingStep } from "../model/telling.js";

/** @typedef {import("./choices.js").Story} Story */
/** @typedef {Record<Story, number | null>} Steps null: at the telling step */
/** @typedef {import("../model/telling.js").Merges} Merges */

export class Bookmarks {
  #steps;
  /** True when the text changed after the replay on screen was loaded. */
  #isTextNew = false;

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

  /** The next replay is of another text. */
  changeText() {
    this.#isTextNew = true;
  }

  /**
   * Open a replay: a new text before its first merge, or at the scene before it that was on screen.
   *
   * @param {Story} story
   * @param {Merges} replay
   */
  open(story, replay) {
    const left = this.#steps[story];
    const isNew = this.#isTextNew;
    this.#isTextNew = false;
    if (left === null) return tellingStep(replay);
    return isNew ? Math.min(0, left) : left;
  }
}
