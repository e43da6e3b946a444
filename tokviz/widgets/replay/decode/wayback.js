/**
 * The way back, from numbers to text, on the player's stage: its position, its controls, and beside the stage how many of
 * the numbers are decoded, and what they say.
 */

import { button, element, fill, playButton, plural, range } from "../../shared/dom/elements.js";
import { withSigns } from "../../shared/text/invisibles.js";
import { tokensAt } from "../model/replay.js";
import { Player } from "../player/player.js";
import { icon } from "../player/timeline.js";
import { shownAs } from "./lookup.js";
import { canUnmerge, decodingAt, decodingCaption, lastPosition, readRuns } from "./unmerging.js";

/** @typedef {import("../model/replay.js").Replay} Replay */

const ABOUT = "Programs don't undo merges. They keep a list of each token's bytes, and put these in a row: the same bytes.";

export class WayBack {
  /** @type {Replay | null} */
  #replay = null;
  #isOn = false;
  #count = 1;
  #player;
  #play = playButton(() => this.#player.toggle());
  #counter = element("span", { class: "counter" });
  #track = range("Stage of decoding", (position) => this.#player.seek(position), { class: "step-track" });
  #cut = range("How many of the numbers", (count) => this.#setCount(count), { min: 1 });
  #cutLabel = element("span", {});
  #result = element("p", { class: "decoded token-text", dir: "auto" });

  /**
   * @param {import("../player/player.js").Speed} speed
   * @param {object} on
   * @param {(animated: boolean) => void} on.moved called when another position is to be shown
   * @param {() => void} on.close
   */
  constructor(speed, { moved, close }) {
    this.#player = new Player(speed, {
      moved: (animated) => (this.#showPosition(), moved(animated)),
      stops: () => false,
      playing: (isPlaying) => this.#play.show(isPlaying),
      paused: () => {},
    });
    const act = this.#player;
    this.controls = element(
      "div",
      { class: "timeline way-back" },
      element(
        "div",
        { class: "row controls" },
        icon("⏮", "The numbers", () => act.seek(0)),
        icon("◀", "Back", () => act.back()),
        this.#play.node,
        icon("▶|", "Next", () => act.next(), { class: "button next-step" }),
        icon("⏭", "The text", () => act.seek(Infinity)),
        this.#counter,
        button("back to the merges", close),
      ),
      this.#track,
    );
    this.node = element(
      "section",
      { class: "beside way-back", "aria-label": "Decode", tabindex: 0 },
      element("label", { class: "cut" }, this.#cutLabel, this.#cut),
      this.#result,
      element("p", { class: "note" }, ABOUT),
    );
  }

  /** True while it has the stage. */
  get isOn() {
    return this.#isOn;
  }

  /** Steps and seeks among its positions. */
  get player() {
    return this.#player;
  }

  /** @param {Replay} replay */
  load(replay) {
    this.#replay = replay;
    this.#isOn = false;
    this.#player.pause();
    if (!canUnmerge(replay)) return;
    this.#count = replay.tokenCounts[replay.steps];
    this.#cut.max = String(this.#count);
    this.#cut.value = String(this.#count);
  }

  /** Take the stage, with the numbers, or leave it. @param {boolean} isOn */
  turn(isOn) {
    if (!this.#replay || !canUnmerge(this.#replay)) return;
    this.#player.pause();
    this.#isOn = isOn;
    if (isOn) this.#restart(0);
  }

  /** What the stage shows, and the sentence above it. @returns {{decoding: import("./unmerging.js").Decoding, caption: string}} */
  get view() {
    const [replay, position] = [/** @type {Replay} */ (this.#replay), this.#player.position];
    return { decoding: decodingAt(replay, position, this.#count), caption: decodingCaption(replay, position, this.#count) };
  }

  /** Leave out the numbers after the token that has a symbol; or none of them, if it is the last one already. @param {number} symbol */
  cutAfter(symbol) {
    if (!this.#replay) return;
    const tokens = tokensAt(this.#replay, this.#replay.steps);
    const count = tokens.filter(({ start }) => start <= symbol).length;
    this.#setCount(count === this.#count ? tokens.length : count);
    this.#cut.value = String(this.#count);
  }

  dispose() {
    this.#player.dispose();
  }

  /** Decode only the first of the numbers; what was read stays read. @param {number} count */
  #setCount(count) {
    if (!this.#replay) return;
    const isRead = this.#player.position === lastPosition(this.#replay, this.#count);
    this.#count = count;
    this.#restart(isRead ? Infinity : this.#player.position);
  }

  /** @param {number} position */
  #restart(position) {
    const last = lastPosition(/** @type {Replay} */ (this.#replay), this.#count);
    this.#track.max = String(last);
    this.#player.load(0, last, position);
  }

  #showPosition() {
    const replay = /** @type {Replay} */ (this.#replay);
    const { position } = this.#player;
    const all = replay.tokenCounts[replay.steps];
    this.#track.value = String(position);
    fill(this.#counter, `${position} of ${lastPosition(replay, this.#count)}`);
    fill(this.#cutLabel, this.#count === all ? `All ${plural(all, "number")}: leave out the last ones` : `The first ${this.#count} of ${plural(all, "number")}`);
    const decoding = decodingAt(replay, position, this.#count);
    const runs = decoding.shown === "text" ? readRuns(replay, decoding) : [];
    fill(this.#result, ...runs.map(({ text, part }) => (part ? element("span", { class: "broken" }, shownAs(text)) : withSigns(text))));
  }
}
