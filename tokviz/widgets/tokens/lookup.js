/**
 * Look up a token by its id or text, or decode several ids.
 */

import { Refusal, problemOf } from "../shared/net/client.js";
import { button, debounce, element, fill, number, plural } from "../shared/dom/elements.js";
import { appendMarked, withSigns } from "../shared/text/invisibles.js";

const WAIT_MS = 200;
/** Larger than any vocabulary's ids; JavaScript loses digits of much longer numbers. */
const LARGEST_ID = 999_999_999;
const ID_LIST = /^[[(\s]*\d+(?:[\s,;]+\d+)*[\s,;\])]*$/;

/**
 * @typedef {object} Found
 * @property {number} id
 * @property {string} hex
 * @property {string | null} text
 */

/**
 * @typedef {object} Answer the tokens of a vocabulary that match a text
 * @property {Found[]} tokens those with this text, and the first of those that contain it
 * @property {number} containing number of tokens that contain it
 * @property {boolean} special whether this is the text of a special token
 * @property {number | null} read_as number of tokens when encoded as ordinary text; null if no token has this text, or it can’t be read
 * @property {number | null} one the id of the only token that encoding gives; null if there are several
 */

/** @typedef {import("../shared/text/tokenization.js").TokenizationModel} Model */
/** @typedef {{text: string, hex: string, valid: boolean}} Decoded `valid`: whether the bytes are valid UTF-8 */

