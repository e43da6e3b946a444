/**
 * The slider of the merges that a tokenizer knows, from none to all, with a tick where the text changes, and the sentence
 * on the newest of them. Arrow keys go from change to change; a button plays all of them in three seconds, or, if the
 * reader wants no motion, in steps. A page takes the parts that it has room for.
 */

import { element, fill, isStill, number, playButton, range } from "../shared/dom/elements.js";
import { createTicks } from "../shared/dom/svg.js";
import { changeFrom } from "./model.js";
import { mergesAt, placeOf } from "./scale.js";
import { sayNewest, sayPlace, spokenOf } from "./wording.js";

/** @typedef {import("./seeking.js").Seeking} Seeking */
/** @typedef {import("./model.js").Seek} Seek */

const WATCH_MS = 3000;
/** Pause between two steps of the film without motion, and how many it has at most. */
const [STEP_MS, MOST_STEPS] = [600, 60];
/** After the film, a press that was to stop it doesn't begin it again. */
const LATE_MS = 700;
/** Changes that a page key passes. */
const PAGE = 10;
/** From so near a tick, as a share of the scale, a press or a drag goes to it. */
const NEAR = 0.012;
/** Changes that a key passes. @type {Record<string, number>} */
const KEYS = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: PAGE, PageDown: -PAGE, Home: -Infinity, End: Infinity };

export class MergeSlider {
  /** @type {Seeking | null} */
  #seeking = null;
  #k = 0;
  /** Ends the film that is played. @type {(() => void) | null} */
  #end = null;
  /** When it has ended by itself, in milliseconds. */
  #endedAt = -Infinity;
  /** Whether they are played as soon as they are known. */
  #isAwaited = false;
  /** Whether the slider was moved before they were known. */
  #isMoved = false;
  #on;
  #number = element("b", {}, "all");
  #ticks = createTicks();
  #track = range("Merges known", () => this.#drag(), { class: "track", max: 1, step: "any", keydown: (/** @type {KeyboardEvent} */ event) => this.#handleKey(event) });
  #play = playButton(() => this.#press());

