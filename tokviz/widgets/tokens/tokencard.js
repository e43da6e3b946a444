/**
 * The tokens that are shown at length: the one that is pointed at in a bubble, the one that is kept in the drawer, both
 * with details from the server.
 */

import { debounce } from "../shared/dom/elements.js";
import { bytesOf, tokenEnd, WORDS } from "../shared/text/tokenization.js";

/** @typedef {import("../token_view/card.js").Details} Details */

const LOAD_AFTER_MS = 80;
/** Maximum token details cached. */
const MAX_DETAILS = 500;
/** Tokens sent on either side of one, because what is done to its text may depend on them. */
const NEIGHBORS = 4;
/** Maximum length of a text that is sent, in UTF-16 units. */
const MAX_NEAR = 1000;

export class TokenCard {
  /** @type {number | null} */
  #pointed = null;
  /** @type {number | null} */
  #kept = null;
  #isOpen = false;
  /** Details by tokenizer and id. @type {Map<string, Details>} */
  #details = new Map();
  /** What was done to the text of tokens of `#rewritten`, by index. @type {Map<number, string[]>} */
  #rewriting = new Map();
  /** @type {import("../shared/text/tokenization.js").TokenizationModel | null} */
  #rewritten = null;
  #loadLater = debounce(() => void this.#load(), LOAD_AFTER_MS);
  #card;
  #client;
  #answers;
  #more;

  /**
   * @param {Pick<ReturnType<typeof import("../token_view/card.js").createCard>, "point" | "keep">} card
   * @param {Pick<import("../shared/net/client.js").Client, "token" | "json">} client
   * @param {Pick<import("./answers.js").Answers, "model" | "pretokens" | "question" | "askPretokens">} answers
   * @param {(i: number | null) => HTMLElement[]} more what else the drawer says of its token; null if it is closed
   */
  constructor(card, client, answers, more = () => []) {
    this.#card = card;
    this.#client = client;
    this.#answers = answers;
    this.#more = more;
  }

  /** Whether the drawer is open. */
  get isOpen() {
    return this.#isOpen;
  }

  /** Say in a bubble what a token is, unless it is in the drawer. @param {number | null} i null for none */
  point(i) {
    this.#pointed = i === this.#kept ? null : i;
    this.#drawBubble();
    if (this.#pointed !== null && !this.#details.has(this.#keyOf(this.#pointed))) this.loadSoon();
  }

  /** Show a token in the drawer. @param {number | null} i null closes it */
  keep(i) {
    this.set(i);
    this.#isOpen = i !== null;
    this.point(null);
    this.#drawDrawer();
    if (i !== null && (!this.#details.has(this.#keyOf(i)) || !this.#answers.pretokens || this.#lacksRewriting(i))) this.loadSoon();
  }

  /** Set the token of the open drawer without drawing it. @param {number | null} i null for none yet */
  set(i) {
    this.#kept = i;
  }

  /** Load the details that are lacking, and draw them. */
  loadSoon() {
    this.#loadLater.later();
  }

  async #load() {
    if (this.#pointed !== null) await this.#loadDetails(this.#pointed, () => this.#pointed, () => this.#drawBubble());
    if (this.#kept === null) return;
    const { model, pretokens } = this.#answers;
    if (model && !pretokens) void this.#answers.askPretokens({ ...this.#answers.question(), text: model.text, tokenizer: model.meta.tokenizer });
    await this.#loadDetails(this.#kept, () => this.#kept, () => this.#drawDrawer());
    if (this.#kept !== null && this.#lacksRewriting(this.#kept)) await this.#loadRewriting(this.#kept);
  }

  /** @param {number} i a token @param {() => number | null} shown the one that is shown now @param {() => void} draw */
  async #loadDetails(i, shown, draw) {
    const { model } = this.#answers;
    if (!model) return;
    const key = this.#keyOf(i);
    const { tokenizer } = model.meta;
    if (!this.#details.has(key) && tokenizer !== WORDS) {
      const details = await this.#client.token(tokenizer, model.ids[i]).catch(() => null);
      if (!details) return;
      if (this.#details.size >= MAX_DETAILS) this.#details.clear();
      this.#details.set(key, details);
    }
    const now = shown();
    if (now !== null && this.#keyOf(now) === key) draw();
  }

  /** Whether a token stands for other text than it covers, and the reason is not known yet. @param {number} i */
  #lacksRewriting(i) {
    const { model } = this.#answers;
    const details = this.#details.get(this.#keyOf(i));
    if (!model || !details || details.special || details.added || details.unknown) return false;
    return details.hex !== bytesOf(model, i) && !(this.#rewritten === model && this.#rewriting.has(i));
  }

  /** @param {number} i */
  async #loadRewriting(i) {
    const { model } = this.#answers;
    if (!model) return;
    const { text, place } = near(model, i);
    if (text.length > MAX_NEAR) return;
    const { special } = this.#answers.question();
    const [start, end] = place;
    const answer = await this.#client.json("rewriting", { tokenizer: model.meta.tokenizer, special, start, end }, text).catch(() => null);
    if (!answer) return;
    if (this.#rewritten !== model) this.#rewriting.clear();
    this.#rewritten = model;
    this.#rewriting.set(i, answer.rewriting);
    if (this.#answers.model === model && this.#kept === i) this.#drawDrawer();
  }

  #drawBubble() {
    const { model } = this.#answers;
    const i = this.#pointed;
    this.#card.point(model, i, i === null ? null : (this.#details.get(this.#keyOf(i)) ?? null));
  }

  #drawDrawer() {
    const { model, pretokens } = this.#answers;
    const i = this.#kept;
    const more = this.#more(i);
    if (!model || i === null) return this.#card.keep(null, null, null, null);
    const rewriting = this.#rewritten === model ? this.#rewriting.get(i) : undefined;
    this.#card.keep(model, i, this.#details.get(this.#keyOf(i)) ?? null, pretokens?.at(i) ?? null, rewriting, more);
  }

  /** @param {number} i */
  #keyOf(i) {
    const { model } = this.#answers;
    return `${model?.meta.tokenizer} ${model?.ids[i]}`;
  }

  dispose() {
    this.#loadLater.cancel();
  }
}

/**
 * The text around a token, which begins at the start of a token, and the token's byte range in it.
 *
 * @param {import("../shared/text/tokenization.js").TokenizationModel} model @param {number} i
 * @returns {{text: string, place: [number, number]}}
 */
function near(model, i) {
  let first = Math.max(0, i - NEIGHBORS);
  while (model.inside[first]) first--;
  const last = Math.min(model.n - 1, i + NEIGHBORS);
  const byte = model.byteOffsets[first];
  const text = model.text.slice(model.starts[first], tokenEnd(model, last));
  return { text, place: [model.byteOffsets[i] - byte, model.byteOffsets[i + 1] - byte] };
}
