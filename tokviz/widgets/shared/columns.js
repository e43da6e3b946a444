/**
 * The one wire format of routes, components and exports: a JSON header, then columns of numbers.
 *
 * `tokviz/widgets/columns.py` packs what this unpacks. Little endian: "TKV1", the header's length as u32, the header
 * (padded to a multiple of 4 bytes), then each column, padded likewise, so that every column is aligned.
 */

const MAGIC = "TKV1";
const COLUMN_TYPES = { i4: Int32Array, u1: Uint8Array };

/**
 * @param {ArrayBuffer} buffer
 * @returns {Record<string, any>} `meta`, and each column by its name, without copying
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
 * @returns {Record<string, any>}
 */
export function unpackHeld(held) {
  if (held instanceof ArrayBuffer) return unpack(held);
  return typeof held === "string" ? unpack(Uint8Array.from(atob(held), (byte) => byte.charCodeAt(0)).buffer) : held;
}
