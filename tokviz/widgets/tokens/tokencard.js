/**
 * The card's token: the one that is pointed at, selected or at the caret, with its details from the server.
 */

import { debounce } from "../shared/dom/elements.js";
import { WORDS } from "./answers.js";

/** @typedef {import("../token_view/card.js").Details} Details */

const LOAD_AFTER_MS = 80;
/** Maximum token details cached. */
const MAX_DETAILS = 500;

export class TokenCard {
  /** @type {number | null} */
  #token = null;
  /** Details by tokenizer and id. @type {Map<string, Details>} */
  #details = new Map();
  #loadLater = debounce(() => void this.#load(), LOAD_AFTER_MS);
  #card;
  #client;
  #answers;

  /**
   * @param {Pick<ReturnType<typeof import("../token_view/card.js").createCard>, "show" | "pin">} card
   * @param {Pick<import("../shared/net/client.js").Client, "token">} client
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
    if (!this.#details.has(this.#keyOf(i)) || !pretokens) this.loadSoon();
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
  }

  #draw() {
    const { model, pretokens } = this.#answers;
    const i = this.#token;
    if (!model || i === null) return;
    this.#card.show(model, i, this.#details.get(this.#keyOf(i)) ?? null, pretokens?.at(i) ?? null);
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
