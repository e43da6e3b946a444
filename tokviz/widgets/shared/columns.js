/**
 * The one wire format of routes, components and exports: a JSON header, then columns of numbers.
 *
 * `tokviz/widgets/columns.py` packs what this unpacks. Little endian: "TKV1", the header's length as u32, the header
 * (padded to a multiple of 4 bytes), then each column, padded likewise, so that every column is aligned.
 */

/**
 * The columns of each answer, by name. A test holds them against what Python packs.
 *
 * @typedef {object} TokenColumns
 * @property {Int32Array} ids
 * @property {Int32Array} byte_lengths
 * @property {Uint8Array} special
 * @property {Int32Array} [ranks] of the tokens' merges, -1 where there is none; left out where ids tell
 * @property {Record<string, any>} [meta]
 */

/**
 * @typedef {object} PretokenColumns
 * @property {Int32Array} byte_lengths
 * @property {Int32Array} [tokens] how many each consists of, where bytes don't tell
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
 * @property {Int32Array} [counts] where merges are learned
 * @property {Int32Array} [tied] where merges are learned
 * @property {Int32Array} pair_lefts
 * @property {Int32Array} pair_rights
 * @property {Int32Array} pair_ranks
 * @property {Int32Array} token_ids
 * @property {Int32Array} token_lengths
 * @property {Uint8Array} token_bytes
 * @property {Record<string, any>} meta
 */

/**
 * The columns of each tokenizer end in its place in the comparison: `ids_0`, `ids_1`, ...
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
 * The reasons of each difference, and the place of its sentence in a list: of each tokenizer but the first.
 *
 * @typedef {{
 *   [reasons: `reasons_${number}`]: Uint8Array,
 *   [sentences: `sentences_${number}`]: Int32Array,
 * }} ReasonColumns
 */

const MAGIC = "TKV1";
const COLUMN_TYPES = { i4: Int32Array, u1: Uint8Array };

/**
 * @param {ArrayBuffer} buffer
 * @returns {any} `meta`, and each column by its name, without copying: one of the types above
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
 * Columns that a page holds already: packed, packed and then written in base64, or as `unpack` gives them.
 *
 * @param {ArrayBuffer | string | Record<string, any>} held
 * @returns {any}
 */
export function unpackHeld(held) {
  if (held instanceof ArrayBuffer) return unpack(held);
  return typeof held === "string" ? unpack(Uint8Array.from(atob(held), (byte) => byte.charCodeAt(0)).buffer) : held;
}
