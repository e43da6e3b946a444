/**
 * Requests to the server in two layers: `createClient` wraps the routes, `latest` drops answers that are out of date.
 */

import { unpack } from "./columns.js";

/** @typedef {import("./columns.js").ComparisonColumns} ComparisonColumns */
/** @typedef {import("./columns.js").PretokenColumns} PretokenColumns */
/** @typedef {import("./columns.js").ReasonColumns} ReasonColumns */
/** @typedef {import("./columns.js").ReplayColumns} ReplayColumns */
/** @typedef {import("./columns.js").TokenColumns} TokenColumns */
import { BrokenLink } from "./links.js";

/** Time without an answer before the page reports a slow connection. */
const SILENCE_MS = 900;
const RETRY_MS = 1000;
/** Request timeout, to which the time for uploading the text over a slow connection is added. */
const TIMEOUT_MS = 15_000;
const SLOW_CONNECTION_CHARACTERS_PER_MS = 20;

/** Statuses sent by gateways that can't reach the server behind them. */
const GATEWAY_STATUS = new Set([502, 503, 504]);

/** An error response from the server; `message` gives the reason in words for the reader. */
export class Refusal extends Error {}

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

/**
 * @param {string} base the app's root, ending in "/"
 */
export function createClient(base) {
  const address = (/** @type {string} */ route, /** @type {Record<string, any>} */ query) =>
    `${base}_tokviz/${route}?${new URLSearchParams(query)}`;

  /** @param {string} route @param {Record<string, any>} query @param {RequestInit} [options] */
  const json = async (route, query, options) => (await fetchOk(address(route, query), options)).json();

  /** @param {string} route @param {Question} question @param {Record<string, any>} extra @param {AbortSignal} [signal] */
  const ask = (route, { text, tokenizer, special, known }, extra, signal) => {
    /** @type {Record<string, any>} */
    const query = { tokenizer, special: special ? 1 : 0, ...extra };
    if (known !== undefined) query.known = utf8Length(known);
    return fetchOk(address(route, query), { method: "POST", body: (known ?? "") + text, signal });
  };

  /** @param {Parameters<typeof ask>} args */
  const columns = async (...args) => unpack(await (await ask(...args)).arrayBuffer());

  /** @param {Comparing} question @param {Record<string, any>} [extra] @returns {Record<string, any>} */
  const comparisonQuery = ({ tokenizers, special }, extra) => ({
    tokenizers: tokenizers.join(","),
    special: special ? 1 : 0,
    ...extra,
  });

  return {
    /** @param {Comparing} question @param {boolean} reasons @param {AbortSignal} [signal] @returns {Promise<ComparisonColumns & Partial<ReasonColumns>>} */
    compare: async (question, reasons, signal) => {
      const query = comparisonQuery(question, { reasons: reasons ? 1 : 0 });
      const options = { method: "POST", body: question.text, signal };
      return unpack(await (await fetchOk(address("compare", query), options)).arrayBuffer());
    },
    /** @param {Comparing} question @param {AbortSignal} [signal] @returns {Promise<ReasonColumns>} */
    reasons: async (question, signal) => {
      const options = { method: "POST", body: question.text, signal };
      return unpack(await (await fetchOk(address("compare/reasons", comparisonQuery(question)), options)).arrayBuffer());
    },
    /** @param {Comparing} question @param {string} lang of the text, "" if unknown */
    comparePage: async (question, lang) => {
      const options = { method: "POST", body: question.text };
      return (await fetchOk(address("compare/page", comparisonQuery(question, { lang })), options)).blob();
    },
    /**
     * @param {Comparing} question
     * @param {[number, number][]} segments byte ranges
     * @param {{before: boolean, after: boolean}} continues whether the whole text goes on before and after `text`
     */
    explain: ({ text, ...question }, segments, { before, after }) => {
      const query = comparisonQuery({ text, ...question }, {
        segments: segments.map((pair) => pair.join("-")).join(","),
        before: before ? 1 : 0,
        after: after ? 1 : 0,
      });
      return json("compare/explain", query, { method: "POST", body: text });
    },
    /** @param {{text: string, second: string, tokenizer: string, special: boolean}} question @param {AbortSignal} [signal] */
    texts: ({ text, second, tokenizer, special }, signal) => {
      const query = { tokenizer, special: special ? 1 : 0, first: utf8Length(text) };
      return json("compare/texts", query, { method: "POST", body: text + second, signal });
    },
    /** @param {Question} question @param {boolean} counts @param {AbortSignal} [signal] @returns {Promise<TokenColumns>} */
    tokenize: (question, counts, signal) => columns("tokenize", question, counts ? { counts: 1 } : {}, signal),
    /** @param {Question} question @param {AbortSignal} [signal] @returns {Promise<PretokenColumns>} */
    pretokens: (question, signal) => columns("pretokens", question, {}, signal),
    /** @param {string} route @param {Record<string, any>} query @param {string} body @param {AbortSignal} [signal] @returns {Promise<ReplayColumns>} */
    replay: async (route, query, body, signal) =>
      unpack(await (await fetchOk(address(route, query), { method: "POST", body, signal })).arrayBuffer()),
    /** @param {string} route @param {Record<string, any>} query @param {string} body */
    replayPage: async (route, query, body) => (await fetchOk(address(route, query), { method: "POST", body })).blob(),
    /** @param {Question} question @param {Record<string, any>} how the file's `format`, and a page's display options */
    file: async (question, how) => (await ask("export", question, how)).blob(),
    /** @param {string} id of a file offered by the page */
    download: async (id) => (await fetchOk(address("download", { id }))).blob(),
    /** @param {string} tokenizer @param {number} id */
    token: (tokenizer, id) => json("token", { tokenizer, id }),
    /** @param {string} tokenizer @param {string} text */
    find: (tokenizer, text) => json("find", { tokenizer }, { method: "POST", body: text }),
    /** @param {string} tokenizer @param {number[]} ids */
    decode: (tokenizer, ids) => json("decode", { tokenizer }, { method: "POST", body: JSON.stringify({ ids }) }),
    /** @param {string} name */
    sample: (name) => json("sample", { name }),
    /** @param {string} id @param {string} recipe */
    made: (id, recipe) => json("made", { id }, { method: "POST", body: recipe }),
    /** @param {string} name of a file that holds a tokenizer @param {Uint8Array<ArrayBuffer>} bytes */
    openTokenizer: (name, bytes) => json("tokenizer-file", { name }, { method: "POST", body: bytes }),
    address: () => json("address", {}),
    /** @param {string} text */
    qr: async (text) => (await fetchOk(address("qr", {}), { method: "POST", body: text })).text(),
  };
}

