/**
 * Requests to the server: one method for each route, and the errors for the reader.
 */

import { unpack } from "./columns.js";
import { BrokenLink, readText } from "./links.js";

/** @typedef {import("./columns.js").ComparisonColumns} ComparisonColumns */
/** @typedef {import("./columns.js").PretokenColumns} PretokenColumns */
/** @typedef {import("./columns.js").ReasonColumns} ReasonColumns */
/** @typedef {import("./columns.js").ReplayColumns} ReplayColumns */
/** @typedef {import("./columns.js").TokenColumns} TokenColumns */

/** Bytes of a file's beginning, and of its end, by which the server recognizes it. */
const HEAD = 4096;

/** Statuses sent by gateways that can't reach the server behind them. */
const GATEWAY_STATUS = new Set([502, 503, 504]);

/** An error response from the server; `message` gives the reason in words for the reader. */
export class Refusal extends Error {}

/** What the request names is not on the server, such as a tokenizer after a restart. */
export class Missing extends Refusal {}

/** The server is overloaded; the same request may succeed later. */
export class Busy extends Refusal {}

/** Error message for the reader; the browser's own messages are not shown. @param {unknown} error */
export function sentenceOf(error) {
  const isForReader = error instanceof Refusal || error instanceof BrokenLink;
  return isForReader ? error.message : "Not connected: try again in a moment.";
}

/**
 * @typedef {object} Question a text to tokenize, and the tokenizer
 * @property {string} text
 * @property {string} tokenizer
 * @property {boolean} special recognize special tokens
 * @property {string} [known] for the tokenizer "words": the text from which its vocabulary is built
 */

/**
 * @typedef {object} Comparing a text and the tokenizers to compare on it
 * @property {string} text
 * @property {string[]} tokenizers the first is the reference
 * @property {boolean} special recognize special tokens
 */

export class Client {
  #base;
  #remake;

  /**
   * @param {string} base the app's root, ending in "/"
   * @param {(id: string) => Promise<string | null>} [remake] makes a tokenizer again that the server no longer has:
   *   its new id; null if it can't be made
   */
  constructor(base, remake = async () => null) {
    this.#base = base;
    this.#remake = remake;
  }

  // Texts and tokens

  /** @param {Question} question @param {boolean} counts @param {AbortSignal} [signal] @returns {Promise<TokenColumns>} */
  tokenize(question, counts, signal) {
    return this.#askColumns("tokenize", question, counts ? { counts: 1 } : {}, signal);
  }

  /**
   * The tokens of a text, and its pre-tokens if they are wanted.
   *
   * @param {Question & {counts: boolean, pretokens: boolean}} question
   * @param {AbortSignal} [signal]
   */
  async tokensAndPretokens({ counts, pretokens, ...question }, signal) {
    const [tokens, pieces] = await Promise.all([
      this.tokenize(question, counts, signal),
      pretokens ? this.pretokens(question, signal) : null,
    ]);
    return { tokens, pretokens: pieces };
  }

  /** @param {Question} question @param {AbortSignal} [signal] @returns {Promise<PretokenColumns>} */
  pretokens({ text, tokenizer, special }, signal) {
    return this.#askColumns("pretokens", { text, tokenizer, special }, {}, signal);
  }

