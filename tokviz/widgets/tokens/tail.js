/**
 * The last tokens of the text, which may change if more text follows, with an example, on the last token's card.
 */

import { element, fill, plural } from "../shared/dom/elements.js";
import { problemOf } from "../shared/net/client.js";
import { withSigns } from "../shared/text/invisibles.js";

/** Longest text that is looked at, in UTF-16 units. */
const MAX_LENGTH = 100_000;
/** Maximum tokens written out; of more, the first ones. */
const MAX_WRITTEN = 6;

/**
 * @typedef {object} Found
 * @property {number} stable number of the text's first tokens that stay, whatever follows
 * @property {Token[]} now the tokens after these
 * @property {string} following a text that changes these tokens if it follows them; "" if there is none, or none that is short
 * @property {Token[]} then what they are before it, and the tokens of that text itself
 */
/** @typedef {{id: number, hex: string, text: string | null}} Token */
/** @typedef {string | {written: string}} Part a sentence's words, or a token in it */

export class Tail {
  #client;
  #answers;
  #isMerged;
  #mark;
  /** The latest question, as JSON; "" while the card is of another token. */
  #asked = "";
  #answer = element("p", { role: "status" });
  #node;

  /**
   * @param {Pick<import("../shared/net/client.js").Client, "tail">} client
   * @param {Pick<import("./answers.js").Answers, "model" | "full" | "current" | "question">} answers
   * @param {() => boolean} isMerged whether the tokenizer merges
   * @param {(stable: number) => void} mark the tokens from the number `stable` on
   */
  constructor(client, answers, isMerged, mark) {
    this.#client = client;
    this.#answers = answers;
    this.#isMerged = isMerged;
    this.#mark = mark;
    const why = "A model continues from the tokens it is given and can't change them. So end a prompt where its last tokens would be the same with more text after them.";
    this.#node = element("section", { class: "tail" }, element("h3", {}, "What if more text follows?"), this.#answer, element("p", { class: "quiet" }, why));
  }

  /**
   * Describe a token on its card: not at all, unless it is the text's last one after all merges.
   *
   * @param {number | null} i null for none
   * @returns {HTMLElement[]}
   */
  about(i) {
    const { model, full, current } = this.#answers;
    const question = this.#answers.question();
    const isLast = model !== null && model === full && model === current && i === model.n - 1;
    const isAbout = isLast && this.#isMerged() && question.text.length <= MAX_LENGTH;
    const asked = isAbout ? JSON.stringify(question) : "";
    if (asked === this.#asked) return isAbout ? [this.#node] : [];
    this.#asked = asked;
    this.#mark(Infinity);
    fill(this.#answer);
    if (!isAbout) return [];
    void this.#ask(question, asked);
    return [this.#node];
  }

  /** @param {import("../shared/net/client.js").Question} question @param {string} asked */
  async #ask(question, asked) {
    try {
      const found = await this.#client.tail(question);
      if (asked !== this.#asked) return;
      fill(this.#answer, ...describe(found).map((part) => (typeof part === "string" ? part : chip(part.written))));
      this.#mark(found.now.length ? found.stable : Infinity);
    } catch (error) {
      if (asked === this.#asked) fill(this.#answer, problemOf(error));
    }
  }

  dispose() {
    this.#asked = "";
  }
}

/**
 * Say which tokens may change, and give the example.
 *
 * @param {Found} found
 * @returns {Part[]}
 */
export function describe({ stable, now, following, then }) {
  if (!now.length) return [`Whatever follows, ${stable === 1 ? "the token" : `the ${plural(stable, "token")}`} will stay.`];
  const which = now.length === 1 ? "The last token, " : `The last ${plural(now.length, "token")}, `;
  const may = now.length === 1 ? ", is not settled yet." : ", are not settled yet.";
  if (!following) return [which, ...written(now), `${may} A longer text after it can change that.`];
  return [which, ...written(now), `${may} With `, { written: withSigns(following) }, " after it: ", ...written(then), "."];
}

/** @param {Token[]} tokens @returns {Part[]} */
function written(tokens) {
  const parts = tokens.slice(0, MAX_WRITTEN).flatMap(({ text, hex }) => [" ", { written: text === null ? hex : withSigns(text) }]);
  return [...parts.slice(1), tokens.length > MAX_WRITTEN && " …"].filter((part) => part !== false);
}

/** @param {string} text */
const chip = (text) => element("code", { class: "chip" }, element("bdi", {}, text));
