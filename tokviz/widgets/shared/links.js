/**
 * A link that restores what is on screen: settings in plain words, the text compressed.
 *
 * All of it stands behind the `#`, which browsers keep to themselves: no server and no log sees it.
 */

/** Longer links are cut by some of the programs that pass them on. In characters. */
export const MAX_LINK = 6000;
/** A short link can hold a very long text of one letter; no more than this of it is unpacked. In bytes. */
const MAX_TEXT = 10_000_000;

const TEXT = "text";

/** Why a link can't be read, in words for the reader. */
export class BrokenLink extends Error {}

/**
 * @param {string} page the page's address, without what stands behind a `#`
 * @param {Record<string, string>} fields the settings; empty ones are left out
 * @param {string | null} text null where the settings say which text it is
 * @returns {Promise<string>}
 */
export async function writeLink(page, fields, text) {
  const query = new URLSearchParams(Object.entries(fields).filter(([, value]) => value !== ""));
  if (text !== null) query.set(TEXT, await packText(text));
  return query.size ? `${page}#${query}` : page;
}

/**
 * What a link says, without its text, which takes a moment: `readText` reads that.
 *
 * @param {string} hash as `location.hash` has it
 * @returns {Record<string, string> | null} null where the address is no link of ours
 */
export function readFields(hash) {
  if (!hash.includes("=")) return null;
  return Object.fromEntries(new URLSearchParams(hash.replace(/^#/, "")));
}

/**
 * The text in a link; null where it holds none. Throws BrokenLink.
 *
 * @param {Record<string, string>} fields as `readFields` gives them
 * @returns {Promise<string | null>}
 */
export async function readText(fields) {
  return fields[TEXT] === undefined ? null : unpackText(fields[TEXT]);
}

/** A text as a field of a link: compressed, in letters that an address may hold. @param {string} text */
export const packText = async (text) => toBase64(await through(new TextEncoder().encode(text), compression()));

/** The text of such a field. Throws BrokenLink. @param {string} letters */
export async function unpackText(letters) {
  try {
    const bytes = await through(fromBase64(letters), decompression());
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof BrokenLink) throw error;
    throw new BrokenLink("This link is damaged: its text can't be read. Perhaps the end of it was cut off.");
  }
}

const compression = () => new CompressionStream("deflate-raw");
const decompression = () => new DecompressionStream("deflate-raw");

/** @param {Uint8Array<ArrayBuffer>} bytes @param {GenericTransformStream} transform @returns {Promise<Uint8Array>} */
async function through(bytes, transform) {
  const reader = new Blob([bytes]).stream().pipeThrough(transform).getReader();
  /** @type {Uint8Array<ArrayBuffer>[]} */
  const parts = [];
  let size = 0;
  for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
    size += value.length;
    if (size > MAX_TEXT) {
      await reader.cancel();
      throw new BrokenLink("This link holds a text of more than 10 MB, which is too long.");
    }
    parts.push(value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** With the letters that an address may hold. @param {Uint8Array} bytes */
function toBase64(bytes) {
  const characters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(characters).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/** @param {string} letters @returns {Uint8Array<ArrayBuffer>} */
function fromBase64(letters) {
  return Uint8Array.from(atob(letters.replace(/-/g, "+").replace(/_/g, "/")), (character) => character.charCodeAt(0));
}
