/**
 * The curve of tokens against merges as a handle: a slider beneath the chart, the text under the first k merges of one of
 * the tokenizers, and the place of k on its curve.
 */

import { element, fill, number, plural } from "../shared/dom/elements.js";
import { Latest } from "../shared/net/latest.js";
import { makeTokenization } from "../shared/text/tokenization.js";
import { createSegments } from "../shared/ui/segments.js";
import { RollingNumber } from "../seek/rolling.js";
import { placeOf } from "../seek/scale.js";
import { Seeking } from "../seek/seeking.js";
import { MergeSlider } from "../seek/slider.js";
import { sayTooLong } from "../seek/wording.js";
import { saySigns } from "../shared/text/invisibles.js";
import { DetailedView } from "../tokens/details.js";
import { shortLabel } from "./link.js";

/** @typedef {import("./link.js").PageOffer} Offer */
/** @typedef {{text: string, tokenizer: string, special: boolean}} Asked */
/** @typedef {{merges: number, share: number, color: string, isStale: boolean}} Place on the chart: `share` of the bytes that are left as tokens */
/** @typedef {{merges: number | null, handle: string}} Chosen merges known, null for all; and the tokenizer, by name */

export class MergeHandle {
  #client;
  #limit;
  #chosen;
  #on;
  /** @type {Offer[]} */
  #offers = [];
  /** @type {Record<string, string>} */
  #colors = {};
  #text = "";
  /** The text and the tokenizer that are shown, or on their way. */
  #asked = "";
  /** @type {Seeking | null} */
  #seeking = null;
  #slider = new MergeSlider({ seek: (k) => this.#know(k), watch: () => {} });
  #count = new RollingNumber();
  #unit = element("span", { class: "quiet" }, "tokens");
  #choice = element("div", { class: "of" });
  #reason = element("p", { class: "quiet", role: "status" });
  #pane = element("div", { class: "cut-text" });
  #signs = element("p", { class: "legend" });
  #view;
  #head;
  /** The slider beneath the chart, what the newest merge joins, and what plays. */
  #moving;
  #asking;

