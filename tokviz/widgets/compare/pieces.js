/**
 * How the text of a segment and the tokens in it are written, on one line and with signs for what is invisible.
 */

import { withSigns } from "../shared/text/invisibles.js";
import { decoded, hex, writeToken } from "../shared/text/tokenization.js";
import { placeOf, tokensIn } from "./model.js";

/** @typedef {import("./model.js").Comparison} Comparison */

/** Maximum tokens written of a part of a character. */
const MAX_TOKENS = 60;
/** Maximum characters shown of one piece, in UTF-16 units. */
const MAX_CHARACTERS = 200;

/**
 * Text of a segment on one line, or bytes if it is only part of a character.
 *
 * @param {Comparison} comparison
 * @param {number} segment
 */
export function textOf(comparison, segment) {
  const [from, to] = placeOf(comparison, segment);
  const [first, end] = tokensIn(comparison, 0, segment);
  const model = comparison.models[0];
  const isPart = model.inside[first] || model.inside[end];
  const pieces = Array.from({ length: Math.min(MAX_TOKENS, end - first) }, (_, k) => pieceOf(comparison, 0, first + k));
  return isPart ? pieces.join(" ") : shorten(withSigns(comparison.text.slice(from, to)));
}

/**
 * Readable form of a token: its text with invisible characters as signs, or bytes if it cuts a character.
 *
 * @param {Pick<Comparison, "models"> & Partial<Comparison>} comparison
 * @param {number} t
 * @param {number} i
 */
export function pieceOf({ models, own }, t, i) {
  const model = models[t];
  const bytes = own?.[t].get(i); // which do not occur in the text
  if (!bytes) return shorten(writeToken(model, i));
  const text = decoded(bytes);
  return text === null ? hex(bytes) : shorten(withSigns(text));
}

/** @param {string} text */
const shorten = (text) => (text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text);
