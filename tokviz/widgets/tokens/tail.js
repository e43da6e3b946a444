/**
 * What if more text follows? Which last tokens before the caret may then change, on demand, with an example.
 */

import { debounce, element, fill, plural } from "../shared/dom/elements.js";
import { sentenceOf } from "../shared/net/client.js";
import { withSigns } from "../shared/text/invisibles.js";

const ASK_AFTER_MS = 250;
/** Longest text before the caret that is looked at, in UTF-16 units. */
const MAX_BEFORE = 100_000;
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
  #question;
  #place;
  #mark;
  #latest = 0;
  #answer = element("p", { class: "tail-answer", role: "status" });
  #askLater = debounce(() => void this.#ask(), ASK_AFTER_MS);

  /**
   * @param {Pick<import("../shared/net/client.js").Client, "tail">} client
   * @param {() => import("../shared/net/client.js").Question} question about the editor's text
   * @param {() => number} place of the caret in the text
   * @param {(stable: number, before: number) => void} mark the tokens from the number `stable` on that begin before a
   *   place; none, if that is 0
   */
  constructor(client, question, place, mark) {
    this.#client = client;
    this.#question = question;
    this.#place = place;
    this.#mark = mark;
    const why = "A model continues from the tokens it is given and can't change them. So end a prompt where its last tokens would be the same with more text after them.";
    this.node = element(
      "details",
      { class: "tail", toggle: () => this.#toggled() },
      element("summary", {}, "What if more text follows?"),
      this.#answer,
      element("p", { class: "quiet" }, why),
    );
  }

  /** The caret, the text or the tokenizer has changed. */
  changed() {
    if (this.node.open) this.#askLater.later();
  }

  /** The tokens on screen are new ones. */
  tokensChanged() {
    this.#mark(0, 0);
    this.changed();
  }

  #toggled() {
    if (this.node.open) return void this.#ask();
    this.#latest++;
    this.#mark(0, 0);
  }

  async #ask() {
    const request = ++this.#latest;
    const question = this.#question();
    const before = beforeCaret(question.text, this.#place());
    if (before.length > MAX_BEFORE) return this.#say(["Only the first 100,000 characters are looked at: put the caret there."]);
    try {
      const found = await this.#client.tail({ ...question, text: before });
      if (request !== this.#latest) return;
      this.#say(describe(found, before.length === question.text.length));
      this.#mark(found.stable, found.now.length ? before.length : 0);
    } catch (error) {
      if (request === this.#latest) this.#say([sentenceOf(error)]);
    }
  }

  /** @param {Part[]} parts of the answer; marks of an earlier one are removed */
  #say(parts) {
    this.#mark(0, 0);
    fill(this.#answer, ...parts.map((part) => (typeof part === "string" ? part : chip(part.written))));
  }

  dispose() {
    this.#latest++;
    this.#askLater.cancel();
  }
}

/**
 * The text before the caret; all of it, if the caret was never moved from the beginning.
 *
 * @param {string} text
 * @param {number} caret
 */
export function beforeCaret(text, caret) {
  return caret ? text.slice(0, caret) : text;
}

/**
 * Say which tokens may change, and give the example.
 *
 * @param {Found} found
 * @param {boolean} isEnd whether the caret is at the end of the text
 * @returns {Part[]}
 */
export function describe({ stable, now, following, then }, isEnd) {
  const where = isEnd ? "" : " before the caret";
  if (!now.length) return [stable ? `Whatever follows, ${stable === 1 ? "the token" : `the ${plural(stable, "token")}`}${where} will stay.` : "There is no text before the caret."];
  const which = now.length === 1 ? `The last token${where}, ` : `The last ${plural(now.length, "token")}${where}, `;
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
