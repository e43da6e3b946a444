/**
 * A picture of the tokens in sight.
 */

import { number, plural } from "../dom/elements.js";
import { isUnknown } from "../text/speak.js";
import { isDark, MAX_BYTES, pictureColumns } from "./pictures.js";

/** Maximum lines that end in a picture. */
const MAX_LINE_ENDS = 24;

/** @typedef {Pick<import("../text/tokenization.js").TokenizationModel, "text" | "n" | "byteOffsets" | "starts" | "inside" | "special" | "meta">} Tokens */

/** What replaces an unknown word: the next of `Kind` in `tokens_svg.py`, after those in a model. */
const UNKNOWN = 3;

/**
 * The tokens of a picture: whole characters, from the one that token `first` stands in.
 *
 * @param {Tokens} model @param {number} first
 * @returns {[first: number, end: number]}
 */
export function pictured({ text, n, byteOffsets, starts, inside }, first) {
  while (inside[first]) first--;
  let [end, lineEnds] = [first, 0];
  for (let i = first; i < n && byteOffsets[i + 1] - byteOffsets[first] <= MAX_BYTES && lineEnds < MAX_LINE_ENDS; i++) {
    if (!inside[i + 1]) end = i + 1;
    if (text.slice(starts[i], starts[i + 1]).includes("\n")) lineEnds++;
  }
  return [first, end];
}

/**
 * Say beneath the picture whose tokens they are and how many, and which of them are in the picture.
 *
 * @param {Tokens} model @param {string} name @param {[first: number, end: number]} range
 */
export function titleOf({ n, byteOffsets }, name, [first, end]) {
  const all = `${name}: ${plural(n, "token")}, ${plural(byteOffsets[n], "byte")}`;
  return end - first === n ? all : `${all}. Here: tokens ${number(first + 1)} to ${number(end)}`;
}

/** What tokens are in a picture. @param {Tokens} model @param {[first: number, end: number]} range */
export const kindsOf = (model, [first, end]) => Array.from(model.special.subarray(first, end), (kind, k) => (isUnknown(model, first + k) ? UNKNOWN : kind));

/**
 * @param {import("../net/client.js").Client} client @param {Element} page in whose theme it is drawn
 * @param {Tokens} model @param {string} name what has made the tokens @param {number} first the first token in sight
 * @returns {import("./share.js").Picture | null} null if there are no tokens, or the first is too long
 */
export function pictureOfTokens(client, page, model, name, first) {
  const [from, to] = pictured(model, first);
  if (from === to) return null;
  const { text, starts, byteOffsets } = model;
  const lengths = Array.from({ length: to - from }, (_, k) => byteOffsets[from + k + 1] - byteOffsets[from + k]);
  const sent = { text: text.slice(starts[from], starts[to]), lengths, kinds: kindsOf(model, [from, to]), title: titleOf(model, name, [from, to]) };
  const draw = () => client.blob("tokens-picture", { columns: pictureColumns(), dark: isDark(page) }, JSON.stringify(sent));
  return { name: "tokens", draw };
}
