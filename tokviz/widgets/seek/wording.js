/**
 * What is said about a text under the first merges of its tokenizer, and of tokenizers that have no such merges.
 */

import { number, plural } from "../shared/dom/elements.js";
import { withSigns } from "../shared/text/invisibles.js";
import { sayShortened } from "../shared/text/speak.js";
import { decoded, hex } from "../shared/text/tokenization.js";
import { newestAt } from "./model.js";

/** @typedef {import("./model.js").Seek} Seek */
/** @typedef {{name: string, said: string, symbol: number, isBytes?: boolean}} Chip one of two joined parts; `symbol`: its first; `isBytes`: no text */
/** @typedef {string | Chip} Part */

/** Maximum signs of a part that are written. */
const LONGEST = 20;
const UNITS = { bytes: "byte", characters: "character" };

/** What makes the tokens of tokenizers without merges. @type {Record<string, string>} */
const DECIDES = {
  wordpiece: "It has no merges that it could know fewer of: of each word, it takes the longest piece in its vocabulary, from the left, again and again.",
  unigram: "It has no merges that it could know fewer of: each piece has a probability, and of all ways to write a word with pieces, the most probable one is taken.",
  words: "It has no merges that it could know fewer of: it looks up whole words in a list.",
  wordlevel: "It has no merges that it could know fewer of: it looks up whole words in a list.",
  word: "It has no merges that it could know fewer of: it looks up whole words in a list.",
  char: "It has no merges that it could know fewer of: each character is looked up by itself.",
  "code-points": "It has no merges that it could know fewer of: each code point is a token.",
  bytes: "It has no merges that it could know fewer of: each byte is a token.",
};

/** What decides instead of merges; "" where merges do. @param {string | null | undefined} algorithm */
export const whatDecides = (algorithm) => (algorithm === "bpe" ? "" : (DECIDES[algorithm ?? ""] ?? "It has no merges that it could know fewer of."));

/**
 * Say which of the merges known at k joined something last.
 *
 * @param {Seek} seek @param {Uint8Array} bytes of the text @param {number} k @returns {Part[]}
 */
export function sayNewest(seek, bytes, k) {
  const join = newestAt(seek, k);
  const unit = UNITS[seek.units];
  if (!join) return [k ? `The first ${k === 1 ? "merge joins" : `${number(k)} merges join`} nothing in this text: each ${unit} is still a token` : `No merge yet: each ${unit} is a token`, ...tied(seek, bytes)];
  const [left, middle, right] = join.at;
  const often = join.places === 1 ? "once" : join.places === 2 ? "twice" : `${number(join.places)} times`;
  const parts = [chipOf(seek, bytes, left, middle), chipOf(seek, bytes, middle, right)];
  const whole = parts.some(({ isBytes }) => isBytes) ? ` (bytes of ${charactersOf(seek, bytes, left, right)})` : "";
  const isLast = k === seek.merges && join.merge < k;
  return [`Newest join in this text: merge ${number(join.merge)}, `, parts[0], " + ", parts[1], `${whole}, ${often}: ${plural(join.places, "token")} fewer.${isLast ? " No later merge joins anything in it." : ""}`];
}

/** Say what the bytes of a text have to do with its characters. @param {Seek} seek @param {Uint8Array} bytes @returns {Part[]} */
function tied(seek, bytes) {
  if (seek.units !== "bytes") return ["."];
  const first = bytes.findIndex((byte) => byte >= 0x80);
  if (first < 0) return [", and each letter is one byte."];
  const character = Array.from(textOf(bytes, first, first + 1))[0];
  return [`. A letter may have several: ${character} has ${number(new TextEncoder().encode(character).length)}.`];
}

/** The characters that the bytes of a join belong to. @param {Seek} seek @param {Uint8Array} bytes @param {number} from a symbol @param {number} to */
function charactersOf({ byteOffsets }, bytes, from, to) {
  return shortened(withSigns(textOf(bytes, byteOffsets[from], byteOffsets[to])));
}

/** The whole characters of bytes. @param {Uint8Array} bytes @param {number} from @param {number} to */
const textOf = (bytes, from, to) => decoded(bytes.subarray(characterStart(bytes, from), characterEnd(bytes, to))) ?? "";

/** Whether a byte goes on with a character of UTF-8. @param {number} byte */
const goesOn = (byte) => (byte & 0xc0) === 0x80;

/** Where the character with the byte at an offset begins. @param {Uint8Array} bytes @param {number} offset */
function characterStart(bytes, offset) {
  while (offset > 0 && goesOn(bytes[offset])) offset--;
  return offset;
}

/** Where the character ends that goes on before an offset. @param {Uint8Array} bytes @param {number} offset */
function characterEnd(bytes, offset) {
  while (offset < bytes.length && goesOn(bytes[offset])) offset++;
  return offset;
}

/** @param {Part[]} parts */
export const spokenOf = (parts) => parts.map((part) => (typeof part === "string" ? part : part.said)).join("");

/** Say where the slider stands. @param {number} k @param {number} merges @param {number} tokens */
export const sayPlace = (k, merges, tokens) => `${number(k)} of ${plural(merges, "merge")} known, ${plural(tokens, "token")}.`;

/** Say that a text is too long. @param {number} limit in bytes */
export const sayTooLong = (limit) => `Texts of up to ${number(limit / 1000)} KB can be read with fewer merges. Take a part of this one.`;

/** @param {Seek} seek @param {Uint8Array} bytes @param {number} from a symbol @param {number} to @returns {Chip} */
function chipOf({ byteOffsets }, bytes, from, to) {
  const covered = bytes.subarray(byteOffsets[from], byteOffsets[to]);
  if (!covered.length) return { name: "end of word", said: "the end of a word", symbol: from };
  const text = decoded(covered);
  if (text !== null) return { name: shortened(withSigns(text)), said: sayShortened(text, LONGEST), symbol: from };
  return { name: hex(covered), said: `${covered.length === 1 ? "byte" : "bytes"} ${hex(covered)}`, symbol: from, isBytes: true };
}

/** @param {string} name */
function shortened(name) {
  const signs = Array.from(name);
  return signs.length > LONGEST ? `${signs.slice(0, LONGEST / 2).join("")}…${signs.slice(-LONGEST / 2).join("")}` : name;
}
