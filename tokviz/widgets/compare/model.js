/**
 * Model of a text tokenized by several tokenizers.
 *
 * Positions from the server are byte offsets; positions for drawing are in UTF-16 units. A *segment* lies between two
 * neighboring boundaries that all tokenizers share; a *difference* is a segment that they don't all cut alike.
 */

import { firstIndex, makeTokenization, tokenEnd } from "../shared/text/tokenization.js";

/** @typedef {import("../shared/net/columns.js").ReasonColumns} ReasonColumns */

/**
 * @typedef {object} Comparison
 * @property {string} text
 * @property {string[]} names display names of the tokenizers; the first is the reference
 * @property {number[]} colors the number of each tokenizer's color, the same on all pages
 * @property {import("../shared/text/tokenization.js").TokenizationModel[]} models one for each tokenizer
 * @property {Map<number, Uint8Array>[]} own for each tokenizer, by token index, the vocabulary bytes of tokens that
 *   share a rewritten character, where the covered bytes say little
 * @property {("pattern" | "rules" | "")[]} cutting for each tokenizer, what cuts the text before tokens are looked for: a
 *   split pattern, before merges; other rules; or nothing
 * @property {(number | null)[]} unknown for each tokenizer, the id of the token for what none spells; null if not used
 * @property {string[]} unknownSays for each tokenizer, how many of its tokens are that one; "" if none
 * @property {Int32Array} boundaries in bytes, from 0 to the text's end; segment s lies between entries s and s + 1
 * @property {Int32Array} differing indices of the segments that differ, sorted
 * @property {Uint8Array} isDiffering 1 for each segment that differs, else 0
 * @property {Uint8Array} classes text class of each difference, an index into `classNames`
 * @property {string[]} classNames
 * @property {Uint8Array} bits reasons of each difference over all tokenizers, as a sum of `REASONS`' bits; 0 until
 *   loaded
 * @property {number[][]} classCounts for each tokenizer, its tokens by class
 * @property {[jaccard: number, inCommon: number][][]} agreement of each pair of tokenizers
 */

/** Reasons why two tokenizers differ: bit, name, and meaning. */
export const REASONS = [
  {
    bit: 2,
    name: "split",
    says:
      "The text is cut before tokens are looked for, and the two cut it differently: " +
      "for example, one cuts off 's or takes numbers by threes.",
  },
  {
    bit: 4,
    name: "vocabulary",
    says: "One of them uses a token here that the other doesn't have, such as one token for four spaces.",
  },
  {
    bit: 8,
    name: "merge order",
    says:
      "Both have all the tokens that are used here, but they join pieces in another order, " +
      "or no merge of one of them makes such a token, though it may take that token whole.",
  },
  {
    bit: 1,
    name: "alphabet",
    says:
      "They don't begin with the same pieces: bytes, characters or whole words; or one of them cuts out a special " +
      "or added token first.",
  },
  {
    bit: 16,
    name: "normalization",
    says:
      "Only one of them changes the text before it cuts it, or they change it differently: for example, one makes all " +
      "letters lower case, removes accents, or drops spaces.",
  },
  {
    bit: 32,
    name: "algorithm",
    says:
      "Both have all the tokens that are used here, but they choose among them differently: byte pair encoding merges, " +
      "WordPiece takes the longest token that fits, Unigram those with the best scores.",
  },
];

/**
 * @param {string} text
 * @param {import("../shared/net/columns.js").ComparisonColumns & Partial<ReasonColumns>} unpacked the server's answer
 * @returns {Comparison}
 */
export function makeComparison(text, unpacked) {
  const { meta, boundaries, differing, classes } = unpacked;
  const names = meta.names;
  const models = names.map((/** @type {string} */ _, /** @type {number} */ t) =>
    makeTokenization(text, {
      ids: unpacked[`ids_${t}`],
      byte_lengths: unpacked[`byte_lengths_${t}`],
      special: boxed(unpacked[`special_${t}`], unpacked[`ids_${t}`], meta.unknown?.[t]),
      meta: { rewriting: meta.rewriting?.[t] },
    }),
  );
  const isDiffering = new Uint8Array(Math.max(0, boundaries.length - 1));
  for (const segment of differing) isDiffering[segment] = 1;
  return {
    text,
    names,
    colors: meta.colors,
    models,
    own: models.map((/** @type {unknown} */ _, /** @type {number} */ t) => ownBytes(unpacked, t)),
    cutting: meta.cutting ?? names.map(() => "pattern"),
    unknown: meta.unknown ?? names.map(() => null),
    unknownSays: meta.unknown_says ?? names.map(() => ""),
    boundaries,
    differing,
    isDiffering,
    classes,
    classNames: meta.classes,
    bits: reasonBits(unpacked, names.length, differing.length),
    classCounts: meta.class_counts,
    agreement: meta.agreement,
  };
}

/**
 * Vocabulary bytes by token index, for the tokens of one tokenizer that share a rewritten character.
 *
 * @param {Partial<import("../shared/net/columns.js").ComparisonColumns>} columns @param {number} t
 * @returns {Map<number, Uint8Array>}
 */
