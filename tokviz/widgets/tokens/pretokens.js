/**
 * The pre-tokens of a text: the pieces that the split pattern cuts first, each of whole tokens.
 */

import { pretokenIndex, repeat, tokenEnd } from "../shared/tokenization.js";

/** @typedef {import("../shared/tokenization.js").TokenizationModel} Model */

/**
 * Which pre-token each token belongs to, and what it is.
 *
 * @param {Model} model
 * @param {import("../shared/columns.js").PretokenColumns} columns
 */
export function pretokensOf(model, columns) {
  const index = columns.tokens ? repeat(columns.tokens, model.n) : pretokenIndex(model, columns.byte_lengths);
  return {
    index,
    /** The pre-token of token i, and which branch of the split pattern cut it. @param {number} i */
    at(i) {
      // Tokens never reach across the end of a pre-token, so it is whole tokens.
      let first = i;
      let last = i;
      while (first > 0 && index[first - 1] === index[i]) first--;
      while (last < model.n - 1 && index[last + 1] === index[i]) last++;
      return {
        text: model.text.slice(model.starts[first], tokenEnd(model, last)),
        branch: columns.meta.branches[columns.branches[index[i]]] ?? null,
      };
    },
  };
}
