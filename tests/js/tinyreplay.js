/** Test helper: a replay small enough to know by heart. */

import { makeReplay } from "../../tokviz/widgets/replay/model/replay.js";

export const [AB, ABAB, SPACE_AB] = [256, 257, 258];
const [A, B, SPACE] = [97, 98, 32];

/**
 * Replay of "abab ab", whose pre-tokens are "abab" and " ab":
 *
 *     k = 0    a b a b | · a b
 *     k = 1    ab ab   | · ab
 *     k = 2    abab    | · ab
 *     k = 3    abab    | ·ab
 *
 * @param {Record<string, any>} [meta] that differs from that of a tokenizer applied by rank
 */
export function tinyReplay(meta = {}) {
  const vocabulary = [[SPACE, " "], [A, "a"], [B, "b"], [AB, "ab"], [ABAB, "abab"], [SPACE_AB, " ab"]];
  const pairs = [[A, B, 0], [B, A, -1], [SPACE, A, -1], [AB, AB, 1], [SPACE, AB, 2]];
  const ints = (/** @type {number[]} */ ...values) => Int32Array.from(values);
  const column = (/** @type {number} */ i) => ints(...pairs.map((pair) => pair[i]));
  return makeReplay({
    meta: { story: "apply", order: "rank", endings: [], units: "bytes", special: [], added: [], split: true, ...meta },
    symbols: ints(A, B, A, B, SPACE, A, B),
    removed_at: ints(3, 0, 1, 0, 3, 2, 0),
    pretoken_symbols: ints(4, 3),
    branches: Uint8Array.of(0, 0),
    cut_out_lengths: ints(),
    cut_out_bytes: new Uint8Array(),
    places: ints(3, 1, 1),
    lefts: ints(A, AB, SPACE),
    rights: ints(B, AB, AB),
    new_ids: ints(AB, ABAB, SPACE_AB),
    ranks: ints(0, 1, 2),
    pair_lefts: column(0),
    pair_rights: column(1),
    pair_ranks: column(2),
    token_ids: ints(...vocabulary.map(([id]) => id)),
    token_lengths: ints(...vocabulary.map(([, text]) => text.length)),
    token_bytes: new TextEncoder().encode(vocabulary.map(([, text]) => text).join("")),
  });
}
