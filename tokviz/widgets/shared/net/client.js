/**
 * Requests to the server, and the errors for the reader. A route that one place asks has no method of its own.
 */

import { element } from "../dom/elements.js";
import { unpack } from "./columns.js";
import { BrokenLink, readText } from "./links.js";

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

/** The same as an element that looks like what it is. @param {unknown} error */
export const problemOf = (error) => element("span", { class: "problem" }, sentenceOf(error));

/**
 * @typedef {object} Question a text to tokenize, and the tokenizer
 * @property {string} text
 * @property {string} tokenizer
 * @property {boolean} special recognize special tokens
 * @property {string} [known] for the tokenizer "words": the text from which its vocabulary is built
 * @property {boolean} [ranks] whether the ranks of the tokens' merges are wanted
 */

/** The last answers, by what was asked. @type {Map<string, ArrayBuffer>} */
const kept = new Map();
const MAX_KEPT = 12;
/** Maximum characters of a text whose answer is kept, and maximum bytes of the answer. */
const MAX_KEPT_TEXT = 100_000;
const MAX_KEPT_SIZE = 1_000_000;

/** @typedef {Record<string, any> | any[][]} Query */
/** @typedef {string | Blob} Body */

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

  // Requests. A query holds parameters by name, or pairs: true and false are sent as 1 and 0, lists with commas, and what
  // is undefined is left out. A body makes it a POST request.

  /** @param {string} route @param {Query} query @param {Body} [body] @param {AbortSignal} [signal] @returns {Promise<any>} */
  async json(route, query, body, signal) {
    return (await this.#fetch(route, query, body, signal)).json();
  }

  /** @param {string} route @param {Query} query @param {Body} [body] @param {AbortSignal} [signal] @returns {Promise<string>} */
  async text(route, query, body, signal) {
    return (await this.#fetch(route, query, body, signal)).text();
  }

  /** A file. @param {string} route @param {Query} query @param {Body} [body] @param {AbortSignal} [signal] @returns {Promise<Blob>} */
  async blob(route, query, body, signal) {
    return (await this.#fetch(route, query, body, signal)).blob();
  }

  /** A response that is read as it arrives. @param {string} route @param {Query} query @param {Body} [body] @param {AbortSignal} [signal] */
  response(route, query, body, signal) {
    return this.#fetch(route, query, body, signal);
  }

  /**
   * Columns, as in `columns.js`. They depend on nothing but what is asked, so that pages which ask the same get them from
   * the tab.
   *
   * @param {string} route @param {Query} query @param {Body} body @param {AbortSignal} [signal] @returns {Promise<any>}
   */
  async columns(route, query, body, signal) {
    const asked = typeof body === "string" && body.length <= MAX_KEPT_TEXT ? `${this.#base}${route}?${parameters(query)}\n${body}` : null;
    const packed = (asked !== null && kept.get(asked)) || (await (await this.#fetch(route, query, body, signal)).arrayBuffer());
    if (asked === null) return unpack(packed);
    keep(asked, packed);
    return unpack(packed.slice(0)); // who gets columns may change them
  }

  // Texts and tokens

  /** @param {Question} question @param {boolean} counts @param {AbortSignal} [signal] @returns {Promise<import("./columns.js").TokenColumns>} */
  tokenize(question, counts, signal) {
    return this.columns("tokenize", { ...settingsOf(question), counts }, bodyOf(question), signal);
  }

  /**
   * The tokens of a text; its pre-tokens and its merges if they are wanted.
   *
   * @param {Question & {counts: boolean, pretokens: boolean, merges: boolean}} question
   * @param {AbortSignal} [signal]
   */
  async tokensAndMore({ counts, pretokens, merges, ...question }, signal) {
    const [tokens, pieces, seek] = await Promise.all([
      this.tokenize(question, counts, signal),
      pretokens ? this.pretokens(question, signal) : null,
      merges ? this.seek(question, signal) : null,
    ]);
    return { tokens, pretokens: pieces, seek };
  }

  /**
   * What a text becomes under the first k merges, for every k.
   *
   * @param {Question} question @param {AbortSignal} [signal]
   * @returns {Promise<{columns: import("./columns.js").SeekColumns} | {refusal: string}>} why the server can't tell, in words
   */
  async seek({ text, tokenizer, special }, signal) {
    try {
      return { columns: await this.columns("replay/seek", { tokenizer, special }, text, signal) };
    } catch (error) {
      if (!(error instanceof Refusal) || error instanceof Busy) throw error;
      return { refusal: error.message };
    }
  }

  /** @param {Question} question @param {AbortSignal} [signal] @returns {Promise<import("./columns.js").PretokenColumns>} */
  pretokens({ text, tokenizer, special }, signal) {
    return this.columns("pretokens", { tokenizer, special }, text, signal);
  }

  /** @param {Question} question about the text before the caret @returns {Promise<import("../../tokens/tail.js").Found>} */
  tail(question) {
    return this.json("tail", settingsOf(question), bodyOf(question));
  }

  /** @param {Question} question @param {Record<string, any>} how the file's `format`, and a page's display options */
  file(question, how) {
    return this.blob("export", { ...settingsOf(question), ...how }, bodyOf(question));
  }

  /** @param {string} tokenizer @param {number} id */
  token(tokenizer, id) {
    return this.json("token", { tokenizer, id });
  }

  /** @param {string} name */
  sample(name) {
    return this.json("sample", { name });
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

  /** @param {{text: string, second: string, tokenizer: string, special: boolean}} question @param {AbortSignal} [signal] */
  texts({ text, second, tokenizer, special }, signal) {
    return this.json("compare/texts", { tokenizer, special, first: utf8Length(text) }, text + second, signal);
  }

  // Tokenizers and their files

  /** @param {string} id @param {string} recipe */
  made(id, recipe) {
    return this.json("made", { id }, recipe);
  }

  /** Ask what files are, by their beginnings and ends. @param {File[]} files @returns {Promise<import("../ui/opening.js").Found>} */
  recognize(files) {
    const pieces = files.map((file) => (file.size > 2 * HEAD ? new Blob([file.slice(0, HEAD), file.slice(-HEAD)]) : file));
    return this.json("files-kind", files.flatMap(({ name }, i) => [["name", name], ["size", pieces[i].size]]), new Blob(pieces));
  }

  /** @param {File[]} files that hold a tokenizer together @param {import("../ui/opening.js").Said} [said] @param {File[]} [beside] that may hold its chat template */
  openTokenizer(files, { specials = "", ...said } = {}, beside = []) {
    const specialTokens = new Blob([specials]);
    const named = [...files, ...beside].flatMap(({ name, size }) => [["name", name], ["size", size]]);
    const query = [...named, ...beside.map(({ name }) => ["beside", name]), ...Object.entries(said), ["specials", specialTokens.size]];
    return this.json("tokenizer-file", query, new Blob([specialTokens, ...files, ...beside]));
  }

  /** @param {string} route @param {Query} query @param {Body} [body] @param {AbortSignal} [signal] */
  async #fetch(route, query, body, signal) {
    const options = { method: body === undefined ? "GET" : "POST", body, signal };
    const ask = (/** @type {Query} */ asked) => fetchOk(`${this.#base}_tokviz/${route}?${parameters(asked)}`, options);
    try {
      return await ask(query);
    } catch (error) {
      const remade = error instanceof Missing ? await this.#remadeIn(query) : null;
      if (!remade) throw error;
      return ask(remade);
    }
  }

  /** A query with the new ids of tokenizers that could be made again; null if there are none. @param {Query} query */
  async #remadeIn(query) {
    const field = ["tokenizer", "tokenizers"].find((name) => name in query);
    if (!field) return null;
    const names = String(/** @type {Record<string, any>} */ (query)[field]).split(",");
    const remade = await Promise.all(names.map((name) => this.#remake(name)));
    return remade.some(Boolean) ? { ...query, [field]: names.map((name, i) => remade[i] ?? name) } : null;
  }
}

/** Keep an answer as the newest. @param {string} asked @param {ArrayBuffer} packed */
function keep(asked, packed) {
  kept.delete(asked);
  if (packed.byteLength > MAX_KEPT_SIZE) return;
  kept.set(asked, packed);
  if (kept.size > MAX_KEPT) kept.delete(/** @type {string} */ (kept.keys().next().value));
}

/** @param {Query} query */
function parameters(query) {
  const given = (Array.isArray(query) ? query : Object.entries(query)).filter(([, value]) => value !== undefined);
  return new URLSearchParams(given.map(([name, value]) => [name, typeof value === "boolean" ? Number(value) : value]));
}

// Words are learned from the text itself if no other is sent before it.

/** The parameters of a question about a text. @param {Question} question */
const settingsOf = ({ text, tokenizer, special, known = text, ranks }) => ({ tokenizer, special, ranks, known: known === text ? undefined : utf8Length(known) });

/** What is sent of a question as the text. @param {Question} question */
const bodyOf = ({ text, known = text }) => (known === text ? text : known + text);

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
