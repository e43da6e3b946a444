/**
 * What is said about a text under the first merges of its tokenizer, and of tokenizers that have no such merges.
 */

import { number, plural } from "../shared/dom/elements.js";
import { withSigns } from "../shared/text/invisibles.js";
import { sayShortened } from "../shared/text/speak.js";
import { hex } from "../shared/text/tokenization.js";
import { newestAt } from "./model.js";

/** @typedef {import("./model.js").Seek} Seek */
/** @typedef {{name: string, said: string, symbol: number}} Chip one of two joined parts; `symbol`: its first */
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
  if (!join) return [k ? `The first ${k === 1 ? "merge joins" : `${number(k)} merges join`} nothing here: every ${unit} is a token still.` : `No merges yet: every ${unit} is a token.`];
  const [left, middle, right] = join.at;
  const often = join.places === 1 ? ", once." : join.places === 2 ? ", twice." : `, ${number(join.places)} times.`;
  return [`The last that joins here: merge ${number(join.merge)}, `, chipOf(seek, bytes, left, middle), " + ", chipOf(seek, bytes, middle, right), often];
}

/** @param {Part[]} parts */
export const spokenOf = (parts) => parts.map((part) => (typeof part === "string" ? part : part.said)).join("");

/** Say where the slider stands. @param {number} k @param {number} merges @param {number} tokens */
export const sayPlace = (k, merges, tokens) => `${number(k)} of ${plural(merges, "merge")} known, ${plural(tokens, "token")}.`;

/** What is asked. @param {number | null} k @param {number} [merges] all of them */
export const sayQuestion = (k, merges) => (k === null || k === merges ? "What if it knew less?" : `What if it knew ${k ? `only ${plural(k, "merge")}` : "no merge"}?`);

/** Say that a text is too long. @param {number} limit in bytes */
export const sayTooLong = (limit) => `Texts of up to ${number(limit / 1000)} KB can be read with fewer merges. Take a part of this one.`;

/** @param {Seek} seek @param {Uint8Array} bytes @param {number} from a symbol @param {number} to @returns {Chip} */
function chipOf({ byteOffsets }, bytes, from, to) {
  const covered = bytes.subarray(byteOffsets[from], byteOffsets[to]);
  if (!covered.length) return { name: "end of word", said: "the end of a word", symbol: from };
  try {
    const text = decoder.decode(covered);
    return { name: shortened(withSigns(text)), said: sayShortened(text, LONGEST), symbol: from };
  } catch {
    return { name: hex(covered), said: `${covered.length === 1 ? "byte" : "bytes"} ${hex(covered)}`, symbol: from };
  }
}

/** @param {string} name */
function shortened(name) {
  const signs = Array.from(name);
  return signs.length > LONGEST ? `${signs.slice(0, LONGEST / 2).join("")}…${signs.slice(-LONGEST / 2).join("")}` : name;
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
