/**
 * Unpack the wire format shared by routes, components and exports: a JSON header, then columns of numbers.
 *
 * Packed by `tokviz/widgets/wire.py`. Little endian: "TKV1", the header's length as u32, the header
 * (padded to a multiple of 4 bytes), then each column, padded likewise, so that every column is aligned.
 */

/**
 * The columns of each response, by name. A test compares them with those that Python packs.
 *
 * @typedef {object} TokenColumns
 * @property {Int32Array} ids
 * @property {Int32Array} byte_lengths
 * @property {Uint8Array} special
 * @property {Int32Array} [ranks] of the tokens' merges, -1 for none, if they were asked for
 * @property {Record<string, any>} [meta]
 */

/**
 * @typedef {object} PretokenColumns
 * @property {Int32Array} byte_lengths
 * @property {Int32Array} [tokens] number of tokens in each; absent if it follows from the bytes
 * @property {Uint8Array} branches
 * @property {Record<string, any>} meta
 */

/**
 * @typedef {object} ReplayColumns
 * @property {Int32Array} symbols
 * @property {Int32Array} removed_at
 * @property {Int32Array} pretoken_symbols
 * @property {Uint8Array} branches
 * @property {Int32Array} cut_out_lengths
 * @property {Uint8Array} cut_out_bytes
 * @property {Int32Array} ranks
 * @property {Int32Array} lefts
 * @property {Int32Array} rights
 * @property {Int32Array} new_ids
 * @property {Int32Array} places
 * @property {Int32Array} [counts] only if merges are learned
 * @property {Int32Array} [tied] only if merges are learned
 * @property {Int32Array} pair_lefts
 * @property {Int32Array} pair_rights
 * @property {Int32Array} pair_ranks
 * @property {Int32Array} token_ids
 * @property {Int32Array} token_lengths
 * @property {Uint8Array} token_bytes
 * @property {Int32Array} [tower_pretokens] these and the rest are absent for long texts
 * @property {Int32Array} [tower_counts]
 * @property {Uint8Array} [tower_widths]
 * @property {Uint8Array} [tower_opens]
 * @property {Int32Array} [block_starts]
 * @property {Int32Array} [block_middles]
 * @property {Int32Array} [block_ends]
 * @property {Int32Array} [block_steps]
 * @property {Int32Array} [block_depths]
 * @property {Int32Array} [block_ids]
 * @property {Uint8Array} [block_tints]
 * @property {Int32Array} [character_starts]
 * @property {Int32Array} [character_ends]
 * @property {Record<string, any>} meta
 */

/**
 * The tokens of a text under the first k merges, for every k.
 *
 * @typedef {object} SeekColumns
 * @property {Int32Array} symbols
 * @property {Int32Array} symbol_lengths
 * @property {Uint8Array} special
 * @property {Int32Array} removed_at
 * @property {Int32Array} ranks
 * @property {Int32Array} known
 * @property {Int32Array} new_ids
 * @property {Record<string, any>} meta
 */

/**
 * The names of a tokenizer's columns end in its index in the comparison: `ids_0`, `ids_1`, ...
 *
 * @typedef {{
 *   boundaries: Int32Array,
 *   differing: Int32Array,
 *   classes: Uint8Array,
 *   [ids: `ids_${number}`]: Int32Array,
 *   [byteLengths: `byte_lengths_${number}`]: Int32Array,
 *   [special: `special_${number}`]: Uint8Array,
 *   [ownTokens: `own_tokens_${number}`]: Int32Array,
 *   [ownLengths: `own_lengths_${number}`]: Int32Array,
 *   [ownBytes: `own_bytes_${number}`]: Uint8Array,
 *   meta: Record<string, any>,
 * }} ComparisonColumns
 */

/**
 * The reasons for each difference, and the index of its explanation in a list, for each tokenizer except the first; and
 * which tokens begin a pre-token, for all tokenizers.
 *
 * @typedef {{
 *   [reasons: `reasons_${number}`]: Uint8Array,
 *   [explanations: `explanations_${number}`]: Int32Array,
 *   [pretokens: `pretokens_${number}`]: Uint8Array,
 * }} ReasonColumns
 */

const MAGIC = "TKV1";
const COLUMN_TYPES = { i4: Int32Array, u1: Uint8Array };

/**
 * @param {ArrayBuffer} buffer
 * @returns {any} `meta` and the columns by name, as views of the buffer: one of the types above
 */
export function unpack(buffer) {
  const bytes = new Uint8Array(buffer);
  if (String.fromCharCode(...bytes.subarray(0, 4)) !== MAGIC) throw new Error("these bytes are no columns");
  const headerLength = new DataView(buffer).getUint32(4, true);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + headerLength)));
  /** @type {Record<string, any>} */
  const unpacked = { meta: header.meta };
  let offset = 8 + headerLength;
  for (const { name, type, length } of header.columns) {
    const column = new COLUMN_TYPES[/** @type {"i4" | "u1"} */ (type)](buffer, offset, length);
    unpacked[name] = column;
    offset += Math.ceil(column.byteLength / 4) * 4;
  }
  return unpacked;
}

/**
 * Unpack columns that are part of a page: packed, packed and base64-encoded, or already unpacked.
 *
 * @param {ArrayBuffer | string | Record<string, any>} held
 * @returns {any}
 */
export function unpackHeld(held) {
  if (held instanceof ArrayBuffer) return unpack(held);
  return typeof held === "string" ? unpack(Uint8Array.from(atob(held), (byte) => byte.charCodeAt(0)).buffer) : held;
}
