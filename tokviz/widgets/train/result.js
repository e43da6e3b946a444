/**
 * The result of a training: the reader's text before and after, at any merge between; its first words as towers; how
 * well it compresses; and what its vocabulary holds.
 */

import { button, debounce, element, fill, number, plural } from "../shared/dom/elements.js";
import { idAt, makeReplay, tokensAt } from "../replay/model/replay.js";
import { Stage } from "../replay/stage/stage.js";
import { Picture, tokensAfter } from "./picture.js";
import { ratio, sayApart, sayMeasured, saySize, sayStopped } from "./wording.js";

/** @typedef {import("../replay/model/replay.js").Replay} Replay */
/** @typedef {import("../shared/net/client.js").Client} Client */

/** Code points of the text that stand as towers: on the page, and while presenting, where blocks have room for numbers. */
const [MAX_TOWER, MAX_PRESENTED] = [50, 24];
const PLAY_MS = 2200;
const MERGES_AFTER_MS = 120;
/** Number of merges shown. */
const NEWEST = 12;

/** Steps of a replay that the first merges of a vocabulary take. @param {Replay} replay @param {number} merges */
export function stepsAfter({ ranks }, merges) {
  let [low, high] = [0, ranks.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ranks[middle] < merges) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Ids and lengths in bytes of the tokens after k steps. @param {Replay} replay @param {number} k */
export function tokenColumns(replay, k) {
  const tokens = tokensAt(replay, k);
  const lengths = tokens.map(({ start, end }) => replay.byteOffsets[end] - replay.byteOffsets[start]);
  return { ids: Int32Array.from(tokens, ({ start }) => idAt(replay, start, k)), lengths: Int32Array.from(lengths) };
}

/** The first words of a text. @param {string} text @param {number} [most] code points */
export function firstWords(text, most = MAX_TOWER) {
  const start = [...text].slice(0, most).join("");
  if (start.length === text.length) return text;
  const end = Math.max(start.lastIndexOf(" "), start.lastIndexOf("\n"));
  return end > 0 ? start.slice(0, end) : start;
}

/**
 * Tokens of the text that was learned from after some merges, and what they are counted from; null if that isn't known.
 *
 * @param {{merges: number, left: number[] | null, glimpse: import("./run.js").Glimpse | null, learned: import("./wording.js").Packed[]}} shown
 * @param {number} at merges
 * @returns {{tokens: number, isExact: boolean, from: string} | null}
 */
export function countedAt({ merges, left, glimpse, learned: [own] }, at) {
  const from = own?.tokens ? plural(own.bytes, "byte") : glimpse ? plural(glimpse.curve[0][1], "symbol") : "";
  if (at === merges && own?.tokens) return { tokens: own.tokens, isExact: true, from };
  if (!glimpse) return null;
  // Special tokens take no part in merges, and so are not on the curve.
  const special = own?.tokens ? own.tokens - tokensAfter(glimpse.curve, merges) : 0;
  const isExact = left !== null || glimpse.curve.some(([each]) => each === at);
  return { tokens: (left?.[at] ?? tokensAfter(glimpse.curve, at)) + special, isExact, from };
}

export class Result {
  #client;
  #onTowers;
  #picture = new Picture();
  /** @type {any} */
  #shown = null;
  /** Replays of the text, of its first words, and of those that are presented. @type {{text: Replay, words: Replay, few: Replay} | null} */
  #replays = null;
  #isPresented = false;
  #legend = new Legend();
  #stage = new Stage({ select() {}, pick: (block) => this.#seekTo(block), window() {}, drawn: (look) => this.#legend.show(look) });
  #slider = element("input", { type: "range", min: 0, step: 1, "aria-label": "Merges learned", input: () => (this.#stop(), this.#draw()) });
  #at = element("output", { class: "mono" });
  #total = element("p", { class: "total" });
  #apart = element("p", { class: "quiet apart" });
  #facts = element("div", { class: "facts" });
  #tower = element("div", { class: "replay tower-box" }, element("div", { class: "row" }, element("h3", {}, "How its first words grow"), this.#legend.node), this.#stage.node);
  #frame = 0;
  #asked = new AbortController();
  #mergesLater = debounce(() => void this.#showMerges(), MERGES_AFTER_MS);

  /** @param {Client} client @param {(areShown: boolean) => void} onTowers called when towers are shown or hidden */
  constructor(client, onTowers) {
    this.#client = client;
    this.#onTowers = onTowers;
    const ends = [button("before", () => this.#seek(0)), button("after", () => this.#seek(Infinity))];
    const track = element("div", { class: "row track" }, ends[0], this.#slider, ends[1], this.#at);
    this.node = element("div", { class: "result", hidden: true }, this.#total, this.#apart, this.#picture.node, track, this.#facts);
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
    const piece = found.glimpse?.piece || text.slice(0, 600);
    const query = { tokenizer: name, order: "rank", special: Boolean(found.special) };
    const replayed = (/** @type {string} */ of) => this.#client.columns("replay", query, of).then(makeReplay).catch(() => null);
    const [whole, words, few] = await Promise.all([piece, firstWords(piece), firstWords(piece, MAX_PRESENTED)].map(replayed));
    this.#shown = { name, ...found };
    this.#replays = whole && words && few && whole.meta.order === "rank" ? { text: whole, words, few } : null;
    this.node.hidden = false;
    this.#showTowers(this.#replays !== null);
    this.#slider.max = String(found.merges);
    this.#slider.value = String(found.merges);
    /** @type {HTMLElement} */ (this.#slider.parentElement).hidden = !this.#replays || !found.merges;
    this.#showFacts();
    this.#draw();
    if (plays && this.#replays && !matchMedia("(prefers-reduced-motion: reduce)").matches) this.#play();
  }

  /** @param {boolean} isPresented */
  present(isPresented) {
    this.#isPresented = isPresented;
    if (this.#shown) this.#draw();
  }

  hide() {
    this.#stop();
    this.#mergesLater.cancel();
    this.#asked.abort();
    this.node.hidden = true;
    this.#showTowers(false);
    this.#shown = null;
  }

  /** @param {boolean} areShown */
  #showTowers(areShown) {
    this.#tower.hidden = !areShown;
    this.#onTowers(areShown);
  }

  dispose() {
    this.#stop();
    this.#mergesLater.cancel();
    this.#asked.abort();
    this.#picture.dispose();
    this.#stage.dispose();
  }

  /** @param {number} merges */
  #seek(merges) {
    this.#stop();
    this.#slider.value = String(Math.min(merges, Number(this.#slider.max)));
    this.#draw();
  }

  /** Go to the merge that makes a block of the tower. @param {import("../replay/tower/tower.js").Block} block */
  #seekTo({ step }) {
    const words = this.#words;
    if (words) this.#seek(step < 0 ? 0 : words.ranks[step] + 1);
  }

  /** Replay of the words that stand as towers. */
  get #words() {
    return (this.#isPresented ? this.#replays?.few : this.#replays?.words) ?? null;
  }

  /** Go from before to after once. */
  #play() {
    const started = performance.now();
    const last = Number(this.#slider.max);
    const tick = (/** @type {number} */ now) => {
      const share = Math.min(1, Math.max(0, now - started) / PLAY_MS);
      this.#slider.value = String(Math.round(last * share ** 2)); // the first merges change the most
      this.#draw();
      this.#frame = share < 1 ? requestAnimationFrame(tick) : 0;
    };
    this.#frame = requestAnimationFrame(tick);
  }

  #stop() {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
  }

  #draw() {
    const { merges, glimpse } = this.#shown;
    const at = Number(this.#slider.value);
    fill(this.#at, `${number(at)} of ${number(merges)}`);
    const counted = countedAt(this.#shown, at);
    fill(this.#total, ...(counted ? [!counted.isExact && "about ", element("b", {}, number(counted.tokens)), ` tokens, from ${counted.from}`] : []));
    const [apart] = this.#shown.measured_on === "lines" ? this.#shown.measured : [];
    fill(this.#apart, counted && apart && sayApart(apart));
    if (glimpse) {
      this.#picture.showCurve(glimpse.curve, merges, at, this.#shown.left?.[at]);
      if (at === merges) this.#picture.showMerges(glimpse.merges);
      this.#mergesLater.later();
    }
    const words = this.#words;
    if (!this.#replays || !words) {
      if (glimpse) this.#picture.showText(glimpse.piece, Int32Array.from(glimpse.ids), Int32Array.from(glimpse.byte_lengths));
      return;
    }
    const { text } = this.#replays;
    const { ids, lengths } = tokenColumns(text, stepsAfter(text, at));
    this.#picture.showText(text.text, ids, lengths);
    this.#stage.show({ replay: words, k: stepsAfter(words, at), writing: "text", next: false, selected: null, spoken: !this.#frame, drawing: "tower" });
  }

  /** Show the newest merges at the slider's place. */
  async #showMerges() {
    const { name, merges, glimpse } = this.#shown ?? {};
    const at = Number(this.#slider.value);
    if (!glimpse || at === merges) return;
    this.#asked.abort();
    const { signal } = (this.#asked = new AbortController());
    const from = Math.max(0, at - NEWEST);
    const found = await this.#client.json("trained/vocabulary", { tokenizer: name, by: "text", order: "rank", from }, "", signal).catch(() => null);
    if (!found || signal.aborted) return;
    const learned = found.rows.slice(0, at - from).filter((/** @type {any} */ { merge }) => merge !== null);
    this.#picture.showMerges(
      learned.reverse().map((/** @type {any} */ { merge, parts, token, count }) => ({ rank: merge - 1, left: parts[0], right: parts[1], new: token, times: count })),
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

/** What the numbers of a tower are; each sentence is shown while such numbers are. */
class Legend {
  #inBlock = element("span", {}, "The number in a block is its merge. ");
  #beneath = element("span", {}, "The number beneath a token is its id.");
  node = element("p", { class: "quiet legend" }, this.#inBlock, this.#beneath);

  /** @param {import("../replay/stage/stage.js").Look} look */
  show({ isTower, isCompact, isDone }) {
    this.#inBlock.hidden = !isTower || isCompact;
    this.#beneath.hidden = !isTower || !isDone;
  }
}

/** Rows of a table of bytes per token. @param {any[]} learned @param {any[]} measured @param {string} measuredOn as the server says it */
export function measuredRows(learned, measured, measuredOn) {
  const unseen = measuredOn === "lines" ? "the lines set aside, which it has not seen" : "text it has not seen";
  return [["the text it learned from", learned], ...(measured.length ? [[unseen, measured]] : [])];
}

/** Table of bytes per token. @param {any[][]} rows */
export function comparison(rows) {
  const head = element("tr", {}, element("th", {}, "bytes per token on"), ...rows[0][1].map((/** @type {any} */ { label }) => element("th", { scope: "col" }, label)));
  const line = (/** @type {any[]} */ [title, packed]) =>
    element("tr", {}, element("th", { scope: "row" }, title, element("small", {}, ` ${number(packed[0].bytes)} bytes`)), ...packed.map((/** @type {any} */ each) => element("td", {}, ratio(each), each.spelled < each.bytes && element("small", {}, `of ${number(each.spelled)} bytes`))));
  return element("table", { class: "packed" }, element("thead", {}, head), element("tbody", {}, ...rows.map((/** @type {any} */ row) => line(row))));
}