export class Lookup {
  #ask;
  #on;
  /** Number of the latest search; the results of earlier ones are dropped. */
  #latest = 0;
  #results = element("div", { class: "results", role: "status" });
  #search = debounce(() => void this.renew(), WAIT_MS);
  #input = element("input", {
    type: "text",
    class: "mono",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    input: () => this.#search.later(),
    keydown: (/** @type {KeyboardEvent} */ event) => event.key === "Enter" && this.#search.flush(),
  });

  /**
   * @param {object} ask
   * @param {(id: number) => Promise<Found>} ask.token
   * @param {(text: string) => Promise<Answer>} ask.find
   * @param {(ids: number[]) => Promise<Decoded>} ask.decode
   * @param {object} on
   * @param {(id: number) => number} on.point highlight a token in the text; returns its number of occurrences
   * @param {(text: string) => void} on.use put a text into the editor
   */
  constructor(ask, on) {
    this.#ask = ask;
    this.#on = on;
    const question = element("span", {}, "A token's id, a text, or several ids");
    const label = element("label", { class: "menu" }, question, this.#input);
    const summary = element("summary", {}, "Look up a token");
    this.node = element("details", { class: "lookup" }, summary, label, this.#results);
  }

  /** Search for what is typed, also after a change of tokenizer. */
  async renew() {
    const search = ++this.#latest;
    const parts = await this.#resultsFor(this.#input.value).catch((error) => [sentence(problemOf(error))]);
    if (search === this.#latest) fill(this.#results, ...parts);
  }

  /** Clear the numbers of occurrences, which no longer apply. */
  tokensChanged() {
    for (const here of this.#results.querySelectorAll(".here")) fill(here);
  }

  /** Give examples of what can be looked up: tokens of the text on screen. @param {Model} model */
  suggest(model) {
    this.#input.placeholder = examplesOf(model);
  }

  // Results

  /** @param {string} typed @returns {Promise<Node[]>} */
  async #resultsFor(typed) {
    if (typed === "") return [];
    const ids = parseIds(typed);
    if (ids && (ids.length > 1 || typed.includes("["))) return [this.#decoded(await this.#ask.decode(ids.map(checkedId)))];
    const byText = this.#byText(typed, await this.#ask.find(typed));
    // A number may be meant as an id or as a text, so show both.
    return ids ? [await this.#byId(ids[0]), ...byText] : byText;
  }

  /** @param {number} id */
  async #byId(id) {
    try {
      return this.#list("As an id:", [await this.#ask.token(checkedId(id))]);
    } catch (error) {
      return sentence(problemOf(error));
    }
  }

  /** @param {string} typed @param {Answer} answer @returns {Node[]} */
  #byText(typed, answer) {
    const exact = exactLists(answer, answer.tokens.filter(({ text }) => text === typed));
    const around = answer.tokens.filter(({ text }) => text !== typed);
    const none = exact.length ? "No other token contains it." : "No token contains it.";
    return [
      ...exact.map(({ says, tokens }) => this.#list(says, tokens)),
      ...(exact.length ? [] : [sentence(`No token has just the text “${withSigns(typed)}”.`)]),
      around.length ? this.#list(sayAround(answer.containing, around.length), around) : sentence(none),
    ];
  }

  /** @param {Decoded} answer */
  #decoded({ text, hex, valid }) {
    return element(
      "div",
      {},
      decodedText(text),
      valid ? null : sentence(`� stands for bytes that are no whole character. All the bytes: ${hex}`),
      valid && button("Put into the editor", () => this.#on.use(text)),
    );
  }

  /** @param {string} heading @param {Found[]} tokens */
  #list(heading, tokens) {
    const entries = tokens.map((token) => element("li", {}, this.#entry(token)));
    return element("div", {}, sentence(heading), element("ul", { class: "found" }, ...entries));
  }

  /** @param {Found} token */
  #entry({ id, text, hex }) {
    const here = element("span", { class: "quiet here" });
    return element(
      "button",
      { type: "button", class: "entry", click: () => fill(here, occurs(this.#on.point(id))) },
      element("span", { class: "quiet id" }, String(id)),
      element("span", { class: "mono token-text" }, text === null ? hex : withSigns(text)),
      here,
    );
  }

  dispose() {
    this.#search.cancel();
  }
}

/**
 * Return the tokens with exactly this text, under headings. Encoding the text alone gives one of them, or none.
 *
 * @param {Pick<Answer, "special" | "read_as" | "one">} answer @param {Found[]} tokens
 * @returns {{says: string, tokens: Found[]}[]}
 */
export function exactLists({ special, read_as, one }, tokens) {
  const encoded = tokens.filter(({ id }) => id === one);
  const others = tokens.filter(({ id }) => id !== one);
  const lists = encoded.length ? [{ says: "This text is one token:", tokens: encoded }] : [];
  if (!others.length) return lists;
  const reading = read_as === null ? "can’t be read" : `is read as ${read_as === 1 ? "another token" : plural(read_as, "token")}`;
  if (special) return [...lists, { says: `A special token is written like this; as ordinary text it ${reading}:`, tokens: others }];
  const are = others.length === 1 ? "There is a token" : "There are tokens";
  return [...lists, { says: `${are} with this text, but alone the text ${reading}:`, tokens: others }];
}

/** @param {number} containing @param {number} listed */
export function sayAround(containing, listed) {
  const all = listed < containing ? `The first ${listed} of ${number(containing)} tokens` : "Tokens";
  return `${all} that contain it:`;
}

/** @param {string} typed "[1, 2]", "1 2 3" @returns {number[] | null} null if it is not a list of ids */
export function parseIds(typed) {
  return ID_LIST.test(typed) ? (typed.match(/\d+/g) ?? []).map(Number) : null;
}

/** @param {number} id */
function checkedId(id) {
  if (id > LARGEST_ID) throw new Refusal("An id has at most nine digits.");
  return id;
}

/** @param {string} text */
function decodedText(text) {
  const shown = element("pre", { class: "mono decoded", dir: "auto", tabindex: 0 });
  appendMarked(shown, text);
  return shown;
}

/** @param {string} text */
const sentence = (text) => element("p", { class: "quiet" }, text);

/** @param {number} times */
const occurs = (times) => (times ? `${plural(times, "time")} in this text` : "not in this text");

const WORD = /^ ?\p{L}{2,12}$/u;
const MAX_SEARCHED = 200;

/** Examples of an id, a text and several ids, from a tokenized text; "" if it has no word. @param {Model} model */
export function examplesOf({ text, n, ids, starts }) {
  const wordAt = (/** @type {number} */ i) => text.slice(starts[i], starts[i + 1]);
  const first = Array.from({ length: Math.min(n, MAX_SEARCHED) }, (_, i) => i).find((i) => WORD.test(wordAt(i)));
  if (first === undefined) return "";
  return `${ids[first]}   ${wordAt(first).trim()}   [${Array.from(ids.subarray(first, first + 3)).join(", ")}]`;
}
