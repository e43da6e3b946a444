/**
 * The server's answers about the editor's text: its tokens, their pre-tokens, and its counts.
 */

import { debounce } from "../shared/dom/elements.js";
import { Latest } from "../shared/net/latest.js";
import { makeTokenization } from "../shared/text/tokenization.js";
import { pretokensOf } from "../token_view/pretokens.js";

/** @typedef {import("../shared/net/client.js").Question} Question */
/** @typedef {import("../shared/net/columns.js").TokenColumns} TokenColumns */
/** @typedef {import("../shared/net/columns.js").PretokenColumns} PretokenColumns */
/** @typedef {import("../shared/text/tokenization.js").TokenizationModel} Model */

/** The tokenizer over words, whose vocabulary is built from a text. */
export const WORDS = "words";
/** Maximum text length counted in the same request; longer texts are colored first and counted in a later request. */
const COUNT_WITH_TOKENS = 20_000;
const COUNT_AFTER_MS = 400;

export class Answers {
  /** The latest tokens. Their text may be older than the editor's. @type {Model | null} */
  model = null;
  /** The pre-tokens of the model's text, once asked for. @type {ReturnType<typeof pretokensOf> | null} */
  pretokens = null;
  #client;
  #settings;
  #editor;
  #on;
  #tokens;
  #pretokens;
  #counts;
  #countLater = debounce(() => this.#counts.ask(this.question()), COUNT_AFTER_MS);

  /**
   * @param {object} sources
   * @param {Pick<import("../shared/net/client.js").Client, "tokenize" | "pretokens">} sources.client
   * @param {Pick<import("../shared/page/memory.js").Settings, "tokenizer" | "special" | "known" | "colorBy">} sources.settings
   * @param {{reading: () => {text: string}}} sources.editor
   * @param {object} on
   * @param {(before: Model | null) => void} on.tokens there are new tokens; `before`: the previous ones
   * @param {() => void} on.pretokens
   * @param {(meta: any) => void} on.counts with the counts, or without them until they are known
   * @param {(message: string) => void} on.refusal the server can't tokenize this text
   * @param {(connection: import("../shared/net/latest.js").Connection) => void} on.connection
   */
  constructor({ client, settings, editor }, on) {
    this.#client = client;
    this.#settings = settings;
    this.#editor = editor;
    this.#on = on;
    this.#tokens = new Latest((/** @type {Question} */ question, signal) => this.#tokenize(question, signal), {
      answer: (answer, asked) => this.#takeTokens(answer, asked),
      refusal: on.refusal,
      connection: on.connection,
    });
    this.#pretokens = new Latest((/** @type {Question} */ question, signal) => this.#requestPretokens(question, signal), {
      answer: (columns, asked) => this.#takePretokens(columns, asked),
      refusal: () => {},
    });
    this.#counts = new Latest((/** @type {Question} */ question, signal) => client.tokenize(question, true, signal), {
      answer: ({ meta }, asked) => asked.text === this.model?.text && this.#takeCounts(meta),
      refusal: () => {},
    });
  }

  /** The tokens, if they are those of the editor's text; null while that is not tokenized yet. */
  get current() {
    return this.model && this.model.text === this.#editor.reading().text ? this.model : null;
  }

  // Questions

  /** The question about the editor's text. @returns {Question} */
  question() {
    const { tokenizer, special, known } = this.#settings;
    // If there is no word vocabulary yet, the server builds it from the text itself.
    const words = tokenizer === WORDS && known && { known };
    return { text: this.#editor.reading().text, tokenizer, special, ...words };
  }

  /** Ask for the tokens of the editor's text. */
  ask() {
    this.#tokens.ask(this.question());
  }

  /** Ask for the pre-tokens of a text. */
  askPretokens(question = this.question()) {
    this.#pretokens.ask(question);
  }

  /** @param {Question} question @param {AbortSignal} signal */
  async #tokenize(question, signal) {
    const withCounts = question.text.length <= COUNT_WITH_TOKENS;
    const [tokens, pretokens] = await Promise.all([
      this.#client.tokenize(question, withCounts, signal),
      this.#settings.colorBy === "pretoken" ? this.#requestPretokens(question, signal) : null,
    ]);
    return { tokens, pretokens };
  }

  /** @param {Question} question @param {AbortSignal} signal */
  #requestPretokens({ text, tokenizer, special }, signal) {
    return this.#client.pretokens({ text, tokenizer, special }, signal);
  }

  // Answers

  /** @param {{tokens: TokenColumns, pretokens: PretokenColumns | null}} answer @param {Question} asked */
  #takeTokens({ tokens, pretokens }, asked) {
    const before = this.model;
    this.model = makeTokenization(asked.text, tokens);
    this.pretokens = pretokens && pretokensOf(this.model, pretokens);
    this.#on.tokens(before);
    this.#takeCounts(tokens.meta);
  }

  /** @param {PretokenColumns} columns @param {Question} asked */
  #takePretokens(columns, asked) {
    if (!this.model || asked.text !== this.model.text || asked.tokenizer !== this.model.meta.tokenizer) return;
    this.pretokens = pretokensOf(this.model, columns);
    this.#on.pretokens();
  }

  /** @param {any} meta */
  #takeCounts(meta) {
    this.#on.counts(meta);
    if (meta.characters === undefined) this.#countLater.later();
  }

  dispose() {
    this.#countLater.cancel();
    for (const requests of [this.#tokens, this.#counts, this.#pretokens]) requests.dispose();
  }
}
