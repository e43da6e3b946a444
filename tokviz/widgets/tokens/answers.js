/**
 * The server's answers about the editor's text: its tokens, their pre-tokens, and its counts.
 */

import { debounce } from "../shared/dom/elements.js";
import { Latest } from "../shared/net/latest.js";
import { makeTokenization, WORDS } from "../shared/text/tokenization.js";
import { Seeking } from "../seek/seeking.js";
import { pretokensOf } from "../token_view/pretokens.js";

/** @typedef {import("../shared/net/client.js").Question} Question */
/** @typedef {import("../shared/text/tokenization.js").TokenizationModel} Model */

/** Maximum text length counted in the same request; longer texts are colored first and counted in a later request. */
const COUNT_WITH_TOKENS = 20_000;
const COUNT_AFTER_MS = 400;

export class Answers {
  /** The tokens shown. Their text may be older than the editor's. @type {Model | null} */
  model = null;
  /** The latest tokens after all merges. @type {Model | null} */
  full = null;
  /** The tokens of the same text after fewer merges, once asked for. @type {Seeking | null} */
  seeking = null;
  /** Why they are not known, in words; "" if they were not asked for. */
  refusal = "";
  #settings;
  #editor;
  #needsMerges;
  #alternation;
  #on;
  #tokens;
  #seek;
  /** Whether special tokens are recognized in the text shown. */
  #special = false;
  /** Those of the text shown, once asked for. @type {import("../shared/net/columns.js").PretokenColumns | null} */
  #pretokenColumns = null;
  /** The latest pre-tokens, and the model whose tokens they are by. @type {[Model | null, ReturnType<typeof pretokensOf> | null]} */
  #latestPretokens = [null, null];
  #pretokens;
  #ranks;
  #counts;
  #countLater = debounce(() => void this.#count(), COUNT_AFTER_MS);

  /**
   * @param {object} sources
   * @param {Pick<import("../shared/net/client.js").Client, "tokensAndMore" | "tokenize" | "pretokens" | "seek">} sources.client
   * @param {Pick<import("../shared/page/memory.js").Settings, "tokenizer" | "special" | "known" | "colorBy" | "merges">} sources.settings
   * @param {{reading: () => {text: string}}} sources.editor
   * @param {(text: string) => boolean} sources.needsMerges whether those of a text are asked for with its tokens
   * @param {() => import("../token_view/colors.js").Alternation | null} sources.alternation the tints shown last
   * @param {object} on
   * @param {() => void} on.pretokens
   * @param {() => void} on.ranks
   * @param {(meta: any) => void} on.counts of a long text, after its tokens
   * @param {(message: string) => void} on.refusal the server can't tokenize this text
   * @param {(connection: import("../shared/net/latest.js").Connection) => void} on.connection
   */
  constructor({ client, settings, editor, needsMerges, alternation }, on) {
    this.#settings = settings;
    this.#editor = editor;
    this.#needsMerges = needsMerges;
    this.#alternation = alternation;
    this.#on = on;
    this.#tokens = new Latest(client.tokensAndMore.bind(client), on);
    this.#seek = new Latest(client.seek.bind(client), on);
    const quietly = { refusal: () => {} };
    this.#pretokens = new Latest(client.pretokens.bind(client), quietly);
    this.#ranks = new Latest((/** @type {Question} */ asked, signal) => client.tokenize({ ...asked, ranks: true }, false, signal), quietly);
    this.#counts = new Latest((/** @type {Question} */ asked, signal) => client.tokenize(asked, true, signal), quietly);
  }

  /** The tokens, if they are those of the editor's text; null while that is not tokenized yet. */
  get current() {
    return this.model && this.model.text === this.#editor.reading().text ? this.model : null;
  }

  /** The pre-tokens of the model's text; null if they were not asked for. */
  get pretokens() {
    const { model, full } = this;
    if (!model || !full || !this.#pretokenColumns) return null;
    if (this.#latestPretokens[0] !== model) this.#latestPretokens = [model, pretokensOf(model, this.#pretokenColumns, full)];
    return this.#latestPretokens[1];
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
    const { colorBy } = this.#settings;
    const more = { counts, pretokens: colorBy === "pretoken", ranks: colorBy === "rank" || undefined, merges: this.#needsMerges(question.text) };
    const answer = await this.#tokens.ask({ ...question, ...more });
    if (!answer) return null;
    const before = this.#tintsOfAll();
    this.model = this.full = makeTokenization(question.text, answer.tokens);
    this.#special = question.special;
    this.#take(answer.seek, before);
    this.#pretokenColumns = answer.pretokens;
    if (!counts) this.#countLater.later();
    return this.model;
  }

  /** Ask for the merges of the text shown. @returns {Promise<boolean>} whether there is an answer */
  async askMerges() {
    const question = this.question();
    const answer = await this.#seek.ask(question);
    if (!answer || !this.#isOfTokens(question)) return false;
    this.#take(answer, this.#tintsOfAll());
    return true;
  }

  /** Whether a question is about the tokens shown. @param {Question} question */
  #isOfTokens({ text, tokenizer, special }) {
    return text === this.full?.text && tokenizer === this.full.meta.tokenizer && special === this.#special;
  }

  /** @param {Awaited<ReturnType<import("../shared/net/client.js").Client["seek"]>> | null} answer @param {import("../token_view/colors.js").Alternation | null} before */
  #take(answer, before) {
    this.seeking = answer && this.full && "columns" in answer ? new Seeking(this.full, answer.columns, before) : null;
    this.refusal = answer && "refusal" in answer ? answer.refusal : "";
    this.know(this.#settings.merges);
  }

  /** The tints of the tokens after all merges. */
  #tintsOfAll() {
    return this.full?.tints ? { model: this.full, tints: this.full.tints } : this.#alternation();
  }

  /**
   * Show the tokens after fewer merges, if they are known, or after all.
   *
   * @param {number | null} k null for all
   * @returns {boolean} whether these are other tokens than before
   */
  know(k) {
    const before = this.model;
    this.model = (k !== null && this.seeking?.at(k)) || this.full;
    return this.model !== before;
  }

  /** Ask for the pre-tokens of a text. */
  async askPretokens(question = this.question()) {
    const columns = await this.#pretokens.ask(question);
    if (!columns || !this.#isOfTokens(question)) return;
    this.#pretokenColumns = columns;
    this.#latestPretokens = [null, null];
    this.#on.pretokens();
  }

  /** Ask for the ranks of the tokens shown. */
  async askRanks() {
    const question = this.question();
    const columns = await this.#ranks.ask(question);
    if (!columns?.ranks || !this.full || !this.#isOfTokens(question)) return;
    this.full.ranks = columns.ranks;
    this.#on.ranks();
  }

  async #count() {
    const question = this.question();
    const answer = await this.#counts.ask(question);
    if (answer && this.#isOfTokens(question)) this.#on.counts(answer.meta);
  }

  dispose() {
    this.#countLater.cancel();
    for (const requests of [this.#tokens, this.#counts, this.#pretokens, this.#ranks, this.#seek]) requests.dispose();
  }
}
