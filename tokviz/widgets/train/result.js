/**
 * The result of a training: the reader's text before and after, at any merge between; its first words as towers; how
 * well it compresses; and what its vocabulary holds.
 */

import { button, debounce, element, fill, headOf, isStill, number, playButton, plural, range, rowOf } from "../shared/dom/elements.js";
import { createLegend } from "../replay/explain/legend.js";
import { makeReplay, tintsOf, tokensAt } from "../replay/model/replay.js";
import { Stage } from "../replay/stage/stage.js";
import { firstIndex } from "../shared/text/tokenization.js";
import { tokensAfter } from "./picture.js";
import { ratio, sayApart, sayMeasured, saySize, sayStopped } from "./wording.js";

/** @typedef {import("../replay/model/replay.js").Replay} Replay */

/** Maximum code points of the text that stand as towers. */
const MAX_TOWER = 50;
/** Few merges are played one by one; of more, the last are shown in ever larger steps. */
const [FEW, EACH_MS, PLAY_MS] = [60, 320, 2200];
/** Pause before playing, in which the text is seen as it was. */
const PAUSE_MS = 700;
const MERGES_AFTER_MS = 120;
/** Rows of the vocabulary that are asked for at a time. */
const ROWS = 100;
/** Number of merges shown. */
const NEWEST = 12;

/** Steps of a replay that the first merges of a vocabulary take. @param {Replay} replay @param {number} merges */
export const stepsAfter = ({ ranks }, merges) => firstIndex(ranks.length, (step) => ranks[step] >= merges);

/** Ids, lengths in bytes, and tints of the tokens after k steps. @param {Replay} replay @param {number} k @param {Uint8Array} tints by first symbols */
export function tokenColumns(replay, k, tints) {
  const tokens = tokensAt(replay, k);
  const lengths = tokens.map(({ start, end }) => replay.byteOffsets[end] - replay.byteOffsets[start]);
  return { ids: Int32Array.from(tokens, ({ id }) => id), lengths: Int32Array.from(lengths), tints: Uint8Array.from(tokens, ({ start }) => tints[start]) };
}

/** The token that the last merge made, if it made one in this text. @param {Replay} replay @param {number} k steps @param {number} at merges */
export function newestOf(replay, k, at) {
  return k && replay.ranks[k - 1] === at - 1 ? replay.newIds[k - 1] : null;
}

/** The first words of a text. @param {string} text */
export function firstWords(text) {
  const start = [...text].slice(0, MAX_TOWER).join("");
  if (start.length === text.length) return text;
  const end = Math.max(start.lastIndexOf(" "), start.lastIndexOf("\n"));
  return end > 0 ? start.slice(0, end) : start;
}

/**
 * Tokens of the text that was learned from after some merges, and what they are counted from; null if that isn't known.
 *
 * @param {{merges: number, left: number[] | null, units: string, glimpse: import("./run.js").Glimpse | null, learned: import("./wording.js").Packed[]}} shown
 * @param {number} at merges
 * @returns {{tokens: number, isExact: boolean, from: string} | null}
 */
export function countedAt({ merges, left, glimpse, units, learned: [own] }, at) {
  const from = own?.tokens ? plural(own.bytes, "byte") : glimpse ? plural(glimpse.curve[0][1], units.replace(/s$/, "")) : "";
  if (at === merges && own?.tokens) return { tokens: own.tokens, isExact: true, from };
  if (!glimpse) return null;
  // Special tokens take no part in merges, and so are not on the curve.
  const special = own?.tokens ? own.tokens - tokensAfter(glimpse.curve, merges) : 0;
  const isExact = left !== null || glimpse.curve.some(([each]) => each === at);
  return { tokens: (left?.[at] ?? tokensAfter(glimpse.curve, at)) + special, isExact, from };
}

export class Result {
  #client;
  #picture;
  /** @type {any} */
  #shown = null;
  /** Replays of the text, with its tints, and of its first words. @type {{text: Replay, tints: Uint8Array, words: Replay} | null} */
  #replays = null;
  /** Merges by the first of each `ROWS`, as far as they were asked for. @type {Map<number, Promise<any[]>>} */
  #learned = new Map();
  #legend = createLegend(["number", "id"]);
  #stage = new Stage({ select() {}, pick: (block) => this.#seekTo(block), window() {}, drawn: this.#legend.show });
  #slider = range("Merges learned", () => (this.#stop(), this.#draw()));
  #playing = playButton(() => (this.#frame ? this.#stop() : this.#play()));
  #at = element("output", {});
  #total = element("p", { class: "total" });
  #apart = element("p", { class: "quiet apart" });
  #facts = element("div", { class: "facts" });
  #tower = element("div", { class: "replay tower-box" }, element("div", { class: "row" }, element("h3", {}, "How its first words grow"), this.#legend.node), this.#stage.node);
  #last;
  /** What moves through the merges. @type {HTMLElement[]} */
  #moving;
  #frame = 0;
  /** Number of the newest tokenizer; the replays of an earlier one that come late are not shown. */
  #newest = 0;
  #mergesLater = debounce(() => void this.#showMerges(), MERGES_AFTER_MS);

