/**
 * Ways on from the Tokens page, each with what it would show of this very text.
 */

import { debounce, element, fill, isForBrowser, plural } from "../shared/dom/elements.js";

const ASK_AFTER_MS = 700;
/** Maximum length of a text that is tokenized again for the comparison, in characters. */
const MAX_COMPARED = 100_000;

/** What is said while no comparison is known. */
const UNKNOWN = "Where do two differ, and why?";

/** The tokenizer to compare with: GPT-2, or for GPT-2 itself, GPT-4's. @param {string} tokenizer @returns {[name: string, label: string]} */
export const otherThan = (tokenizer) => (tokenizer === "gpt2" ? ["cl100k_base", "GPT-4’s tokenizer"] : ["gpt2", "GPT-2"]);

/**
 * Say what a comparison would show.
 *
 * @param {string} label of the other tokenizer
 * @param {number} other its number of tokens
 * @param {number} own
 */
export function teaserOf(label, other, own) {
  if (other === own) return `${label} takes ${plural(other, "token")}, too. The same ones?`;
  return `${label} takes ${plural(other, "token")}. Where, and why?`;
}

export class Doors {
  #client;
  #question;
  #compared = element("span");
  #own = 0;
  #askLater = debounce(() => void this.#ask(), ASK_AFTER_MS);

  /**
   * @param {Pick<import("../shared/net/client.js").Client, "tokenize">} client
   * @param {() => import("../shared/net/client.js").Question} question about the editor's text
   */
  constructor(client, question) {
    this.#client = client;
    this.#question = question;
    this.node = element(
      "nav",
      { class: "doors", "aria-label": "What next" },
      door("replay", "Watch it step by step", element("span", {}, "How did it find these pieces?")),
      door("compare", "Compare tokenizers", this.#compared),
      door("course", "Read the course", element("span", {}, "Why it is so, in short chapters; and a lesson for a class")),
    );
    this.#say(UNKNOWN);
  }

  /** The text has new tokens. @param {number} count */
  tokensChanged(count) {
    this.#own = count;
    this.#askLater.later();
  }

  async #ask() {
    const question = this.#question();
    const [name, label] = otherThan(question.tokenizer);
    const { text, special } = question;
    const isAsked = text && text.length <= MAX_COMPARED;
    const answer = isAsked ? await this.#client.tokenize({ text, special, tokenizer: name }, false).catch(() => null) : null;
    if (this.#question().text === text) this.#say(answer ? teaserOf(label, answer.ids.length, this.#own) : UNKNOWN);
  }

  /** @param {string} sentence */
  #say(sentence) {
    fill(this.#compared, sentence);
  }

  dispose() {
    this.#askLater.cancel();
  }
}

/**
 * A link to another page. Where the app's navigation has one, that is followed instead, which keeps the page loaded.
 *
 * @param {string} page
 * @param {string} label
 * @param {Node} teaser
 */
function door(page, label, teaser) {
  const follow = (/** @type {MouseEvent} */ event) => {
    const link = isForBrowser(event) ? null : document.querySelector(`[data-testid="stTopNavLink"][href$="/${page}"]`);
    if (!(link instanceof HTMLElement)) return;
    event.preventDefault();
    link.click();
  };
  return element("a", { class: "door", href: page, click: follow }, element("b", {}, `${label} →`), teaser);
}
