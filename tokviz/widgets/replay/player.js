/**
 * Playback clock: steps forward at a chosen speed, and stops at the end.
 */

/** @typedef {"0.5" | "1" | "2" | "4" | "16" | "60" | "all"} Speed steps per second, or all steps in ALL_IN_SECONDS */

const ALL_IN_SECONDS = 20;
/** Maximum steps per second at which merges are animated; faster merges could not be seen. */
const MAX_ANIMATED = 2;
/** Maximum steps per second at which captions can be read. */
const MAX_READABLE = 1;

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

/**
 * @param {object} on
 * @param {(k: number, animated: boolean) => void} on.step show this position
 * @param {(k: number) => boolean} on.stops true if this position must not be skipped
 * @param {(playing: boolean) => void} on.playing called when playback starts or stops
 */
export function createPlayer(on) {
  let first = 0;
  let last = 0;
  let position = 0;
  /** @type {Speed} */
  let speed = "1";
  let playing = false;
  let frame = 0;
  let lastTime = 0;
  /** Steps due; the fraction is carried over to the next frame. */
  let due = 0;

  const rate = () => (speed === "all" ? Math.max(1, (last - first) / ALL_IN_SECONDS) : Number(speed));

  /** @param {number} now */
  function tick(now) {
    due += (rate() * Math.min(now - lastTime, 250)) / 1000;
    lastTime = now;
    const steps = Math.floor(due);
    if (steps) {
      due -= steps;
      position = Math.min(last, position + 1);
      for (let more = steps - 1; more > 0 && position < last && !on.stops(position); more--) position++;
      on.step(position, isSlow());
    }
    if (position === last) pause();
    if (playing) frame = requestAnimationFrame(tick);
  }

  function play() {
    if (playing || first === last) return;
    if (position === last) seek(first);
    playing = true;
    lastTime = performance.now();
    due = isSlow() ? 0.6 : 0;
    on.playing(true);
    frame = requestAnimationFrame(tick);
  }

  function pause() {
    if (!playing) return;
    playing = false;
    cancelAnimationFrame(frame);
    on.playing(false);
  }

  function isSlow() {
    return rate() <= MAX_ANIMATED;
  }

  /** @param {number} k */
  function seek(k) {
    position = Math.max(first, Math.min(last, k));
    due = 0;
    on.step(position, false);
  }

  return {
    play,
    pause,
    seek,
    toggle: () => (playing ? pause() : play()),
    next() {
      if (position < last) on.step(++position, isSlow() || !playing);
      due = 0;
    },
    back: () => seek(position - 1),
    isPlaying: () => playing,
    isSlow,
    /** True if steps follow each other too fast to read their captions. */
    isFast: () => rate() > MAX_READABLE,
    position: () => position,
    /** @param {Speed} chosen */
    setSpeed(chosen) {
      speed = chosen;
      due = 0;
    },
    /**
     * Load another replay, with positions `start` to `end`, and seek to `at`.
     *
     * @param {number} start
     * @param {number} end
     * @param {number} at
     */
    load(start, end, at) {
      pause();
      [first, last] = [start, end];
      seek(at);
    },
    dispose: pause,
  };
}
