/**
 * The server's answers about the editor's text: its tokens, their pre-tokens, and its counts.
 */

import { debounce } from "../shared/dom/elements.js";
import { Latest } from "../shared/net/latest.js";
import { makeTokenization } from "../shared/text/tokenization.js";
import { pretokensOf } from "../token_view/pretokens.js";

/** @typedef {import("../shared/net/client.js").Question} Question */
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
  #settings;
  #editor;
  #on;
  #tokens;
  #pretokens;
  #counts;
  #countLater = debounce(() => void this.#count(), COUNT_AFTER_MS);

  /**
   * @param {object} sources
   * @param {Pick<import("../shared/net/client.js").Client, "tokensAndPretokens" | "tokenize" | "pretokens">} sources.client
   * @param {Pick<import("../shared/page/memory.js").Settings, "tokenizer" | "special" | "known" | "colorBy">} sources.settings
   * @param {{reading: () => {text: string}}} sources.editor
   * @param {object} on
   * @param {() => void} on.pretokens
   * @param {(meta: any) => void} on.counts of a long text, after its tokens
   * @param {(message: string) => void} on.refusal the server can't tokenize this text
   * @param {(connection: import("../shared/net/latest.js").Connection) => void} on.connection
   */
  constructor({ client, settings, editor }, on) {
    this.#settings = settings;
    this.#editor = editor;
    this.#on = on;
    this.#tokens = new Latest(client.tokensAndPretokens.bind(client), on);
    const quietly = { refusal: () => {} };
    this.#pretokens = new Latest(client.pretokens.bind(client), quietly);
    this.#counts = new Latest((/** @type {Question} */ asked, signal) => client.tokenize(asked, true, signal), quietly);
  }

  /** The tokens, if they are those of the editor's text; null while that is not tokenized yet. */
  get current() {
    return this.model && this.model.text === this.#editor.reading().text ? this.model : null;
  }

  /** The question about the editor's text. @returns {Question} */
  question() {
    const { tokenizer, special, known } = this.#settings;
    // If there is no word vocabulary yet, the server builds it from the text itself.
    const words = tokenizer === WORDS && known && { known };
    return { text: this.#editor.reading().text, tokenizer, special, ...words };
  }

  /** Ask for the tokens of the editor's text. @returns {Promise<Model | null>} null if they are not the newest */
  async ask() {
    const question = this.question();
    const counts = question.text.length <= COUNT_WITH_TOKENS;
    const answer = await this.#tokens.ask({ ...question, counts, pretokens: this.#settings.colorBy === "pretoken" });
    if (!answer) return null;
    this.model = makeTokenization(question.text, answer.tokens);
    this.pretokens = answer.pretokens && pretokensOf(this.model, answer.pretokens);
    if (!counts) this.#countLater.later();
    return this.model;
  }

  /** Ask for the pre-tokens of a text. */
  async askPretokens(question = this.question()) {
    const columns = await this.#pretokens.ask(question);
    if (!columns || question.text !== this.model?.text || question.tokenizer !== this.model.meta.tokenizer) return;
    this.pretokens = pretokensOf(this.model, columns);
    this.#on.pretokens();
  }

  async #count() {
    const question = this.question();
    const answer = await this.#counts.ask(question);
    if (answer && question.text === this.model?.text) this.#on.counts(answer.meta);
  }

  dispose() {
    this.#countLater.cancel();
    for (const requests of [this.#tokens, this.#counts, this.#pretokens]) requests.dispose();
  }
}