  /**
   * @param {Pick<import("../shared/net/client.js").Client, "tokensAndMore" | "token" | "json">} client
   * @param {number} limit longest text, in bytes
   * @param {Chosen} chosen at first; changed by the reader's choices
   * @param {object} on
   * @param {(change: Partial<Chosen>) => void} on.chosen
   * @param {(place: Place | null) => void} on.place the place on the curve is another, or none is known
   */
  constructor(client, limit, chosen, on) {
    this.#client = client;
    this.#view = new DetailedView(this.#pane, client, "Tokens of the text with these merges");
    this.#limit = limit;
    this.#chosen = chosen;
    this.#on = on;
    this.#asking = new Latest(
      (/** @type {Asked} */ question, signal) => this.#client.tokensAndMore({ ...question, counts: false, pretokens: false, merges: true }, signal),
      { refusal: (message) => this.#refuse(message) },
    );
    const { play, rail, newest, known } = this.#slider;
    const figure = element("p", { class: "tokens-left" }, element("b", { class: "large" }, this.#count.node), " ", this.#unit);
    this.#head = element("div", { class: "head" }, figure, this.#choice);
    this.#moving = element("div", { class: "merge-slider" }, element("div", { class: "moving" }, play, rail, known), newest);
    this.node = element("div", { class: "merge-handle", hidden: true }, this.#moving, element("div", { class: "known-text" }, this.#head, this.#reason, this.#pane, this.#signs));
  }

  /**
   * Show a text.
   *
   * @param {string} text @param {Offer[]} offers those with a curve @param {Record<string, string>} colors of these in the chart
   */
  show(text, offers, colors) {
    this.#text = text;
    fill(this.#signs, saySigns(text));
    this.#offers = offers;
    this.#colors = colors;
    if (!this.#offers.length) this.node.hidden = true;
    const several = this.#offers.length > 1;
    const { name } = this.#tokenizer ?? { name: "" };
    fill(this.#choice, several && createSegments("Tokenizer", this.#offers.map((offer) => [offer.name, shortLabel(offer)]), name, (chosen) => this.#choose(chosen)).node);
    void this.#ask();
  }

  /** The tokenizer whose merges are known. */
  get #tokenizer() {
    return this.#offers.find(({ name }) => name === this.#chosen.handle) ?? this.#offers[0];
  }

  /** @param {string} handle */
  #choose(handle) {
    this.#chosen.handle = handle;
    this.#on.chosen({ handle });
    void this.#ask();
  }

  async #ask() {
    const [text, tokenizer] = [this.#text, this.#tokenizer?.name];
    const asked = `${tokenizer} ${text}`;
    if (!tokenizer) return this.#on.place(null);
    if (asked === this.#asked) return this.#mark();
    this.#asked = asked;
    if (text.length > this.#limit) return this.#refuse(sayTooLong(this.#limit));
    this.#setStale(true);
    const answer = await this.#asking.ask({ text, tokenizer, special: false });
    if (!answer?.seek || asked !== this.#asked) return;
    if ("refusal" in answer.seek) return this.#refuse(answer.seek.refusal);
    this.#refuse("");
    this.#seeking = new Seeking(makeTokenization(text, answer.tokens), answer.seek.columns, null);
    this.#slider.load(this.#seeking, Math.min(this.#chosen.merges ?? Infinity, this.#seeking.seek.merges));
    this.#draw();
  }

  /** @param {string} reason why there is no slider; "" if there is one */
  #refuse(reason) {
    this.#setStale(false);
    this.node.hidden = false;
    fill(this.#reason, reason);
    for (const part of [this.#moving, this.#head, this.#pane]) part.hidden = reason !== "";
    if (!reason) return;
    this.#seeking = null;
    this.#slider.unload();
    this.#on.place(null);
  }

  /** What is shown is of another text or tokenizer than those chosen, until the answer comes. @param {boolean} isStale */
  #setStale(isStale) {
    this.node.ariaBusy = String(isStale);
    if (isStale) this.#mark();
  }

  /** @param {number} k */
  #know(k) {
    const merges = k === this.#seeking?.seek.merges ? null : k;
    this.#chosen.merges = merges;
    this.#on.chosen({ merges });
    this.#draw();
  }

  #draw() {
    const seeking = this.#seeking;
    if (!seeking) return;
    const model = seeking.at(this.#chosen.merges ?? Infinity);
    this.#view.show(model, { isSeeking: true });
    this.#count.roll(number(model.n));
    fill(this.#unit, plural(model.n, "token").replace(/^\S+ /, ""));
    this.#mark();
  }

  /** Mark the place on the curve. */
  #mark() {
    const seeking = this.#seeking;
    if (!seeking || !seeking.bytes.length) return this.#on.place(null);
    const merges = Math.min(this.#chosen.merges ?? Infinity, seeking.seek.merges);
    const share = seeking.at(merges).n / seeking.bytes.length;
    const isStale = this.node.ariaBusy === "true";
    this.#on.place({ merges, share, color: this.#colors[this.#tokenizer?.name ?? ""] ?? "", isStale });
  }

  /**
   * Stand beneath an axis of merges.
   *
   * @param {{zero: number, unit: number} | null} axis where none is on it, and pixels for a power of ten; null without one
   */
  align(axis) {
    const merges = this.#seeking?.seek.merges;
    const { style } = this.#moving;
    style.setProperty("--from", axis && merges ? `${axis.zero}px` : "");
    style.setProperty("--long", axis && merges ? `${axis.unit / (placeOf(10, merges) - placeOf(1, merges))}px` : "");
  }

  /** Seek to a place on the axis. @param {number} merges */
  seek(merges) {
    const most = this.#seeking?.seek.merges;
    if (most !== undefined) this.#slider.seek(Math.max(0, Math.min(most, Math.round(merges))));
  }

  dispose() {
    this.#slider.unload();
    this.#asking.dispose();
    this.#view.dispose();
    this.node.remove();
  }
}
