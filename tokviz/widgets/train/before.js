/**
 * The text before anything is learned: each byte, or each character, is a token of its own.
 */

import { plural } from "../shared/dom/elements.js";
import { OWN, UNIGRAM } from "./engines.js";

/** Maximum characters that are shown. */
const MAX_SHOWN = 600;

/** @typedef {Pick<import("./settings.js").Recipe, "algorithm" | "alphabet">} Start */

/** Whether training starts from characters, not bytes. @param {Start} recipe */
export const hasCharacters = ({ algorithm, alphabet }) => alphabet === "characters" || algorithm !== OWN;

/**
 * Tokens of the beginning of a text before training.
 *
 * @param {string} text
 * @param {boolean} byCharacters
 * @returns {{shown: string, ids: Int32Array, lengths: Int32Array}} `shown`: the beginning
 */
export function startOf(text, byCharacters) {
  const encoder = new TextEncoder();
  const characters = Array.from(text.slice(0, 2 * MAX_SHOWN)).slice(0, MAX_SHOWN);
  const shown = characters.join("");
  if (!byCharacters) {
    const bytes = encoder.encode(shown);
    return { shown, ids: Int32Array.from(bytes), lengths: new Int32Array(bytes.length).fill(1) };
  }
  const ids = Int32Array.from(characters, (character) => /** @type {number} */ (character.codePointAt(0)));
  return { shown, ids, lengths: Int32Array.from(characters, (character) => encoder.encode(character).length) };
}

/** Say what the text is before training. @param {string} text @param {string} shown its beginning @param {number} tokens of that @param {Start} recipe */
export function sayStart(text, shown, tokens, recipe) {
  if (!shown) return "Type a text, or choose one.";
  const of = shown.length < text.length ? "The beginning of the text" : "The text";
  const begins = `${of} has ${plural(tokens, "character")}. Unigram doesn’t join them: it begins with far too many pieces, and drops those that are missed least.`;
  const unit = hasCharacters(recipe) ? "character" : "byte";
  return recipe.algorithm === UNIGRAM ? begins : `${of} is ${plural(tokens, "token")} so far, as each ${unit} is one. Press Train to join them.`;
}
