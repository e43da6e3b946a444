/**
 * Pre-tokens of a text: the pieces into which the split pattern cuts it first, each consisting of whole tokens.
 */

import { pretokenIndex, repeat, tokenEnd } from "../shared/text/tokenization.js";

/** @typedef {import("../shared/text/tokenization.js").TokenizationModel} Model */

/**
 * Return the index of each token's pre-token, and a lookup by token.
 *
 * @param {Model} model
 * @param {import("../shared/net/columns.js").PretokenColumns} columns
 * @param {Model} [full] the text's tokens after all merges, if the model's are those after fewer
 */
export function pretokensOf(model, columns, full = model) {
  const whole = columns.tokens ? repeat(columns.tokens, full.n) : pretokenIndex(full, columns.byte_lengths);
  const index = full === model ? whole : partsIndex(model, full, whole);
  return {
    index,
    /**
     * The text of token i's pre-token, and the branch of the split pattern that matched it. White space that tokens
     * cover is no part of it where the tokenizer drops it.
     *
     * @param {number} i
     */
    at(i) {
      // Tokens never cross the end of a pre-token, so a pre-token consists of whole tokens.
      let first = i;
      let last = i;
      while (first > 0 && index[first - 1] === index[i]) first--;
      while (last < model.n - 1 && index[last + 1] === index[i]) last++;
      const text = model.text.slice(model.starts[first], tokenEnd(model, last));
      const branch = columns.meta.branches[columns.branches[index[i]]] ?? null;
      return { text: columns.meta.drops_spaces && branch !== null ? text.trim() : text, branch };
    },
  };
}

/**
 * The indices of tokens that others consist of, which those are given.
 *
 * @param {Model} parts @param {Model} whole of the same text @param {Int32Array} index of each token of the whole
 */
function partsIndex(parts, whole, index) {
  let token = 0;
  return Int32Array.from(parts.byteLengths, (length, i) => {
    // A token without bytes belongs to the word it ends, not to the next one.
    while (length && whole.byteOffsets[token + 1] <= parts.byteOffsets[i]) token++;
    return index[token];
  });
}
