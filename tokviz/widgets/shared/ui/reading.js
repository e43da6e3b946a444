/**
 * Reading the texts of files. Loaded when there is one.
 */

import { Refusal } from "../net/client.js";
import { MAX_FILE } from "./files.js";

/** Maximum size of a tokenizer file in bytes, as on the server. */
export const MAX_TOKENIZER_FILE = 40_000_000;

/** Encodings offered for a file that is not UTF-8, by TextDecoder label, most likely first. */
export const ENCODINGS = /** @type {[string, string][]} */ ([
  ["windows-1252", "Western European (Windows-1252)"],
  ["windows-1250", "Central European (Windows-1250)"],
  ["windows-1251", "Cyrillic (Windows-1251)"],
  ["koi8-r", "Cyrillic (KOI8-R)"],
  ["windows-1253", "Greek (Windows-1253)"],
  ["windows-1254", "Turkish (Windows-1254)"],
  ["windows-1255", "Hebrew (Windows-1255)"],
  ["windows-1256", "Arabic (Windows-1256)"],
  ["shift_jis", "Japanese (Shift JIS)"],
  ["euc-jp", "Japanese (EUC-JP)"],
  ["gb18030", "Chinese, simplified (GB 18030)"],
  ["big5", "Chinese, traditional (Big5)"],
  ["euc-kr", "Korean (EUC-KR)"],
  ["utf-16le", "UTF-16, little endian"],
  ["utf-16be", "UTF-16, big endian"],
]);

/** Leading bytes of common file types that are not plain text. */
const SIGNATURES = /** @type {[string, string][]} */ ([
  ["%PDF-", "a PDF document"],
  ["PK\u0003\u0004", "a ZIP archive, or a document of an office program"],
  ["\u0089PNG", "a picture (PNG)"],
  ["\u00ff\u00d8\u00ff", "a picture (JPEG)"],
  ["GIF8", "a picture (GIF)"],
  ["\u001f\u008b", "a compressed file (gzip)"],
  ["\u007fELF", "a program"],
  ["MZ", "a program"],
  ["{\\rtf", "a document in Rich Text Format"],
]);

/** Bytes at the start of a file that are inspected. */
const HEAD_BYTES = 4096;

/** Report a file that is larger than fits. @param {File} file @param {number} most bytes */
export function sayTooLarge({ name, size }, most) {
  const [has, fits] = [size, most].map((bytes) => (bytes / 1e6).toLocaleString("en-US", { maximumFractionDigits: 1 }));
  return `“${name}” has ${has} MB, and ${fits} MB is the most that fits.`;
}

/** The bytes of a text file. Throws Refusal. @param {File} file */
export async function readFile(file) {
  if (file.size > MAX_FILE) throw new Refusal(sayTooLarge(file, MAX_FILE));
  const bytes = await file.arrayBuffer().catch(() => null); // the browser's own message is not shown
  if (!bytes) throw new Refusal(`“${file.name}” can't be read: choose it again.`);
  return new Uint8Array(bytes);
}

/** The text of a file that has to be UTF-8, or to say that it is UTF-16. Throws Refusal. @param {File} file */
export async function readUtf8(file) {
  const read = readBytes(await readFile(file));
  if ("seems" in read) throw new Refusal(`“${file.name}” seems to be ${read.seems}. Save it as UTF-8, and choose it again.`);
  return read.text;
}

/**
 * Decode a file's bytes if their encoding is certain; otherwise return what they seem to be and the encoding to try
 * first, or null as the encoding if they seem not to be text.
 *
 * @param {Uint8Array} bytes
 * @returns {{text: string} | {seems: string, encoding: string | null}}
 */
export function readBytes(bytes) {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return readAs(bytes, "utf-16le", "UTF-16, but damaged");
  if (first === 0xfe && second === 0xff) return readAs(bytes, "utf-16be", "UTF-16, but damaged");
  const found = SIGNATURES.find(([signature]) => startsWith(bytes, signature));
  if (found && found[0] !== "MZ") return { seems: found[1], encoding: null };
  const read = readAs(bytes, "utf-8", "");
  if ("text" in read && !read.text.includes("\0")) return read;
  return guessEncoding(bytes.subarray(0, HEAD_BYTES), read, found);
}

/**
 * @param {Uint8Array} head
 * @param {ReturnType<typeof readAs>} asUtf8
 * @param {[string, string] | undefined} signature
 * @returns {{text: string} | {seems: string, encoding: string | null}}
 */
function guessEncoding(head, asUtf8, signature) {
  const zeros = [0, 0];
  head.forEach((byte, i) => (zeros[i % 2] += byte === 0 ? 1 : 0));
  const [even, odd] = zeros.map((count) => count / Math.max(1, head.length / 2));
  // In UTF-16, every other byte of Latin letters is 0.
  if (odd > 0.4 && even < 0.1) return { seems: "UTF-16 without the mark at its beginning", encoding: "utf-16le" };
  if (even > 0.4 && odd < 0.1) return { seems: "UTF-16 without the mark at its beginning", encoding: "utf-16be" };
  if (even + odd > 0.02) return { seems: signature?.[1] ?? "no text: it has many zero bytes", encoding: null };
  if ("text" in asUtf8) return asUtf8;
  if (fractionOf(head, isControl) > 0.03) return { seems: signature?.[1] ?? "no text", encoding: null };
  // Cyrillic words consist of high bytes; Western European words contain few.
  const encoding = fractionOf(head, (byte) => byte >= 0xc0) > 0.35 ? "windows-1251" : "windows-1252";
  return { seems: "text in an older encoding, not in UTF-8", encoding };
}

/** @param {Uint8Array} bytes @param {(byte: number) => boolean} isCounted */
const fractionOf = (bytes, isCounted) => bytes.reduce((count, byte) => count + (isCounted(byte) ? 1 : 0), 0) / bytes.length;

/** Whether a byte is a control character that is unusual in text. @param {number} byte */
const isControl = (byte) => byte < 0x20 && ![0x09, 0x0a, 0x0c, 0x0d, 0x1b].includes(byte);

/**
 * @param {Uint8Array} bytes
 * @param {string} encoding
 * @param {string} otherwise what the bytes seem to be if they are invalid in this encoding
 * @returns {{text: string} | {seems: string, encoding: string | null}}
 */
function readAs(bytes, encoding, otherwise) {
  try {
    return { text: new TextDecoder(encoding, { fatal: true }).decode(bytes) };
  } catch {
    return { seems: otherwise, encoding };
  }
}

/** @param {Uint8Array} bytes @param {string} signature */
function startsWith(bytes, signature) {
  return Array.from(signature).every((character, i) => bytes[i] === character.charCodeAt(0));
}
