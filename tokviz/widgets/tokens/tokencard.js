/**
 * The card's token: the one that is pointed at, selected or at the caret, with its details from the server.
 */

import { debounce } from "../shared/dom/elements.js";
import { bytesOf, tokenEnd } from "../shared/text/tokenization.js";
import { WORDS } from "./answers.js";

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
  #token = null;
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

  /**
   * @param {Pick<ReturnType<typeof import("../token_view/card.js").createCard>, "show" | "pin">} card
   * @param {Pick<import("../shared/net/client.js").Client, "token" | "json">} client
   * @param {Pick<import("./answers.js").Answers, "model" | "pretokens" | "question" | "askPretokens">} answers
   */
  constructor(card, client, answers) {
    this.#card = card;
    this.#client = client;
    this.#answers = answers;
  }

  get token() {
    return this.#token;
  }

  /** @param {number | null} i null for none */
  show(i) {
    this.#token = i;
    const { model, pretokens } = this.#answers;
    if (!model || i === null) return this.#card.show(model, null, null, null);
    this.#draw();
    if (!this.#details.has(this.#keyOf(i)) || !pretokens || this.#lacksRewriting(i)) this.loadSoon();
  }

  /** Set the token without drawing it. @param {number | null} i */
  set(i) {
    this.#token = i;
  }

  /** @param {boolean} isPinned @param {boolean} [byCaret] */
  pin(isPinned, byCaret) {
    this.#card.pin(isPinned, byCaret);
  }

  /** Load the details that the card lacks, and draw them. */
  loadSoon() {
    this.#loadLater.later();
  }

  async #load() {
    const { model, pretokens } = this.#answers;
    if (!model || this.#token === null) return;
    const key = this.#keyOf(this.#token);
    const { tokenizer } = model.meta;
    if (!pretokens) void this.#answers.askPretokens({ ...this.#answers.question(), text: model.text, tokenizer });
    if (!this.#details.has(key) && tokenizer !== WORDS) {
      const details = await this.#client.token(tokenizer, model.ids[this.#token]).catch(() => null);
      if (!details) return;
      if (this.#details.size >= MAX_DETAILS) this.#details.clear();
      this.#details.set(key, details);
    }
    if (this.#token !== null && this.#keyOf(this.#token) === key) this.#draw();
    if (this.#token !== null && this.#lacksRewriting(this.#token)) await this.#loadRewriting(this.#token);
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
    if (this.#answers.model === model && this.#token === i) this.#draw();
  }

  #draw() {
    const { model, pretokens } = this.#answers;
    const i = this.#token;
    if (!model || i === null) return;
    const rewriting = this.#rewritten === model ? this.#rewriting.get(i) : undefined;
    this.#card.show(model, i, this.#details.get(this.#keyOf(i)) ?? null, pretokens?.at(i) ?? null, rewriting);
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