  /** @param {Question} question about the text before the caret @returns {Promise<import("../../tokens/tail.js").Found>} */
  async tail(question) {
    return (await this.#ask("tail", question, {})).json();
  }

  /** @param {Question} question @param {AbortSignal} [signal] @returns {Promise<import("../../tokens/stages.js").StagesData>} */
  stages({ text, tokenizer, special }, signal) {
    return this.#json("stages", { tokenizer, special: special ? 1 : 0 }, { method: "POST", body: text, signal });
  }

  /** @param {Question} question @param {Record<string, any>} how the file's `format`, and a page's display options */
  async file(question, how) {
    return (await this.#ask("export", question, how)).blob();
  }

  /**
   * What the tokenizer changed in a text from byte `start` to `end` before it became tokens.
   *
   * @param {Question} question @param {[start: number, end: number]} place @returns {Promise<{rewriting: string[]}>}
   */
  rewriting({ text, tokenizer, special }, [start, end]) {
    return this.#json("rewriting", { tokenizer, start, end, special: special ? 1 : 0 }, { method: "POST", body: text });
  }

  /** @param {string} tokenizer @param {number} id */
  token(tokenizer, id) {
    return this.#json("token", { tokenizer, id });
  }

  /** @param {string} tokenizer @param {string} text */
  find(tokenizer, text) {
    return this.#json("find", { tokenizer }, { method: "POST", body: text });
  }

  /** @param {string} tokenizer @param {number[]} ids */
  decode(tokenizer, ids) {
    return this.#json("decode", { tokenizer }, { method: "POST", body: JSON.stringify({ ids }) });
  }

  /** @param {string} name */
  sample(name) {
    return this.#json("sample", { name });
  }

  /** @param {string} id of a text that the session keeps */
  async keptText(id) {
    return (await this.#fetch("text", { id })).text();
  }

  /**
   * The text of a link, which names a sample or holds the text itself; null if it does neither.
   *
   * @param {Record<string, string>} fields
   * @returns {Promise<string | null>}
   */
  async linkText(fields) {
    return fields.sample ? (await this.sample(fields.sample)).text : readText(fields);
  }

  // Comparisons

  /**
   * @param {Comparing} question
   * @param {boolean} reasons
   * @param {AbortSignal} [signal]
   * @returns {Promise<ComparisonColumns & Partial<ReasonColumns>>}
   */
  compare(question, reasons, signal) {
    const query = comparisonQuery(question, { reasons: reasons ? 1 : 0 });
    return this.#columns("compare", query, { method: "POST", body: question.text, signal });
  }

  /** @param {Comparing} question @param {AbortSignal} [signal] @returns {Promise<ReasonColumns>} */
  reasons(question, signal) {
    return this.#columns("compare/reasons", comparisonQuery(question), { method: "POST", body: question.text, signal });
  }

  /** @param {Comparing} question @param {string} lang of the text, "" if unknown */
  comparePage(question, lang) {
    return this.#blob("compare/page", comparisonQuery(question, { lang }), { method: "POST", body: question.text });
  }

  /**
   * @param {Comparing} question
   * @param {[number, number][]} segments byte ranges
   * @param {{before: boolean, after: boolean}} continues whether the whole text goes on before and after `text`
   */
  explain(question, segments, { before, after }) {
    const query = comparisonQuery(question, {
      segments: segments.map((pair) => pair.join("-")).join(","),
      before: before ? 1 : 0,
      after: after ? 1 : 0,
    });
    return this.#json("compare/explain", query, { method: "POST", body: question.text });
  }

  /**
   * @param {{text: string, second: string, tokenizer: string, special: boolean}} question
   * @param {AbortSignal} [signal]
   */
  texts({ text, second, tokenizer, special }, signal) {
    const query = { tokenizer, special: special ? 1 : 0, first: utf8Length(text) };
    return this.#json("compare/texts", query, { method: "POST", body: text + second, signal });
  }

  // Questions of the Compression page

  /** @param {Record<string, any>} query @param {string} body the text @param {AbortSignal} signal @returns {Promise<import("../../compression/widget.js").Answer>} */
  answer(query, body, signal) {
    return this.#json("compression", query, { method: "POST", body, signal });
  }

  /** The answers in a line, by question. @param {Record<string, any>} query @param {string} body the text @param {AbortSignal} signal @returns {Promise<Record<string, string>>} */
  answerLines(query, body, signal) {
    return this.#json("compression/lines", query, { method: "POST", body, signal });
  }

  /** @param {Record<string, any>} query @param {string} body the text */
  answerFile(query, body) {
    return this.#blob("compression/file", query, { method: "POST", body });
  }

  // Replays

  /**
   * @param {string} route
   * @param {Record<string, any>} query
   * @param {string} body
   * @param {AbortSignal} [signal]
   * @returns {Promise<ReplayColumns>}
   */
  replay(route, query, body, signal) {
    return this.#columns(route, query, { method: "POST", body, signal });
  }

  /** A replay as a `page` or a `picture`. @param {string} route @param {Record<string, any>} query @param {string} body */
  replayFile(route, query, body) {
    return this.#blob(route, query, { method: "POST", body });
  }

  // Trainings

  /** @param {Record<string, any>} query the recipe @param {string | Blob} body the texts @returns {Promise<{id: string}>} */
  train(query, body) {
    return this.#json("train", query, { method: "POST", body });
  }

  /** @param {Record<string, any>} query the recipe @param {string} body the beginning of the text @param {AbortSignal} signal */
  tryRecipe(query, body, signal) {
    return this.#json("train/try", query, { method: "POST", body, signal });
  }

  /** @param {string} id of a training @param {number} merges seen already */
  training(id, merges) {
    return this.#json("train/state", { id, merges });
  }

  /** @param {string} id */
  cancelTraining(id) {
    return this.#json("train/cancel", { id }, { method: "POST" });
  }

  /** The beginning of a sample, or of all samples of a kind. @param {string} name */
  sampleBeginning(name) {
    return this.#json("train/sample", { name });
  }

  /** @param {string} tokenizer */
  trained(tokenizer) {
    return this.#json("trained", { tokenizer });
  }

  /** @param {string} tokenizer @param {{by: string, order: string, from: number, show?: string, kind?: string}} how @param {string} query @param {AbortSignal} signal */
  vocabulary(tokenizer, how, query, signal) {
    return this.#json("trained/vocabulary", { tokenizer, ...how }, { method: "POST", body: query, signal });
  }

  /** @param {string} tokenizer of another library @param {{order: string, from: number}} how @param {string} query @param {AbortSignal} signal */
  pieces(tokenizer, how, query, signal) {
    return this.#json("trained/pieces", { tokenizer, ...how }, { method: "POST", body: query, signal });
  }

  /** How a text is cut by a tokenizer of another library. @param {string} tokenizer @param {string} text @param {AbortSignal} signal */
  readText(tokenizer, text, signal) {
    return this.#json("trained/read", { tokenizer }, { method: "POST", body: text, signal });
  }

  /** @param {string} tokenizer @returns {Promise<{title: string, name: string, says: string}[]>} */
  tokenizerFiles(tokenizer) {
    return this.#json("trained/files", { tokenizer });
  }

  /** @param {string} tokenizer @param {string} file */
  tokenizerFile(tokenizer, file) {
    return this.#blob("trained/file", { tokenizer, file });
  }

  // Tokenizers, files and addresses

  /** @param {string} id @param {string} recipe */
  made(id, recipe) {
    return this.#json("made", { id }, { method: "POST", body: recipe });
  }

  /** Ask what files are, by their beginnings and ends. @param {File[]} files @returns {Promise<import("../ui/opening.js").Found>} */
  recognize(files) {
    const pieces = files.map((file) => (file.size > 2 * HEAD ? new Blob([file.slice(0, HEAD), file.slice(-HEAD)]) : file));
    const query = files.flatMap(({ name }, i) => [["name", name], ["size", pieces[i].size]]);
    return this.#json("files-kind", query, { method: "POST", body: new Blob(pieces) });
  }

  /** @param {File[]} files that hold a tokenizer together @param {import("../ui/opening.js").Said} [said] */
  openTokenizer(files, { specials = "", ...said } = {}) {
    const specialTokens = new Blob([specials]);
    const query = [...files.flatMap(({ name, size }) => [["name", name], ["size", size]]), ...Object.entries(said).filter(([, value]) => value !== undefined), ["specials", specialTokens.size]];
    return this.#json("tokenizer-file", query, { method: "POST", body: new Blob([specialTokens, ...files]) });
  }

  /** @param {string} name of a model on the Hugging Face hub, as in hf:Qwen/Qwen3-8B */
  fetchTokenizer(name) {
    return this.#json("hub-tokenizer", { name }, { method: "POST", body: "" });
  }

  /** The server's address in its network. */
  address() {
    return this.#json("address", {});
  }

  /** @param {string} text @returns {Promise<string>} a QR code as SVG */
  async qr(text) {
    return (await this.#fetch("qr", {}, { method: "POST", body: text })).text();
  }

  /** @param {string} route @param {Record<string, any>} query @param {RequestInit} [options] */
  async #fetch(route, query, options) {
    const ask = (/** @type {Record<string, any>} */ asked) => fetchOk(`${this.#base}_tokviz/${route}?${new URLSearchParams(asked)}`, options);
    try {
      return await ask(query);
    } catch (error) {
      const remade = error instanceof Missing ? await this.#remadeIn(query) : null;
      if (!remade) throw error;
      return ask(remade);
    }
  }

  /** A query with the new ids of tokenizers that could be made again; null if there are none. @param {Record<string, any>} query */
  async #remadeIn(query) {
    const field = ["tokenizer", "tokenizers"].find((name) => name in query);
    if (!field) return null;
    const names = query[field].split(",");
    const remade = await Promise.all(names.map((/** @type {string} */ name) => this.#remake(name)));
    return remade.some(Boolean) ? { ...query, [field]: names.map((/** @type {string} */ name, /** @type {number} */ i) => remade[i] ?? name).join(",") } : null;
  }

  /** @param {string} route @param {Record<string, any>} query @param {RequestInit} [options] */
  async #json(route, query, options) {
    return (await this.#fetch(route, query, options)).json();
  }

  /** @param {string} route @param {Record<string, any>} query @param {RequestInit} [options] */
  async #blob(route, query, options) {
    return (await this.#fetch(route, query, options)).blob();
  }

  /** @param {string} route @param {Record<string, any>} query @param {RequestInit} options */
  async #columns(route, query, options) {
    return unpack(await (await this.#fetch(route, query, options)).arrayBuffer());
  }

  /** @param {string} route @param {Question} question @param {Record<string, any>} extra @param {AbortSignal} [signal] */
  #ask(route, { text, tokenizer, special, known }, extra, signal) {
    /** @type {Record<string, any>} */
    const query = { tokenizer, special: special ? 1 : 0, ...extra };
    if (known !== undefined) query.known = utf8Length(known);
    return this.#fetch(route, query, { method: "POST", body: (known ?? "") + text, signal });
  }

  /** @param {string} route @param {Question} question @param {Record<string, any>} extra @param {AbortSignal} [signal] */
  async #askColumns(route, question, extra, signal) {
    return unpack(await (await this.#ask(route, question, extra, signal)).arrayBuffer());
  }
}

/** @param {Comparing} question @param {Record<string, any>} [extra] @returns {Record<string, any>} */
function comparisonQuery({ tokenizers, special }, extra) {
  return { tokenizers: tokenizers.join(","), special: special ? 1 : 0, ...extra };
}

/**
 * Fetch a successful response. Throws `Refusal` if the server responds with an error, and TypeError or AbortError, as
 * `fetch` does, if it can't be reached.
 *
 * @param {string} url
 * @param {RequestInit} [options]
 */
async function fetchOk(url, options) {
  const response = await fetch(url, options);
  if (response.ok) return response;
  const reason = await response.json().catch(() => ({}));
  if (GATEWAY_STATUS.has(response.status)) {
    if (reason.error) throw new Busy(reason.error);
    throw new TypeError(`the server can't be reached: ${response.status}`);
  }
  if (response.status === 404 && reason.error) throw new Missing(reason.error);
  throw new Refusal(reason.error ?? "The server could not work on this text.");
}

/** @param {string} text */
const utf8Length = (text) => new TextEncoder().encode(text).length;
