/**
 * The counts in large type.
 */

import { debounce, element, fill, number, plural } from "../shared/dom/elements.js";
import { RollingNumber } from "../seek/rolling.js";
import { labelOf, percent, sayShare } from "../shared/text/windows.js";

const SPEAK_AFTER_MS = 1000;

/**
 * @typedef {object} Counted
 * @property {number} tokens
 * @property {number} bytes
 * @property {number} [characters] graphemes; this and the next are absent while being counted
 * @property {number} [codePoints]
 * @property {number | null} [words] null if the script puts no spaces between words
 */

export class Counts {
  /** Null until the first answer. @type {Counted | null} */
  #counted = null;
  #figures = {
    tokens: createFigure("tokens", "main"),
    characters: createFigure("characters"),
    words: createFigure("words"),
    bytes: createFigure("bytes"),
    bytesPerToken: createFigure("bytes per token"),
    share: createFigure("of a context window"),
  };
  /** Size of the context window, in tokens. */
  #window = 0;
  #spoken = element("p", { class: "unseen", role: "status" });
  #speak = debounce(() => fill(this.#spoken, this.#counted && summaryOf(this.#counted)), SPEAK_AFTER_MS);

  constructor() {
    const figures = Object.values(this.#figures);
    for (const figure of figures) figure.set("–");
    const [tokens, ...others] = figures.map(({ node }) => node);
    /** The number of tokens. */
    this.total = element("dl", { class: "counts" }, tokens);
    /** The other counts. */
    this.node = element("section", { class: "counting", "aria-label": "Counts" }, element("dl", { class: "counts" }, ...others), this.#spoken);
  }

  /**
   * Show the counts of the same text after another number of merges.
   *
   * @param {number} tokens
   */
  roll(tokens) {
    if (!this.#counted) return;
    this.#counted = { ...this.#counted, tokens };
    this.#figures.tokens.roll(number(tokens));
    this.#showLength(this.#counted);
    this.#speak.later();
  }

  /** Say the tokens' share of a context window. @param {number} size in tokens */
  useWindow(size) {
    this.#window = size;
    this.#figures.share.name(`of a ${labelOf(size)} context`);
    if (this.#counted) this.#showLength(this.#counted);
  }

  /** @param {Counted} counted */
  #showLength({ tokens, bytes }) {
    this.#figures.share.set(percent(tokens / this.#window), sayShare(tokens, this.#window));
    this.#figures.bytesPerToken.set(tokens ? (bytes / tokens).toFixed(2) : "–", tokens ? "" : "No tokens yet.");
  }

  /** @param {Counted} counted */
  show(counted) {
    this.#counted = counted;
    const { tokens, bytes, characters, codePoints = 0, words } = counted;
    const figures = this.#figures;
    figures.tokens.set(number(tokens));
    figures.bytes.set(number(bytes));
    this.#showLength(counted);
    if (characters !== undefined) {
      const what = `What a reader calls a character; ${plural(codePoints, "code point")}.`;
      figures.characters.set(number(characters), what);
      figures.words.set(words == null ? "–" : number(words), "As Unicode finds words: “don’t” and “1,234.56” are one each, “e-mail” is two.");
      figures.words.node.hidden = words == null;
    }
    for (const { node } of [figures.characters, figures.words]) node.classList.toggle("late", characters === undefined);
    this.#speak.later();
  }

  dispose() {
    this.#speak.cancel();
  }
}

/** A number with its name. @param {string} name @param {string} [kind] */
function createFigure(name, kind = "minor") {
  const label = element("dt", {}, name);
  let one = name.replace(/s$/, "");
  const value = element("dd", { "data-count": name });
  const shown = new RollingNumber(value);
  const named = (/** @type {string} */ text) => {
    if (label.textContent !== (text === "1" ? one : name)) label.textContent = text === "1" ? one : name;
  };
  const node = element("div", { class: kind }, label, value);
  return {
    node,
    /** @param {string} newer */
    name(newer) {
      label.textContent = name = one = newer;
    },
    /** @param {string} text @param {string} [why] tooltip, also for screen readers */
    set(text, why = "") {
      shown.write(text);
      named(text);
      if (node.title !== why) node.title = why;
    },
    /** @param {string} text */
    roll(text) {
      shown.roll(text);
      named(text);
    },
  };
}

/** @param {Counted} counted */
function summaryOf({ tokens, bytes, characters }) {
  const late = characters === undefined ? "" : `${plural(characters, "character")}, `;
  return `${plural(tokens, "token")}, ${late}${plural(bytes, "byte")}`;
}
