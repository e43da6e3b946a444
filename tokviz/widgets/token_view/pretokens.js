/**
 * Pre-tokens of a text: the pieces into which the split pattern cuts it first, each consisting of whole tokens.
 */

import { pretokenIndex, repeat, tokenEnd } from "../shared/text/tokenization.js";

/**
 * Return the index of each token's pre-token, and a lookup by token.
 *
 * @param {import("../shared/text/tokenization.js").TokenizationModel} model
 * @param {import("../shared/net/columns.js").PretokenColumns} columns
 */
export function pretokensOf(model, columns) {
  const index = columns.tokens ? repeat(columns.tokens, model.n) : pretokenIndex(model, columns.byte_lengths);
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
