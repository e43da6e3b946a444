/** Test helper: comparisons of texts that are tokenized by hand. */

import { makeComparison } from "../../tokviz/widgets/compare/model.js";

export const CLASSES = ["letters", "digits", "other"];

/**
 * Slow reference for the columns of the server's comparison: the boundaries that all tokenizers share, and the segments
 * between them that they cut differently.
 *
 * @param {string} text @param {number[][]} cuts the lengths of each tokenizer's tokens, in bytes
 * @param {Record<string, any>} [more] columns of reasons
 */
export function columnsOf(text, cuts, more = {}) {
  const ends = cuts.map((lengths) => lengths.reduce((all, length) => [...all, all.at(-1) + length], [0]));
  const boundaries = ends[0].filter((end, i) => end !== ends[0][i - 1] && ends.every((own) => own.includes(end)));
  const within = (own, k) => own.filter((end) => end >= boundaries[k] && end <= boundaries[k + 1]).join();
  const segments = [...boundaries.keys()].slice(0, -1);
  const differing = segments.filter((k) => ends.some((own) => within(own, k) !== within(ends[0], k)));
  const columns = {
    boundaries: Int32Array.from(boundaries),
    differing: Int32Array.from(differing),
    classes: Uint8Array.from(differing, () => 0),
    meta: { names: cuts.map((_, t) => `tokenizer ${t}`), colors: cuts.map((_, t) => t), classes: CLASSES, class_counts: [], agreement: [] },
    ...more,
  };
  cuts.forEach((lengths, t) => {
    columns[`ids_${t}`] = Int32Array.from(lengths.keys());
    columns[`byte_lengths_${t}`] = Int32Array.from(lengths);
    columns[`special_${t}`] = new Uint8Array(lengths.length);
  });
  return columns;
}

/**
 * A comparison with the columns of `columnsOf`.
 *
 * @param {string} text @param {number[][]} cuts @param {Record<string, any>} [more]
 */
export const compared = (text, cuts, more) => makeComparison(text, columnsOf(text, cuts, more));
