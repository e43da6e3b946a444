/**
 * The picture of a training: the sentence on the newest merge, the beginning of the text as it is read so far, the newest
 * merges, and the slider through all of them. The same before it, while it trains, and afterwards at any merge.
 */

import { element, fill, number, playButton, plural, range } from "../shared/dom/elements.js";
import { createTicks } from "../shared/dom/svg.js";
import { saySigns } from "../shared/text/invisibles.js";
import { makeTokenization, WORDS } from "../shared/text/tokenization.js";
import { alternate } from "../token_view/colors.js";
import { fitType, unfitType } from "../token_view/fitting.js";
import { DetailedView } from "../tokens/details.js";
import { hasCharacters, sayStart, startOf } from "./before.js";

/** Of single letters, which are pale until they are joined: see widget.css. */
const NO_TINT = 4;

/** Tokens left in the whole text after some merges, from the points of the curve. @param {[number, number][]} curve @param {number} merges */
export function tokensAfter(curve, merges) {
  const next = curve.findIndex(([each]) => each >= merges);
  if (next < 0) return curve.at(-1)?.[1] ?? 0;
  if (next === 0) return curve[0][1];
  const [[k0, t0], [k1, t1]] = [curve[next - 1], curve[next]];
  return Math.round(t0 + ((t1 - t0) * (merges - k0)) / (k1 - k0));
}

/**
 * The tints of a text's tokens, but none of those that are at most one letter.
 *
 * @param {import("../shared/text/tokenization.js").TokenizationModel} model @param {Uint8Array} tints
 */
export function tintsOfWords({ text, starts }, tints) {
  const isLetter = (/** @type {number} */ i) => {
    const length = starts[i + 1] - starts[i];
    return length < 2 || (length === 2 && /** @type {number} */ (text.codePointAt(starts[i])) > 0xffff);
  };
  return tints.map((tint, i) => (isLetter(i) ? NO_TINT : tint));
}

export class Picture {
  #sentence = element("p", { class: "sentence" });
  #textPane = element("div");
  #tokens;
  /** @type {import("../token_view/colors.js").Alternation | null} */
  #alternation = null;
  #ticks = createTicks();
  #place = element("output", {});
  #merges = element("ol", { class: "merges", "aria-label": "Newest merges" });
  /** What the signs in the text stand for. */
  #signs = element("p", { class: "legend" });
  #isPresented = false;
  #text = "";
  /** How many merges are learned. */
  #at = 0;
  /** Where the text stood when its type was fitted. */
  #top = 0;

