/**
 * The picture of a training: the beginning of its text as it is read so far, the curve of tokens left, and the newest
 * merges. The same before it, while it trains, and afterwards at any merge.
 */

import { element, fill, number, plural } from "../shared/dom/elements.js";
import { svg } from "../shared/dom/svg.js";
import { makeTokenization } from "../shared/text/tokenization.js";
import { fitType, unfitType } from "../token_view/fitting.js";
import { TokenView } from "../token_view/view.js";

const [WIDTH, HEIGHT] = [600, 150];
/** Maximum UTF-16 units of a text that is written in larger type. */
const SHORT = 400;

/** Points of the curve as SVG takes them. @param {[number, number][]} curve @param {number} most merges at the right edge */
export function pointsOf(curve, most) {
  const start = Math.max(1, curve[0]?.[1] ?? 1);
  const point = (/** @type {[number, number]} */ [merges, tokens]) =>
    `${((WIDTH * merges) / Math.max(1, most)).toFixed(1)},${(HEIGHT * (1 - tokens / start)).toFixed(1)}`;
  return curve.map(point).join(" ");
}

/** Tokens left in the whole text after some merges, from the points of the curve. @param {[number, number][]} curve @param {number} merges */
export function tokensAfter(curve, merges) {
  const next = curve.findIndex(([each]) => each >= merges);
  if (next < 0) return curve.at(-1)?.[1] ?? 0;
  if (next === 0) return curve[0][1];
  const [[k0, t0], [k1, t1]] = [curve[next - 1], curve[next]];
  return Math.round(t0 + ((t1 - t0) * (merges - k0)) / (k1 - k0));
}

export class Picture {
  #textPane = element("div", { class: "text-pane" });
  #view = new TokenView(this.#textPane, { onPoint() {}, onSelect() {} }, "Tokens of the beginning");
  #line = svg("polyline", { class: "line" });
  #cursor = svg("line", { class: "cursor", y1: 0, y2: HEIGHT });
  #says = element("p", { class: "quiet" });
  #merges = element("ol", { class: "newest", "aria-label": "Newest merges" });
  #under;
  #curve;
  #isPresented = false;
  #text = "";
  /** Where the text stood when its type was fitted. */
  #top = 0;

  constructor() {
    const drawing = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" }, this.#line, this.#cursor);
    this.#curve = element("div", { class: "curve-pane" }, this.#says, drawing);
    this.#under = element("div", { class: "under" }, this.#curve, this.#merges);
    /** Between the text and its curve: what moves through both. */
    this.track = element("div", { class: "row track", hidden: true });
    this.node = element("div", { class: "picture" }, this.#textPane, this.track, this.#under);
    this.#under.hidden = true;
  }

  /** Show a moment of a training. @param {import("./run.js").Glimpse} glimpse @param {number} most merges of the whole training */
  showGlimpse(glimpse, most) {
    const { piece, ids, byte_lengths: lengths, curve, merges } = glimpse;
    this.showText(piece, Int32Array.from(ids), Int32Array.from(lengths));
    this.showCurve(curve, most, curve.at(-1)?.[0] ?? 0);
    this.showMerges(merges);
  }

  /** Show a text of which nothing is learned yet. @param {string} text @param {Int32Array} ids @param {Int32Array} byteLengths */
  showStart(text, ids, byteLengths) {
    this.#under.hidden = true;
    this.showText(text, ids, byteLengths);
  }

  /**
   * Show a text in tokens, in which a token keeps its color while others are joined.
   *
   * @param {string} text @param {Int32Array} ids @param {Int32Array} byteLengths @param {number | null} [newest] the token that was learned last
   */
  showText(text, ids, byteLengths, newest = null) {
    this.#textPane.hidden = !text;
    if (!text) return;
    this.node.classList.toggle("short", text.length <= SHORT);
    const columns = { ids, byte_lengths: byteLengths, special: new Uint8Array(ids.length) };
    this.#view.show(makeTokenization(text, columns), { view: "text", marks: true });
    this.#view.highlightId(newest);
    const isNew = text !== this.#text;
    this.#text = text;
    // What stands above it comes and goes.
    if (this.#isPresented && (isNew || this.#view.node.offsetTop !== this.#top)) this.#fit();
  }

  /** Let the text fill the screen, above what stands beneath it there. @param {boolean} isPresented */
  present(isPresented) {
    this.#isPresented = isPresented;
    if (isPresented) this.#fit();
    else unfitType(this.node);
  }

  #fit() {
    const beneath = 3.4 * parseFloat(getComputedStyle(document.documentElement).fontSize);
    this.#top = this.#view.node.offsetTop;
    fitType(this.node, this.#text.length, [this.#view.node], beneath);
  }

  /**
   * @param {[number, number][]} curve
   * @param {number} most merges at the right edge
   * @param {number} at the merge at which the cursor stands
   * @param {number} [left] tokens left there
   */
  showCurve(curve, most, at, left = tokensAfter(curve, at)) {
    this.#under.hidden = false;
    const x = String((WIDTH * at) / Math.max(1, most));
    this.#line.setAttribute("points", pointsOf(curve, most));
    for (const name of ["x1", "x2"]) this.#cursor.setAttribute(name, x);
    const start = curve[0]?.[1] ?? 0;
    const share = start ? ` (${Math.round((100 * left) / start)} %)` : "";
    fill(this.#says, `After ${plural(at, "merge")}, ${number(left)} of ${number(start)} symbols are left${share}.`);
  }

  /** @param {{rank: number, left: string, right: string, new: string, times: number}[]} merges newest first */
  showMerges(merges) {
    const entry = (/** @type {any} */ { rank, left, right, new: made, times }) =>
      element("li", {}, element("span", { class: "quiet" }, number(rank + 1)), element("code", {}, left), "+", element("code", {}, right), "→", element("code", { class: "made" }, made), element("span", { class: "quiet" }, `${number(times)}×`));
    fill(this.#merges, ...merges.map(entry));
    this.#under.classList.toggle("with-merges", merges.length > 0);
  }

  dispose() {
    this.#view.dispose();
  }
}
