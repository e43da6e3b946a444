/**
 * The slider of the merges that a tokenizer knows, from none to all, with a tick where the text changes, and the sentence
 * on the newest of them. Arrow keys go from change to change; a button plays all of them in three seconds.
 */

import { button, element, fill, number } from "../shared/dom/elements.js";
import { svg } from "../shared/dom/svg.js";
import { changeFrom } from "./model.js";
import { marksOf, mergesAt, placeOf } from "./scale.js";
import { sayNewest, sayPlace, sayQuestion, spokenOf } from "./wording.js";

/** @typedef {import("./seeking.js").Seeking} Seeking */

const WATCH_MS = 3000;
const WATCH = "Watch it learn";
/** Changes that a page key passes. */
const PAGE = 10;
/** Ticks are drawn at this many places of the scale. */
const RESOLUTION = 1000;
/** Changes that a key passes. @type {Record<string, number>} */
const KEYS = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: PAGE, PageDown: -PAGE, Home: -Infinity, End: Infinity };

export class MergeSlider {
  /** @type {Seeking | null} */
  #seeking = null;
  #k = 0;
  #frame = 0;
  /** Whether they are played as soon as they are known. */
  #isAwaited = false;
  #on;
  #question = element("span", {}, sayQuestion(null));
  #says = element("p", { class: "newest" });
  #ticks = svg("path", {});
  #passed = svg("path", {});
  #track = element("input", { type: "range", class: "track", min: 0, max: 1, step: "any", "aria-label": "Merges known", input: () => this.#drag(), keydown: (/** @type {KeyboardEvent} */ event) => this.#handleKey(event) });
  #marks = element("div", { class: "marks", "aria-hidden": "true" });

  /**
   * @param {object} on
   * @param {(k: number) => void} on.seek the reader has chosen a number of merges
   * @param {() => void} on.watch the reader wants to see all of them, with `load` if they are not known yet
   */
  constructor(on) {
    this.#on = on;
    /** The question that is asked. */
    this.title = element("span", { class: "what-if" }, this.#question);
    /** Plays all merges from none on, or stops. */
    this.watch = button(WATCH, () => this.#press(), { class: "button watch" });
    const drawing = svg("svg", { viewBox: `0 0 ${RESOLUTION} 1`, preserveAspectRatio: "none" });
    this.#passed.classList.add("passed");
    drawing.append(this.#ticks, this.#passed);
    this.node = element(
      "div",
      { class: "merge-slider" },
      this.#says,
      element("div", { class: "rail" }, element("div", { class: "changes", "aria-hidden": "true" }, drawing), this.#track, this.#marks),
    );
  }

  /** @param {Seeking} seeking of the text shown @param {number} k */
  load(seeking, k) {
    this.#seeking = seeking;
    const { changes, merges } = seeking.seek;
    const places = new Set(Array.from(changes, (change) => Math.round(RESOLUTION * placeOf(change, merges))));
    const path = Array.from(places, (place) => `M${place} 0V1`).join("");
    for (const ticks of [this.#ticks, this.#passed]) ticks.setAttribute("d", path);
    fill(this.#marks, ...marksOf(merges).map((mark) => this.#mark(mark, merges)));
    this.title.dataset.longest = sayQuestion(Math.max(0, merges - 1), merges);
    this.show(k);
    if (this.#isAwaited) this.#play();
    this.#isAwaited = false;
  }

  /** Forget the text. */
  unload() {
    this.#stop();
    this.#seeking = null;
    this.#isAwaited = false;
    fill(this.#question, sayQuestion(null));
    delete this.title.dataset.longest;
  }

  /** @param {number} mark @param {number} merges */
  #mark(mark, merges) {
    const node = element("span", {}, number(mark));
    node.style.left = `${(100 * placeOf(mark, merges)).toFixed(2)}%`;
    return node;
  }

  /** Show that the text is under the first k merges. @param {number} k */
  show(k) {
    this.#k = k;
    if (!this.#seeking) return;
    const { seek, bytes } = this.#seeking;
    const place = placeOf(k, seek.merges);
    this.#track.value = String(place);
    for (const passed of [this.#passed, this.#track]) passed.style.setProperty("--place", `${(100 * place).toFixed(2)}%`);
    const parts = sayNewest(seek, bytes, k);
    fill(this.#says, ...parts.map((part) => (typeof part === "string" ? part : this.#chip(part))));
    fill(this.#question, sayQuestion(k, seek.merges));
    this.#track.setAttribute("aria-valuetext", `${sayPlace(k, seek.merges, this.#seeking.at(k).n)} ${spokenOf(parts)}`);
  }

  /** @param {import("./wording.js").Chip} part */
  #chip({ name, symbol }) {
    return element("code", { class: `part tint-${this.#seeking?.tintOf(symbol)}` }, element("bdi", {}, name));
  }

  // Moving

  /** Move to a number of merges. @param {number} k */
  seek(k) {
    this.#stop();
    this.#go(k);
  }

  #drag() {
    this.#stop();
    if (this.#seeking) this.#go(mergesAt(Number(this.#track.value), this.#seeking.seek.merges));
  }

  /** @param {KeyboardEvent} event */
  #handleKey(event) {
    const by = KEYS[event.key];
    if (by === undefined || !this.#seeking || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.#stop();
    this.#go(changeFrom(this.#seeking.seek, this.#k, by));
  }

  /** @param {number} k */
  #go(k) {
    this.#on.seek(k); // first, because it measures: after a change, the browser would have to lay out the page for that
    this.show(k);
  }

  #press() {
    this.#on.watch();
    if (this.#frame) this.#stop();
    else if (this.#seeking) this.#play();
    else this.#isAwaited = true;
  }

  /** Play all merges from none on; at once, if the reader wants no motion. */
  #play() {
    this.#stop();
    const merges = this.#seeking?.seek.merges;
    if (merges === undefined) return;
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
      this.#go(merges);
      return this.#bringIntoSight();
    }
    this.#showPlaying(true);
    /** @type {number | null} */
    let begin = null;
    const frame = (/** @type {number} */ now) => {
      const isFirst = begin === null;
      begin ??= now;
      const share = Math.min(1, (now - begin) / WATCH_MS);
      this.#frame = share < 1 ? requestAnimationFrame(frame) : 0;
      this.#go(mergesAt(share, merges));
      if (isFirst) this.#bringIntoSight(); // now that the text is as long as it gets
      if (!this.#frame) this.#showPlaying(false);
    };
    this.#frame = requestAnimationFrame(frame);
  }

  /** Scroll as little as shows the slider, which on a phone may be below the screen. */
  #bringIntoSight() {
    this.node.scrollIntoView({ block: "nearest" });
  }

  #stop() {
    if (!this.#frame) return;
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#showPlaying(false);
  }

  /** @param {boolean} isPlaying */
  #showPlaying(isPlaying) {
    fill(this.watch, isPlaying ? "Stop" : WATCH);
  }
}
