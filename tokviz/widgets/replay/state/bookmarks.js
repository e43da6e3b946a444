/**
 * The position at which each story opens: where it was left, which may be the end; or with another text, the telling step,
 * the beginning, or while a training text is typed, all of its merges.
 */

/** @typedef {import("./choices.js").Story} Story */
/** @typedef {Record<Story, number | null>} Steps null: at the telling step */
/** @typedef {Pick<import("../model/replay.js").Replay, "steps" | "lefts" | "rights" | "newIds">} Merges */

export class Bookmarks {
  #steps;
  /** True when the text changed after the replay on screen was loaded. */
  #isTextNew = false;
  /** True if the text is being typed, and its merges are watched meanwhile. */
  #goesOn = false;
  /** Numbers of steps of the replays that were on screen last. @type {Record<Story, number>} */
  #lasts = { apply: 0, learn: 0 };

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
    const [isNew, last] = [this.#isTextNew, this.#lasts[story]];
    this.#isTextNew = false;
    this.#lasts[story] = replay.steps;
    if (left === null) return tellingStep(replay);
    if (isNew && this.#goesOn) return left > 0 && left < last ? left : replay.steps;
    if (isNew) return Math.min(0, left);
    return left > 0 && left === last ? replay.steps : left;
  }
}

/**
 * Return the position before a merge whose parts were both made by merges, the nearest to the middle; or else before
 * one of which one part was made; or else the middle.
 *
 * @param {Merges} replay
 */
export function tellingStep({ steps, lefts, rights, newIds }) {
  const middle = Math.floor(steps / 2);
  const made = new Set();
  let [best, most] = [middle, 0];
  for (let k = 0; k < steps; k++) {
    const parts = Number(made.has(lefts[k])) + Number(made.has(rights[k]));
    const isNearer = Math.abs(k - middle) < Math.abs(best - middle);
    if (parts > most || (parts === most && parts && isNearer)) [best, most] = [k, parts];
    made.add(newIds[k]);
  }
  return best;
}