  /** @param {import("../shared/net/client.js").Client} client @param {() => void} move the slider was moved @param {() => void} toggle play or pause */
  constructor(client, move, toggle) {
    this.#tokens = new DetailedView(this.#textPane, client, "Tokens of the beginning");
    this.playing = playButton(toggle);
    this.slider = range("Merges learned", move);
    const rail = element("div", { class: "rail" }, this.slider, this.#ticks.node);
    this.track = element("div", { class: "track row" }, this.playing.node, rail, this.#place);
    this.node = element("div", { class: "picture" }, this.#sentence, this.#textPane, this.#merges, this.#signs, this.track);
  }

  /**
   * Let the reader move through merges, or nobody: then it shows how far a training is.
   *
   * @param {number} merges @param {number[]} changes numbers of merges at which the text changes @param {boolean} [isMoved]
   */
  offer(merges, changes, isMoved = true) {
    this.slider.max = String(merges);
    this.slider.disabled = this.playing.node.disabled = !isMoved || !merges;
    this.#ticks.draw(changes.map((change) => change / merges));
  }

  /** Show how many merges are learned. @param {number} at */
  showPlace(at) {
    this.slider.value = String(at);
    this.#ticks.pass(at / Math.max(1, Number(this.slider.max)));
    fill(this.#place, `${number(at)} of ${number(Number(this.slider.max))}`);
  }

  /** Show a moment of a training. @param {import("./run.js").Glimpse} glimpse @param {number} most merges of the whole training */
  showGlimpse(glimpse, most) {
    const { piece, ids, byte_lengths: lengths, curve, merges } = glimpse;
    const at = curve.at(-1)?.[0] ?? 0;
    this.showText(piece, Int32Array.from(ids), Int32Array.from(lengths));
    this.offer(most, [], false);
    this.showPlace(at);
    this.showMerges(merges, at);
  }

  /** Show the beginning of a text of which nothing is learned yet. @param {string} text @param {Pick<import("./settings.js").Recipe, "algorithm" | "alphabet">} recipe */
  showStart(text, recipe) {
    const { shown, ids, lengths } = startOf(text, hasCharacters(recipe));
    this.showText(shown, ids, lengths);
    this.offer(0, [], false);
    this.showPlace(0);
    this.#at = 0;
    fill(this.#sentence, sayStart(text, shown, ids.length, recipe));
    fill(this.#merges);
  }

  /**
   * Show a text in tokens, in which a token keeps its color while others are joined.
   *
   * @param {string} text @param {Int32Array} ids @param {Int32Array} byteLengths @param {number | null} [newest] the token that was learned last
   * @param {Uint8Array} [tints] of the tokens, if they are known @param {string} [tokenizer] whose tokens they are, once it is trained
   */
  showText(text, ids, byteLengths, newest = null, tints = undefined, tokenizer = WORDS) {
    const model = makeTokenization(text, { ids, byte_lengths: byteLengths, special: new Uint8Array(ids.length), meta: { tokenizer } });
    this.#alternation = { model, tints: tints ?? alternate(model, this.#alternation) };
    model.tints = tintsOfWords(model, this.#alternation.tints);
    this.#tokens.show(model, {});
    this.#tokens.view.markNewest(newest);
    const isNew = text !== this.#text;
    this.#text = text;
    if (isNew) fill(this.#signs, saySigns(text));
    // What stands above it comes and goes.
    if (this.#isPresented && (isNew || this.#tokens.view.node.offsetTop !== this.#top)) this.#fit();
  }

  /** Let the text fill the screen, above what stands beneath it there. @param {boolean} isPresented */
  present(isPresented) {
    this.#isPresented = isPresented;
    if (isPresented) this.#fit();
    else unfitType(this.node);
  }

  #fit() {
    const beneath = 3 * parseFloat(getComputedStyle(document.documentElement).fontSize);
    this.#top = this.#tokens.view.node.offsetTop;
    fitType(this.node, this.#text.length, [this.#tokens.view.node], beneath);
  }

  /** What is on screen: tokens, after how many merges; null if there is no text. */
  get shown() {
    return this.#text && this.#alternation ? { model: this.#alternation.model, merges: this.#at } : null;
  }

  /**
   * Show the newest merges, and say what the last of them joined.
   *
   * @param {{rank: number, left: string, right: string, new: string, times: number}[]} merges newest first
   * @param {number} at how many are learned
   */
  showMerges(merges, at) {
    const code = (/** @type {string} */ name, how = "") => element("code", { class: `chip ${how}` }, name);
    const pair = (/** @type {any} */ { rank, left, right, new: made }, /** @type {string} */ becomes) => [code(left), " + ", code(right), becomes, code(made, rank === at - 1 ? "made newest" : "made")];
    const quiet = (/** @type {string} */ text) => element("span", { class: "quiet" }, text);
    fill(this.#merges, ...merges.map((merge) => element("li", {}, quiet(number(merge.rank + 1)), ...pair(merge, " → "), quiet(`${number(merge.times)}×`))));
    const [newest] = merges;
    this.#at = at;
    if (newest?.rank !== at - 1) return this.sayMerges(at);
    fill(this.#sentence, "Merge ", element("b", {}, number(at)), " joins ", ...pair(newest, " into "), `: they stood side by side ${plural(newest.times, "time")}.`);
  }

  /** Say how many merges are learned, until it is known what the last of them joined. @param {number} at */
  sayMerges(at) {
    this.#at = at;
    fill(this.#sentence, at ? `${plural(at, "merge")} learned.` : "Nothing is joined yet: each letter stands alone.");
  }

  dispose() {
    this.#tokens.dispose();
  }
}