/**
 * Send requests about a value that keeps changing, one at a time.
 *
 * While a request is in flight, only the newest question is kept, and answers to older ones are dropped. If a request
 * fails, the newest question is retried until it is answered or replaced.
 *
 * @template {{text: string}} Q
 * @template A
 * @param {(question: Q, signal: AbortSignal) => Promise<A>} send
 * @param {object} on
 * @param {(answer: A, question: Q) => void} on.answer
 * @param {(message: string) => void} on.refusal
 * @param {(connection: "connected" | "slow" | "lost") => void} [on.connection] called when the connection changes
 */
export function latest(send, on) {
  /** @type {Q | null} */
  let newest = null;
  /** @type {AbortController | null} */
  let inFlight = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let retry;
  let connection = "connected";
  let disposed = false;

  /** @param {"connected" | "slow" | "lost"} now */
  function report(now) {
    if (now === connection) return;
    connection = now;
    on.connection?.(now);
  }

  /** @param {Q} question */
  function ask(question) {
    newest = question;
    // While disconnected, the retry sends the newest question; a request per key press would be useless.
    if (!inFlight && retry === undefined) submit(question);
  }

  /** @param {Q} question */
  async function submit(question) {
    const controller = new AbortController();
    inFlight = controller;
    const silence = setTimeout(() => connection === "connected" && report("slow"), SILENCE_MS);
    const timeout = TIMEOUT_MS + question.text.length / SLOW_CONNECTION_CHARACTERS_PER_MS;
    const deadline = setTimeout(() => controller.abort(), timeout);
    /** Delivers the answer or refusal; null if there was neither. @type {(() => void) | null} */
    let deliver = null;
    let isBusy = false;
    try {
      const answer = await send(question, controller.signal);
      deliver = () => on.answer(answer, question);
    } catch (error) {
      isBusy = error instanceof Busy;
      if (error instanceof Refusal && !isBusy) deliver = () => on.refusal(error.message);
    } finally {
      clearTimeout(silence);
      clearTimeout(deadline);
    }
    if (disposed || inFlight !== controller) return;
    inFlight = null;
    if (!deliver) return retryAfter(isBusy ? "slow" : "lost");
    report("connected");
    if (question === newest) deliver();
    else submit(/** @type {Q} */ (newest));
  }

  /** @param {"slow" | "lost"} connection */
  function retryAfter(connection) {
    report(connection);
    retry = setTimeout(retryNow, RETRY_MS);
  }

  function retryNow() {
    if (retry === undefined) return;
    clearTimeout(retry);
    retry = undefined;
    submit(/** @type {Q} */ (newest));
  }

  function stop() {
    newest = null;
    clearTimeout(retry);
    retry = undefined;
    inFlight?.abort();
    inFlight = null;
  }

  window.addEventListener("online", retryNow);

  return {
    ask,
    /** Forget the question: any answer still to come is about a value that no longer exists. */
    drop() {
      stop();
      report("connected"); // nothing is waiting for the connection
    },
    dispose() {
      disposed = true;
      stop();
      window.removeEventListener("online", retryNow);
    },
  };
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
  throw new Refusal(reason.error ?? "The server could not work on this text.");
}

/** @param {string} text */
const utf8Length = (text) => new TextEncoder().encode(text).length;
