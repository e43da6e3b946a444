/**
 * The result of a training: the reader's text before and after, at any merge between; its first words as towers; how
 * well it compresses; and what its vocabulary holds.
 */

import { debounce, element, fill, headOf, number, plural, rowOf } from "../shared/dom/elements.js";
import { createLegend } from "../replay/explain/legend.js";
import { makeReplay, tintsOf, tokensAt } from "../replay/model/replay.js";
import { Stage } from "../replay/stage/stage.js";
import { firstIndex } from "../shared/text/tokenization.js";
import { Picture, tokensAfter } from "./picture.js";
import { ratio, sayMeasured, saySize, sayStopped } from "./wording.js";

/** @typedef {import("../replay/model/replay.js").Replay} Replay */

/** Maximum bytes of the text that stand as towers. */
const MAX_TOWER = 50;
/** Few merges are played one by one; of more, the last are shown in ever larger steps. */
const [FEW, EACH_MS, PLAY_MS] = [60, 320, 2200];
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
  const start = text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(MAX_TOWER)).read);
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
  #total;
  /** @type {any} */
  #shown = null;
  /** Replays of the text, with its tints, and of its first words. @type {{text: Replay, tints: Uint8Array, words: Replay} | null} */
  #replays = null;
  /** Merges by the first of each `ROWS`, as far as they were asked for. @type {Map<number, Promise<any[]>>} */
  #learned = new Map();
  #legend = createLegend(["number", "id"]);
  #stage = new Stage({ select() {}, pick: (block) => this.#seekTo(block), window() {}, drawn: this.#legend.show });
  #facts = element("div", { class: "facts" });
  #tower = element("div", { class: "replay tower-box" }, element("div", { class: "row" }, element("h3", {}, "How its first words grow"), this.#legend.node), this.#stage.node);
  #frame = 0;
  /** Changes with the tokenizer, and when the picture is given away: merges that come late are not shown. */
  #newest = 0;
  /** How many merges are shown. */
  #at = 0;
  #mergesLater = debounce(() => void this.#showMerges(), MERGES_AFTER_MS);

  /** @param {import("../shared/net/client.js").Client} client @param {HTMLElement} total shows how many tokens there are */
  constructor(client, total) {
    this.#client = client;
    this.#total = total;
    this.picture = new Picture(client, () => this.#seek(Number(this.picture.slider.value)), () => (this.#frame ? this.#stop() : this.#play()));
    this.node = element("div", { class: "result", hidden: true }, this.#facts);
    this.towers = this.#tower;
    this.#tower.hidden = true;
  }

  /**
   * Ask for the replays of a tokenizer's text and of its first words.
   *
   * @param {string} name @param {any} found the server's answer @param {string} text of the reader, for a tokenizer whose own is not known
   * @returns {Promise<(Replay | null)[]>} null where there is none
   */
  ask(name, found, text) {
    const piece = found.glimpse?.piece || text.slice(0, 600);
    const query = { tokenizer: name, order: "rank", special: Boolean(found.special) };
    const replayed = (/** @type {string} */ of) => this.#client.columns("replay", query, of).then(makeReplay).catch(() => null);
    return Promise.all([piece, firstWords(piece)].map(replayed));
  }

  /** Show a tokenizer. @param {string} name @param {any} found the server's answer @param {(Replay | null)[]} replays */
  show(name, found, [whole, words]) {
    this.leave();
    this.#shown = { name, ...found };
    this.#learned.clear();
    this.#replays = whole && words && whole.meta.order === "rank" ? { text: whole, tints: tintsOf(whole), words } : null;
    this.node.hidden = false;
    this.#tower.hidden = this.#replays === null;
    this.#showFacts();
    this.redraw();
  }

  /** Show the text after the last merge, whatever was shown meanwhile. */
  redraw() {
    const { merges } = this.#shown;
    this.picture.offer(merges, Array.from(this.#replays?.text.ranks ?? [], (rank) => rank + 1), this.#replays !== null);
    this.#draw(merges);
  }

  hide() {
    this.leave();
    this.node.hidden = this.#tower.hidden = true;
    fill(this.#total);
    this.#shown = null;
  }

  dispose() {
    this.leave();
    this.#stage.dispose();
    this.picture.dispose();
  }

  /** Play no more, and wait for no answer. */
  leave() {
    this.#newest++;
    this.#stop();
    this.#mergesLater.cancel();
  }

  /** @param {number} merges */
  #seek(merges) {
    this.#stop();
    this.#draw(merges);
  }

  /** Go to the merge that makes a block of the tower. @param {import("../replay/tower/tower.js").Block} block */
  #seekTo({ step }) {
    if (this.#replays) this.#seek(step < 0 ? 0 : this.#replays.words.ranks[step] + 1);
  }

  /** Go from the slider's place to the end; from the end, begin again. */
  #play() {
    const { merges: last } = this.#shown;
    const [duration, power] = last <= FEW ? [last * EACH_MS, 1] : [PLAY_MS, 2]; // the first merges change the most
    const from = this.#at === last ? 0 : this.#at;
    const started = performance.now() - duration * (from / last) ** (1 / power);
    const tick = (/** @type {number} */ now) => {
      const share = Math.min(1, Math.max(0, now - started) / duration);
      const at = Math.floor(last * share ** power);
      this.#frame = share < 1 ? requestAnimationFrame(tick) : 0;
      if (at !== this.#at) this.#draw(at);
      if (share === 1) this.#stop();
    };
    this.picture.playing.show(true);
    this.#frame = requestAnimationFrame(tick);
    this.#draw(from);
  }

  #stop() {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.picture.playing.show(false);
  }

  /** @param {number} at merges */
  #draw(at) {
    this.#at = at;
    const { name, glimpse } = this.#shown;
    this.picture.showPlace(at);
    const counted = countedAt(this.#shown, at);
    fill(this.#total, ...(counted ? [!counted.isExact && "about ", element("b", { class: "large" }, number(counted.tokens)), ` ${counted.tokens === 1 ? "token" : "tokens"}, from ${counted.from}`] : []));
    if (glimpse) {
      const seen = glimpse.merges.filter((/** @type {any} */ { rank }) => rank < at && rank >= at - NEWEST);
      if (seen.length === Math.min(at, NEWEST)) this.picture.showMerges(seen, at);
      else {
        this.picture.sayMerges(at);
        if (this.#rowsTo(at).every((first) => this.#learned.has(first))) void this.#showMerges();
        else this.#mergesLater.later();
      }
    }
    if (!this.#replays) {
      if (glimpse) this.picture.showText(glimpse.piece, Int32Array.from(glimpse.ids), Int32Array.from(glimpse.byte_lengths), null, undefined, name);
      return;
    }
    const { text, words } = this.#replays;
    const steps = stepsAfter(text, at);
    const { ids, lengths, tints } = tokenColumns(text, steps, this.#replays.tints);
    this.picture.showText(text.text, ids, lengths, newestOf(text, steps, at), tints, name);
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
    const [at, newest] = [this.#at, this.#newest];
    if (!glimpse || at === merges) return;
    const ask = (/** @type {number} */ from) => this.#client.json("trained/vocabulary", { tokenizer: name, by: "text", order: "rank", from }, "").then(({ rows }) => rows, () => []);
    const starts = this.#rowsTo(at);
    for (const first of starts) if (!this.#learned.has(first)) this.#learned.set(first, ask(first));
    const rows = (await Promise.all(starts.map((first) => this.#learned.get(first)))).flat();
    if (newest !== this.#newest || at !== this.#at) return;
    const learned = rows.filter(({ merge }) => merge !== null && merge > at - NEWEST && merge <= at);
    this.picture.showMerges(
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
      sayMeasured(measuredOn, measured) && element("p", { class: "quiet" }, sayMeasured(measuredOn, measured)),
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