function ownBytes(columns, t) {
  const lengths = columns[`own_lengths_${t}`] ?? [];
  const all = columns[`own_bytes_${t}`] ?? new Uint8Array();
  let at = 0;
  return new Map(Array.from(columns[`own_tokens_${t}`] ?? [], (token, k) => [token, all.subarray(at, (at += lengths[k]))]));
}

/**
 * Combine the reasons of each difference over all tokenizers; 0 for columns missing in the answer.
 *
 * @param {Partial<ReasonColumns>} unpacked
 * @param {number} tokenizers
 * @param {number} differences
 */
export function reasonBits(unpacked, tokenizers, differences) {
  const bits = new Uint8Array(differences);
  for (let other = 1; other < tokenizers; other++) {
    const column = unpacked[`reasons_${other}`] ?? [];
    for (let k = 0; k < column.length; k++) bits[k] |= column[k];
  }
  return bits;
}

/**
 * 1 for each token that is special, or stands for what no token spells: it is drawn with a border.
 *
 * @param {Uint8Array} special @param {Int32Array} ids @param {number | null} [unknown]
 */
const boxed = (special, ids, unknown) => special.map((isSpecial, i) => (ids[i] === unknown ? 1 : isSpecial));

/** @param {number} bits */
export function reasonNames(bits) {
  return REASONS.filter(({ bit }) => bits & bit).map(({ name }) => name);
}

/**
 * Range of a tokenizer's tokens in a segment: the first index, and one past the last. A token without bytes belongs to
 * the segment that it ends.
 *
 * @param {Comparison} comparison
 * @param {number} t
 * @param {number} segment
 * @returns {[number, number]}
 */
export function tokensIn({ models, boundaries }, t, segment) {
  const { byteOffsets, n } = models[t];
  const after = (/** @type {number} */ byte) => firstAbove(byteOffsets, byte) - 1;
  const first = boundaries[segment] === 0 ? 0 : Math.min(n, after(boundaries[segment]));
  return [first, Math.min(n, after(boundaries[segment + 1]))];
}

/**
 * Segment that contains a token. A token without bytes belongs to the segment that it ends.
 *
 * @param {Comparison} comparison
 * @param {number} t
 * @param {number} i
 */
export function segmentOf({ models, boundaries }, t, i) {
  const { byteOffsets, byteLengths } = models[t];
  return firstAbove(boundaries, byteLengths[i] ? byteOffsets[i] : byteOffsets[i] - 1) - 1;
}

/**
 * Range of a segment in the text, in UTF-16 units. A character that it only partly covers is included whole.
 *
 * @param {Comparison} comparison
 * @param {number} segment
 * @returns {[number, number]}
 */
export function placeOf(comparison, segment) {
  const [first, end] = tokensIn(comparison, 0, segment);
  const model = comparison.models[0];
  return [model.starts[first], end > first ? tokenEnd(model, end - 1) : model.starts[first]];
}

/**
 * Where a tokenizer cuts a segment before any merge, in bytes from the segment's start.
 *
 * @param {Comparison} comparison
 * @param {number} t
 * @param {number} segment
 * @param {Uint8Array} begins 1 for each of its tokens that begins a pre-token, and for the text's end
 */
export function splitCuts(comparison, t, segment, begins) {
  const [first, end] = tokensIn(comparison, t, segment);
  const tokens = Array.from({ length: end - first + 1 }, (_, k) => first + k).filter((i) => begins[i]);
  const offsets = tokens.map((i) => comparison.models[t].byteOffsets[i] - comparison.boundaries[segment]);
  return [...new Set(offsets)];
}

/**
 * Index of a segment among the differences; -1 if all cut it alike.
 *
 * @param {Pick<Comparison, "differing" | "isDiffering">} comparison
 * @param {number} segment
 */
export function differenceIn({ differing, isDiffering }, segment) {
  return isDiffering[segment] ? firstAbove(differing, segment) - 1 : -1;
}

/**
 * Segment of the first difference that ends after a place; undefined if there is none.
 *
 * @param {Comparison} comparison
 * @param {number} place in UTF-16 units
 */
export function differenceAfter(comparison, place) {
  return comparison.differing.find((segment) => placeOf(comparison, segment)[1] > place);
}

/**
 * The beginning of the text, of at most so many bytes: whole lines, or else whole words, so that it is cut as in the text.
 *
 * @param {Comparison} comparison @param {number} bytes
 */
export function beginningOf(comparison, bytes) {
  const { text, boundaries } = comparison;
  const last = boundaries.length - 1;
  if (boundaries[last] <= bytes) return text;
  const ends = Array.from({ length: firstIndex(last, (k) => boundaries[k] > bytes) }, (_, k) => placeOf(comparison, k)[0]);
  const end = ends.findLast((at) => text[at - 1] === "\n") ?? ends.findLast((at) => text[at] === " ");
  return text.slice(0, end ?? ends.at(-1));
}

/** Index of the first entry above a value in a sorted column. @param {Int32Array} sorted @param {number} value */
export const firstAbove = (sorted, value) => firstIndex(sorted.length, (k) => sorted[k] > value);
