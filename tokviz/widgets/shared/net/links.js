/**
 * Links that restore what is on screen: readable settings and the compressed text.
 *
 * Everything is in the URL fragment, which browsers do not send: no server and no log sees it.
 */

/** Maximum link length in characters; some programs truncate longer links. */
export const MAX_LINK = 6000;
/** Maximum size of a decompressed text in bytes; a short link can hold a very long text of one repeated letter. */
const MAX_TEXT = 10_000_000;

/** Maximum length in characters of a link that is followed at once: of longer ones browsers open an empty page. */
const MAX_FOLLOWED = 1_000_000;

const TEXT_FIELD = "text";

/** Event on the document before the page is left for an address, its `detail`. Who can show that without, prevents it. */
export const GOING = "tokviz-going";

/** A link that can't be read, or followed; `message` gives the reason in words for the reader. */
export class BrokenLink extends Error {}

/**
 * @param {string} page the page's address without a fragment
 * @param {Record<string, string>} fields the settings; empty ones are left out
 * @param {string | null} text null if the settings identify the text
 * @returns {Promise<string>}
 */
export async function writeLink(page, fields, text) {
  const query = new URLSearchParams(Object.entries(fields).filter(([, value]) => value !== ""));
  if (text !== null) query.set(TEXT_FIELD, await packText(text));
  return query.size ? `${page}#${query}` : page;
}

/** Go to a page by a link, as `writeLink` writes it. Throws BrokenLink. @param {Parameters<typeof writeLink>} parts */
export async function followLink(...parts) {
  const link = await writeLink(...parts);
  if (link.length > MAX_FOLLOWED) throw new BrokenLink("This text is too long for a link.");
  if (document.dispatchEvent(new CustomEvent(GOING, { detail: link, cancelable: true }))) location.assign(link);
}

/**
 * Read a link's fields. Its text takes a moment to decompress: see `readText`.
 *
 * @param {string} hash `location.hash`
 * @returns {Record<string, string> | null} null if the address is not such a link
 */
export function readFields(hash) {
  if (!hash.includes("=")) return null;
  return Object.fromEntries(new URLSearchParams(hash.replace(/^#/, "")));
}

/**
 * Read a link's text; null if it has none. Throws BrokenLink.
 *
 * @param {Record<string, string>} fields from `readFields`
 * @returns {Promise<string | null>}
 */
export async function readText(fields) {
  return fields[TEXT_FIELD] === undefined ? null : unpackText(fields[TEXT_FIELD]);
}

/** Pack a text into a link field: compressed, in URL-safe base64. @param {string} text */
export const packText = async (text) => toBase64(await transformBytes(new TextEncoder().encode(text), compression()));

/** Unpack the text of a link field. Throws BrokenLink. @param {string} base64 */
export async function unpackText(base64) {
  try {
    const bytes = await transformBytes(fromBase64(base64), decompression());
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof BrokenLink) throw error;
    throw new BrokenLink("This link is damaged: its text can't be read. Perhaps the end of it was cut off.");
  }
}

/** Write a switch into a link field. @param {boolean} isOn */
export const flag = (isOn) => (isOn ? "1" : "");

/** Read a number of merges; null if there is none, for all. @param {string | undefined} written */
export const readMerges = (written = "") => (/^\d{1,9}$/.test(written) ? Number(written) : null);

/** Read one of a menu's choices. @param {[value: string, label: string][]} choices @param {string | undefined} value @param {string} otherwise */
export const oneOf = (choices, value, otherwise) => choices.find(([choice]) => choice === value)?.[0] ?? otherwise;

/** Return whether one of a list has a name. @param {{name: string}[]} list @param {string} name */
export const has = (list, name) => list.some((each) => each.name === name);

/**
 * Read the example that a link names.
 *
 * @param {Record<string, string>} fields
 * @param {{name: string}[]} samples
 * @returns {{sample: string, note: string}} "" if it is not offered, which `note` says
 */
export function readSample({ sample = "" }, samples) {
  if (!sample || has(samples, sample)) return { sample, note: "" };
  return { sample: "", note: "This link is for an example that is not here." };
}

const compression = () => new CompressionStream("deflate-raw");
const decompression = () => new DecompressionStream("deflate-raw");

/** @param {Uint8Array<ArrayBuffer>} bytes @param {GenericTransformStream} transform @returns {Promise<Uint8Array>} */
async function transformBytes(bytes, transform) {
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

/** Encode in URL-safe base64. @param {Uint8Array} bytes */
function toBase64(bytes) {
  const characters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(characters).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/** @param {string} base64 @returns {Uint8Array<ArrayBuffer>} */
function fromBase64(base64) {
  return Uint8Array.from(atob(base64.replace(/-/g, "+").replace(/_/g, "/")), (character) => character.charCodeAt(0));
}
