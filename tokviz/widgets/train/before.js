/**
 * The text before anything is learned: each byte, or each character, is a token of its own.
 */

import { element, fill, plural } from "../shared/dom/elements.js";
import { OWN, UNIGRAM } from "./engines.js";

/** Maximum characters that are shown. */
const MAX_SHOWN = 600;

/**
 * Tokens of a text before training.
 *
 * @param {string} text
 * @param {boolean} byCharacters
 * @returns {{ids: Int32Array, lengths: Int32Array}}
 */
export function startOf(text, byCharacters) {
  const encoder = new TextEncoder();
  if (!byCharacters) {
    const bytes = encoder.encode(text);
    return { ids: Int32Array.from(bytes), lengths: new Int32Array(bytes.length).fill(1) };
  }
  const characters = Array.from(text);
  const ids = Int32Array.from(characters, (character) => /** @type {number} */ (character.codePointAt(0)));
  return { ids, lengths: Int32Array.from(characters, (character) => encoder.encode(character).length) };
}

export class Before {
  #picture;
  #says = element("p", { class: "quiet" });
  node = element("div", { class: "before" }, element("p", { class: "untrained" }, element("b", {}, "Nothing has been trained yet.")), this.#says);

  /** @param {import("./picture.js").Picture} picture */
  constructor(picture) {
    this.#picture = picture;
  }

  /** @param {string} text the beginning @param {Pick<import("./settings.js").Recipe, "algorithm" | "alphabet">} recipe */
  show(text, { algorithm, alphabet }) {
    const shown = Array.from(text.slice(0, 2 * MAX_SHOWN)).slice(0, MAX_SHOWN).join("");
    const byCharacters = alphabet === "characters" || algorithm !== OWN;
    const { ids, lengths } = startOf(shown, byCharacters);
    this.#picture.showStart(shown, ids, lengths);
    const unit = byCharacters ? "character" : "byte";
    const of = shown.length < text.length ? "The beginning of the text" : "The text";
    const says = `${of} is ${plural(ids.length, "token")} so far, as each ${unit} is one. Press Train to join them.`;
    const drops = `${of} has ${plural(ids.length, "character")}. Unigram doesn’t join them: it begins with far too many pieces, and drops those that are missed least.`;
    fill(this.#says, shown ? (algorithm === UNIGRAM ? drops : says) : "Type a text, or choose one.");
  }
}