  /**
   * @param {object} on
   * @param {(k: number) => void} on.seek the reader has chosen a number of merges
   * @param {() => void} on.watch the reader wants to see them, with `load` if they are not known yet
   */
  constructor(on) {
    this.#on = on;
    /** Plays the merges that are not known yet, or from none on. */
    this.play = this.#play.node;
    /** The track with its ticks. */
    this.rail = element("div", { class: "rail" }, this.#track, this.#ticks.node);
    /** The sentence on the newest merge. */
    this.newest = element("p", { class: "newest-join" });
    /** How many merges are known, in a few words. */
    this.known = element("p", { class: "known" }, this.#number, " merges known");
  }

  /** @param {Seeking} seeking of the text shown @param {number} k */
  load(seeking, k) {
    this.#seeking = seeking;
    const { changes, merges } = seeking.seek;
    this.#track.ariaBusy = null;
    this.#ticks.draw(Array.from(changes, (change) => placeOf(change, merges)));
    if (this.#isMoved) this.#drag();
    else this.show(k);
    if (this.#isAwaited) this.#begin();
    this.#isAwaited = this.#isMoved = false;
  }

  /** Other merges are on their way; ticks stay until they come, lest they flicker while somebody types. */
  wait() {
    this.#stop();
    this.#seeking = null;
    this.#isAwaited = this.#isMoved = false;
    this.#track.value = "1";
    this.#track.ariaBusy = "true";
    this.#ticks.pass(1);
  }

  /** Forget the text: all merges are known, however many. */
  unload() {
    this.wait();
    this.#track.ariaBusy = null;
    this.#ticks.draw([]);
    fill(this.#number, "all");
    fill(this.newest);
  }

  /** Show that the text is under the first k merges. @param {number} k */
  show(k) {
    this.#k = k;
    if (!this.#seeking) return;
    const { seek, bytes } = this.#seeking;
    const place = placeOf(k, seek.merges);
    this.#track.value = String(place);
    this.#ticks.pass(place);
    const parts = sayNewest(seek, bytes, k);
    const [before, ...rest] = parts.map((part) => (typeof part === "string" ? part : this.#chip(part)));
    const isJoin = rest.length > 2;
    fill(this.#number, number(k));
    fill(this.newest, before, isJoin && element("span", { class: "both-parts" }, ...rest.slice(0, 3)), ...(isJoin ? rest.slice(3) : rest));
    this.#track.setAttribute("aria-valuetext", `${sayPlace(k, seek.merges, this.#seeking.at(k).n)} ${spokenOf(parts)}`);
  }

  /** @param {import("./wording.js").Chip} part */
  #chip({ name, symbol }) {
    return element("code", { class: `chip tint-${this.#seeking?.tintOf(symbol)}` }, element("bdi", {}, name));
  }

  // Moving

  /** Move to a number of merges. @param {number} k */
  seek(k) {
    this.#stop();
    this.#go(k);
  }

  #drag() {
    this.#stop();
    if (this.#seeking) return this.#go(nearest(this.#seeking.seek, Number(this.#track.value)));
    this.#isMoved = true;
    this.#on.watch();
  }

  /** @param {KeyboardEvent} event */
  #handleKey(event) {
    const by = KEYS[event.key];
    if (by !== undefined && !this.#seeking) this.#on.watch();
    if (by === undefined || !this.#seeking || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.#step(by);
  }

  /** Go on to the next change, or to one before. @param {number} by see `changeFrom` */
  #step(by) {
    if (this.#seeking) this.seek(changeFrom(this.#seeking.seek, this.#k, by));
  }

  /** @param {number} k */
  #go(k) {
    this.#on.seek(k); // first, because it measures: after a change, the browser would have to lay out the page for that
    this.show(k);
  }

  #press() {
    this.#on.watch();
    if (this.#end) this.#stop();
    else if (performance.now() < this.#endedAt + LATE_MS) return;
    else if (this.#seeking) this.#begin();
    else this.#isAwaited = true;
  }

  /** Play from where the slider stands; from the end, begin again. */
  #begin() {
    this.#stop();
    const seek = this.#seeking?.seek;
    if (!seek) return;
    const from = this.#k === seek.merges ? 0 : this.#k;
    this.#play.show(true);
    this.#end = isStill() ? this.#playSteps(seek, from) : this.#playFilm(seek, placeOf(from, seek.merges));
  }

  /** @param {Seek} seek @param {number} from a place of the scale @returns {() => void} what ends it */
  #playFilm({ merges }, from) {
    /** @type {number | null} */
    let begin = null;
    const frame = (/** @type {number} */ now) => {
      const isFirst = begin === null;
      begin ??= now;
      const share = Math.min(1, from + (now - begin) / WATCH_MS);
      this.#go(mergesAt(share, merges));
      if (isFirst) this.#bringIntoSight(); // now that the text is as long as it gets
      if (share < 1) playing = requestAnimationFrame(frame);
      else this.#finish();
    };
    let playing = requestAnimationFrame(frame);
    return () => cancelAnimationFrame(playing);
  }

  /** Go from change to change, or by several of them in a long text. @param {Seek} seek @param {number} from @returns {() => void} what ends it */
  #playSteps(seek, from) {
    const by = Math.max(1, Math.ceil(seek.changes.length / MOST_STEPS));
    this.#go(from);
    this.#bringIntoSight();
    const playing = setInterval(() => {
      this.#go(changeFrom(seek, this.#k, by));
      if (this.#k === seek.merges) this.#finish();
    }, STEP_MS);
    return () => clearInterval(playing);
  }

  /** Scroll as little as shows the slider, which on a phone may be below the screen. */
  #bringIntoSight() {
    this.rail.scrollIntoView({ block: "nearest" });
  }

  #finish() {
    this.#stop();
    this.#endedAt = performance.now();
  }

  #stop() {
    this.#end?.();
    this.#end = null;
    this.#play.show(false);
  }
}

/** The number of merges at a place of the scale, or that of the tick beside it. @param {Seek} seek @param {number} place */
function nearest(seek, place) {
  const k = mergesAt(place, seek.merges);
  const far = (/** @type {number} */ other) => Math.abs(placeOf(other, seek.merges) - place);
  const [before, after] = [changeFrom(seek, k + 1, -1), changeFrom(seek, k, 1)];
  const near = far(before) < far(after) ? before : after;
  return far(near) < NEAR ? near : k;
}