  /** @param {import("../shared/net/client.js").Client} client @param {import("./picture.js").Picture} picture */
  constructor(client, picture) {
    this.#client = client;
    this.#picture = picture;
    this.#last = button("", () => this.#seek(Infinity), { "aria-label": "After the last merge" });
    const ends = element("div", { class: "ends" }, button("0", () => this.#seek(0), { "aria-label": "Before the first merge" }), this.#last);
    picture.track.prepend(this.#playing.node);
    picture.rail.append(this.#slider, ends);
    picture.track.append(this.#at);
    this.#moving = [this.#playing, this.#slider, ends, this.#at];
    this.head = element("div", { class: "sums", hidden: true }, this.#total, this.#apart);
    this.node = element("div", { class: "result", hidden: true }, this.#facts);
    this.towers = this.#tower;
    this.#tower.hidden = true;
  }

  /**
   * Show a tokenizer. Rejects as requests do.
   *
   * @param {string} name @param {any} found the server's answer @param {string} text of the reader, for a tokenizer whose own is not known
   * @param {boolean} plays
   */
  async show(name, found, text, plays) {
    const newest = ++this.#newest;
    const piece = found.glimpse?.piece || text.slice(0, 600);
    const query = { tokenizer: name, order: "rank", special: Boolean(found.special) };
    const replayed = (/** @type {string} */ of) => this.#client.columns("replay", query, of).then(makeReplay).catch(() => null);
    const [whole, words] = await Promise.all([piece, firstWords(piece)].map(replayed));
    if (newest !== this.#newest) return;
    this.#shown = { name, ...found };
    this.#learned.clear();
    this.#replays = whole && words && whole.meta.order === "rank" ? { text: whole, tints: tintsOf(whole), words } : null;
    this.head.hidden = this.node.hidden = false;
    this.#tower.hidden = this.#replays === null;
    this.#slider.max = String(found.merges);
    this.#slider.value = String(found.merges);
    fill(this.#last, number(found.merges));
    this.#offerMoving(this.#replays !== null && found.merges > 0);
    this.#showFacts();
    if (plays && found.merges && this.#replays && !isStill()) this.#play(PAUSE_MS);
    else this.#draw();
  }

  hide() {
    this.#leave();
    this.head.hidden = this.node.hidden = this.#tower.hidden = true;
    this.#offerMoving(false);
    this.#shown = null;
  }

  /** @param {boolean} isOffered */
  #offerMoving(isOffered) {
    for (const node of this.#moving) node.hidden = !isOffered;
  }

  dispose() {
    this.#leave();
    this.#stage.dispose();
  }

  /** Play no more, and wait for no answer. */
  #leave() {
    this.#newest++;
    this.#stop();
    this.#mergesLater.cancel();
  }

  /** @param {number} merges */
  #seek(merges) {
    this.#stop();
    this.#slider.value = String(Math.min(merges, Number(this.#slider.max)));
    this.#draw();
  }

  /** Go to the merge that makes a block of the tower. @param {import("../replay/tower/tower.js").Block} block */
  #seekTo({ step }) {
    if (this.#replays) this.#seek(step < 0 ? 0 : this.#replays.words.ranks[step] + 1);
  }

  /** Go from the slider's place to the end; from the end, begin again. @param {number} [pause] before it, in ms */
  #play(pause = 0) {
    const last = Number(this.#slider.max);
    const [duration, power] = last <= FEW ? [last * EACH_MS, 1] : [PLAY_MS, 2]; // the first merges change the most
    const from = pause || Number(this.#slider.value) === last ? 0 : Number(this.#slider.value);
    const started = performance.now() + pause - duration * (from / last) ** (1 / power);
    const show = (/** @type {number} */ at) => ((this.#slider.value = String(at)), this.#draw());
    const tick = (/** @type {number} */ now) => {
      const share = Math.min(1, Math.max(0, now - started) / duration);
      const at = Math.floor(last * share ** power);
      this.#frame = share < 1 ? requestAnimationFrame(tick) : 0;
      if (at !== Number(this.#slider.value)) show(at);
      if (share === 1) this.#stop();
    };
    this.#playing.show(true);
    this.#frame = requestAnimationFrame(tick);
    show(from);
  }

  #stop() {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#playing.show(false);
  }

  #draw() {
    const { name, merges, glimpse } = this.#shown;
    const at = Number(this.#slider.value);
    fill(this.#at, `${number(at)} of ${number(merges)}`);
    const counted = countedAt(this.#shown, at);
    fill(this.#total, ...(counted ? [!counted.isExact && "about ", element("b", { class: "large" }, number(counted.tokens)), ` tokens, from ${counted.from}`] : []));
    const [apart] = this.#shown.measured_on === "lines" ? this.#shown.measured : [];
    fill(this.#apart, counted && apart && sayApart(apart));
    if (glimpse) {
      this.#picture.showCurve(glimpse.curve, merges, at);
      const seen = glimpse.merges.filter((/** @type {any} */ { rank }) => rank < at && rank >= at - NEWEST);
      if (seen.length === Math.min(at, NEWEST)) this.#picture.showMerges(seen, at);
      else {
        this.#picture.sayMerges(at);
        if (this.#rowsTo(at).every((first) => this.#learned.has(first))) void this.#showMerges();
        else this.#mergesLater.later();
      }
    }
    if (!this.#replays) {
      if (glimpse) this.#picture.showText(glimpse.piece, Int32Array.from(glimpse.ids), Int32Array.from(glimpse.byte_lengths), null, undefined, name);
      return;
    }
    const { text, words } = this.#replays;
    const steps = stepsAfter(text, at);
    const { ids, lengths, tints } = tokenColumns(text, steps, this.#replays.tints);
    this.#picture.showText(text.text, ids, lengths, newestOf(text, steps, at), tints, name);
    this.#stage.show({ replay: words, k: stepsAfter(words, at), writing: "text", next: false, selected: null, spoken: !this.#frame, drawing: "tower" });
  }

  /** The first of each `ROWS` merges among which the newest are. @param {number} at */
  #rowsTo(at) {
    const starts = [at - NEWEST, at - 1].map((merge) => ROWS * Math.floor(Math.max(0, merge) / ROWS));
    return at ? [...new Set(starts)] : [];
  }

  /** Show the newest merges at the slider's place. */
  async #showMerges() {
    const { name, merges, glimpse } = this.#shown ?? {};
    const at = Number(this.#slider.value);
    if (!glimpse || at === merges) return;
    const ask = (/** @type {number} */ from) => this.#client.json("trained/vocabulary", { tokenizer: name, by: "text", order: "rank", from }, "").then(({ rows }) => rows, () => []);
    const starts = this.#rowsTo(at);
    for (const first of starts) if (!this.#learned.has(first)) this.#learned.set(first, ask(first));
    const rows = (await Promise.all(starts.map((first) => this.#learned.get(first)))).flat();
    if (this.#shown?.name !== name || Number(this.#slider.value) !== at) return;
    const learned = rows.filter(({ merge }) => merge !== null && merge > at - NEWEST && merge <= at);
    this.#picture.showMerges(
      learned.reverse().map((/** @type {any} */ { merge, parts, token, count }) => ({ rank: merge - 1, left: parts[0], right: parts[1], new: token, times: count })),
      at,
    );
  }

  #showFacts() {
    const { size, merges, units, stopped, split, learned, measured, measured_on: measuredOn, used } = this.#shown;
    const problem = measured[0]?.problem;
    fill(
      this.#facts,
      element("p", { class: "size" }, saySize(size, merges, units)),
      stopped === "min_count" && element("p", {}, sayStopped(stopped, split, merges)),
      learned.length > 0 && comparison(measuredRows(learned, measured, measuredOn)),
      problem && element("p", { class: "problem" }, `It can’t encode the text it was measured on: ${problem}.`),
      sayMeasured(measuredOn) && element("p", { class: "quiet" }, sayMeasured(measuredOn)),
      used !== null && element("p", { class: "quiet" }, `${number(used)} of its ${number(size.tokens)} tokens are used to encode the text it learned from.`),
    );
  }
}

/** Rows of a table of bytes per token. @param {any[]} learned @param {any[]} measured @param {string} measuredOn as the server says it */
export function measuredRows(learned, measured, measuredOn) {
  const unseen = measuredOn === "lines" ? "the lines set aside, which it has not seen" : "text it has not seen";
  return [["the text it learned from", learned], ...(measured.length ? [[unseen, measured]] : [])];
}

/** Table of bytes per token. @param {any[][]} rows */
export function comparison(rows) {
  const cell = (/** @type {any} */ each) => element("td", {}, ratio(each), each.spelled < each.bytes && element("small", {}, `of ${number(each.spelled)} bytes`));
  const line = (/** @type {any[]} */ [title, packed]) => rowOf(element("span", {}, title, element("small", {}, ` ${number(packed[0].bytes)} bytes`)), ...packed.map(cell));
  const labels = rows[0][1].map((/** @type {any} */ { label }) => label);
  return element("table", { class: "packed" }, headOf(["bytes per token on", ...labels]), element("tbody", {}, ...rows.map(line)));
}
