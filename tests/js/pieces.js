/** Test helpers: texts tokenized by hand, and a seeded random number generator. */

import { makeTokenization } from "../../tokviz/widgets/shared/text/tokenization.js";

const encoder = new TextEncoder();

/** Length of a text in UTF-8 bytes. @param {string} text */
export const bytesIn = (text) => encoder.encode(text).length;

/**
 * Tokenize a text into tokens of given lengths in bytes.
 *
 * @param {string} text @param {number[]} lengths that add up to the text's length @param {Record<string, any>} [rest]
 */
export function cutInto(text, lengths, { ids, special, meta } = {}) {
  return makeTokenization(text, {
    ids: Int32Array.from(ids ?? lengths.keys()),
    byte_lengths: Int32Array.from(lengths),
    special: Uint8Array.from(special ?? lengths.map(() => 0)),
    meta,
  });
}

/** Ids of the pieces used so far. @type {Map<string, number>} */
const known = new Map();

/** Tokenize a text into pieces of whole characters; equal pieces have equal ids in all texts. @param {string[]} pieces */
export function tokensFrom(pieces) {
  for (const piece of pieces) if (!known.has(piece)) known.set(piece, known.size);
  return cutInto(pieces.join(""), pieces.map(bytesIn), { ids: pieces.map((piece) => known.get(piece)) });
}

/** Create a seeded generator of numbers below 2^32. @param {number} seed @returns {() => number} */
export function dice(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}

/** Random lengths from one to four that add up to a total. @param {() => number} roll @param {number} total */
export function anyLengths(roll, total) {
  const lengths = [];
  for (let left = total; left > 0; left -= lengths.at(-1)) lengths.push(Math.min(left, 1 + (roll() % 4)));
  return lengths;
}
