/** Texts cut into tokens by hand, and dice that fall the same each time, for the tests beside this. */

import { makeTokenization } from "../../tokviz/widgets/shared/tokenization.js";

const encoder = new TextEncoder();

/** How many UTF-8 bytes a text has. @param {string} text */
export const bytesIn = (text) => encoder.encode(text).length;

/**
 * A text in tokens of so many bytes each.
 *
 * @param {string} text @param {number[]} lengths which add up to the text's @param {Record<string, any>} [rest]
 */
export function cutInto(text, lengths, { ids, special, meta } = {}) {
  return makeTokenization(text, {
    ids: Int32Array.from(ids ?? lengths.keys()),
    byte_lengths: Int32Array.from(lengths),
    special: Uint8Array.from(special ?? lengths.map(() => 0)),
    meta,
  });
}

/** The ids of the pieces that there were so far. @type {Map<string, number>} */
const known = new Map();

/** A text of whole pieces; equal pieces have equal ids, in whatever text. @param {string[]} pieces */
export function tokensFrom(pieces) {
  for (const piece of pieces) if (!known.has(piece)) known.set(piece, known.size);
  return cutInto(pieces.join(""), pieces.map(bytesIn), { ids: pieces.map((piece) => known.get(piece)) });
}

/** Numbers below 2^32, the same each time. @param {number} seed @returns {() => number} */
export function dice(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}

/** Lengths of one to four that add up to a total. @param {() => number} roll @param {number} total */
export function anyLengths(roll, total) {
  const lengths = [];
  for (let left = total; left > 0; left -= lengths.at(-1)) lengths.push(Math.min(left, 1 + (roll() % 4)));
  return lengths;
}
