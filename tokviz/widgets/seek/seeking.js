/**
 * A text's tokens under any number of merges, as models that the colored text shows.
 */

import { makeTokenization } from "../shared/text/tokenization.js";
import { alternate } from "../token_view/colors.js";
import { makeSeek, newestTokensAt, stateAt, tintsOfSymbols, tokensAt } from "./model.js";

/** @typedef {import("../shared/text/tokenization.js").TokenizationModel} Model */

export class Seeking {
  #full;
  /** The tokens before any merge. @type {Model} */
  none;
  #tints;
  /** The latest model, and the state of the text that it is of. @type {{state: number, model: Model} | null} */
  #latest = null;

  /**
   * @param {Model} full the text's tokens after all merges
   * @param {import("../shared/net/columns.js").SeekColumns} columns of the same text
   * @param {import("../token_view/colors.js").Alternation | null} before the tints shown last
   */
  constructor(full, columns, before) {
    this.seek = makeSeek(columns);
    /** The text, as it is tokenized. */
    this.bytes = new TextEncoder().encode(full.text);
    full.tints ??= before?.model === full ? before.tints : alternate(full, before);
    full.newest = newestTokensAt(this.seek, this.seek.merges, full.n);
    this.#full = full;
    const { symbols, symbol_lengths, special } = columns;
    this.none = makeTokenization(full.text, { ids: symbols, byte_lengths: symbol_lengths, special, meta: full.meta });
    this.#tints = tintsOfSymbols(this.seek, full.tints);
  }

  /** The tokens under the first k merges: the same model for equal tokens. @param {number} k @returns {Model} */
  at(k) {
    const state = stateAt(this.seek, k);
    if (state === this.seek.changes.length) return this.#full;
    if (this.#latest?.state !== state) this.#latest = { state, model: this.#modelAt(k) };
    return this.#latest.model;
  }

  /** @param {number} k */
  #modelAt(k) {
    const { firsts, byte_lengths: byteLengths, ...columns } = tokensAt(this.seek, k);
    const { text, meta } = this.none;
    const n = firsts.length;
    const [byteOffsets, starts, inside, tints] = [new Int32Array(n + 1), new Int32Array(n + 1), new Uint8Array(n + 1), new Uint8Array(n)];
    for (let i = 0; i <= n; i++) {
      const first = i < n ? firsts[i] : this.none.n;
      byteOffsets[i] = this.none.byteOffsets[first];
      starts[i] = this.none.starts[first];
      inside[i] = this.none.inside[first];
      if (i < n) tints[i] = this.#tints[first];
    }
    return { text, meta, n, ...columns, byteLengths, byteOffsets, starts, inside, tints, newest: newestTokensAt(this.seek, k, n) };
  }

  /** The tint of a token that begins with a symbol. @param {number} symbol */
  tintOf(symbol) {
    return this.#tints[symbol];
  }
}
