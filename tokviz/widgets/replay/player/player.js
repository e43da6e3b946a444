/**
 * The player's clock and position: it steps forward at a chosen speed, and stops at the end.
 */

/** @typedef {"0.5" | "1" | "2" | "4" | "16" | "60" | "all"} Speed steps per second, or all steps in ALL_IN_SECONDS */

const ALL_IN_SECONDS = 20;
/** Maximum steps per second at which merges are animated; faster merges could not be seen. */
const MAX_ANIMATED = 2;
/** Maximum steps per second at which captions can be read. */
const MAX_READABLE = 1;
/** Steps due when slow playback starts, so that the first does not take as long as the others. */
const FIRST_DUE = 0.6;
/** Maximum time between two frames that counts; the browser pauses frames while a tab is hidden. */
const MAX_FRAME_MS = 250;

/** @type {[Speed, string][]} */
export const SPEEDS = [
  ["0.5", "slow"],
  ["1", "normal"],
  ["2", "2 a second"],
  ["4", "4 a second"],
  ["16", "16 a second"],
  ["60", "60 a second"],
  ["all", `all in ${ALL_IN_SECONDS} s`],
];

export class Player {
  #on;
  #first = 0;
  #last = 0;
  #position = 0;
  /** @type {Speed} */
  #speed;
  #isPlaying = false;
  #frame = 0;
  #lastTime = 0;
  /** Steps due; the fraction is carried over to the next frame. */
  #due = 0;

  /**
   * @param {Speed} speed
   * @param {object} on
   * @param {(animated: boolean) => void} on.moved show the new position; `animated` only if it is the next one
   * @param {(k: number) => boolean} on.stops true if playback stops at this position
   * @param {(playing: boolean) => void} on.playing called when playback starts or stops
   * @param {() => void} on.paused called when playback ends at a position that is already shown
   */
  constructor(speed, on) {
    this.#speed = speed;
    this.#on = on;
  }

  get position() {
    return this.#position;
  }

  /** True at the last position. */
  get isAtEnd() {
    return this.#position === this.#last;
  }

  get isPlaying() {
    return this.#isPlaying;
  }

  /** True if steps are slow enough to be animated. */
  get isSlow() {
    return this.#rate() <= MAX_ANIMATED;
  }

  /** True if steps follow each other too fast to read their captions. */
  get isFast() {
    return this.#rate() > MAX_READABLE;
  }

  /**
   * Load another replay, with positions `first` to `last`, and seek to `at`.
   *
   * @param {number} first
   * @param {number} last
   * @param {number} at
   */
  load(first, last, at) {
    this.#stop();
    [this.#first, this.#last] = [first, last];
    this.seek(at);
  }

  /** @param {Speed} speed */
  setSpeed(speed) {
    this.#speed = speed;
    this.#due = 0;
  }

  play() {
    if (this.#isPlaying || this.#first === this.#last) return;
    if (this.#position === this.#last) this.seek(this.#first);
    this.#isPlaying = true;
    this.#lastTime = performance.now();
    this.#due = this.isSlow ? FIRST_DUE : 0;
    this.#on.playing(true);
    this.#frame = requestAnimationFrame(this.#tick);
  }

  pause() {
    if (!this.#isPlaying) return;
    this.#stop();
    this.#on.paused();
  }

  toggle() {
    if (this.#isPlaying) this.pause();
    else this.play();
  }

  next() {
    if (this.#position < this.#last) {
      this.#position++;
      this.#move(this.isSlow || !this.#isPlaying);
    }
    this.#due = 0;
  }

  back() {
    this.seek(this.#position - 1);
  }

  /** @param {number} k the nearest position that exists is taken */
  seek(k) {
    this.#position = Math.max(this.#first, Math.min(this.#last, k));
    this.#due = 0;
    this.#move(false);
  }

  dispose() {
    this.#stop();
  }

  /** Steps per second. */
  #rate() {
    return this.#speed === "all" ? Math.max(1, (this.#last - this.#first) / ALL_IN_SECONDS) : Number(this.#speed);
  }

  #tick = (/** @type {number} */ now) => {
    this.#due += (this.#rate() * Math.min(now - this.#lastTime, MAX_FRAME_MS)) / 1000;
    this.#lastTime = now;
    const steps = Math.floor(this.#due);
    this.#due -= steps;
    if (steps && this.#position < this.#last) this.#advance(steps);
    if (this.#position === this.#last) this.pause();
    if (this.#isPlaying) this.#frame = requestAnimationFrame(this.#tick);
  };

  /** Go forward, to the end or to a position where playback stops at most. @param {number} steps */
  #advance(steps) {
    const end = Math.min(this.#last, this.#position + steps);
    do this.#position++;
    while (this.#position < end && !this.#on.stops(this.#position));
    this.#move(this.isSlow); // slow steps come one at a time
  }

  /** Show the position. Playback that ends here stops first, so that nothing is left out for speed. @param {boolean} animated */
  #move(animated) {
    if (this.#isPlaying && this.#on.stops(this.#position)) this.#stop();
    this.#on.moved(animated);
  }

  #stop() {
    if (!this.#isPlaying) return;
    this.#isPlaying = false;
    cancelAnimationFrame(this.#frame);
    this.#on.playing(false);
  }
}
