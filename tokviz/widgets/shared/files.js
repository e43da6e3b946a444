/**
 * Files: text that comes from one, and text that is saved as one.
 */

/** The server takes no longer texts either. In bytes. */
export const MAX_FILE = 10_000_000;

/** The server takes no larger files of tokenizers. In bytes. */
export const MAX_TOKENIZER_FILE = 40_000_000;

/** Encodings to offer for a file that is no UTF-8, by the names that TextDecoder knows; the likeliest first. */
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

/** The first bytes of files that are often dropped and hold no plain text. */
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

const LOOKED_AT = 4096;

/** The first line of minbpe's files, in the version that can be read. */
const MINBPE = "minbpe v1";
/** The most characters of a file's first line that a message shows. */
const MAX_SHOWN = 60;

/** How names of files end that may hold a tokenizer. */
const TOKENIZER_ENDING = /\.(json|model|tiktoken|bpe)$/i;
/** A line of tiktoken's files: a token in base64 and its id. */
const TIKTOKEN_LINE = /^[A-Za-z0-9+/]+={0,2} \d+\r?$/m;

/** The largest file of that name that can be opened, in bytes. @param {string} name */
export const largest = (name) => (TOKENIZER_ENDING.test(name) ? MAX_TOKENIZER_FILE : MAX_FILE);

/**
 * Whether a file holds a tokenizer: with all that encoding needs, without its split pattern, or none at all.
 *
 * @param {string} name
 * @param {Uint8Array} bytes
 * @returns {"whole" | "without pattern" | null}
 */
export function tokenizerIn(name, bytes) {
  if (!TOKENIZER_ENDING.test(name)) return null;
  const first = new TextDecoder().decode(bytes.subarray(0, LOOKED_AT));
  if (name.toLowerCase().endsWith(".json")) {
    // The keys of its parts may stand anywhere behind thousands of added tokens.
    const text = first.trimStart().startsWith("{") ? new TextDecoder().decode(bytes) : "";
    return /"model"\s*:\s*\{/.test(text) && /"vocab"\s*:\s*[{[]/.test(text) ? "whole" : null;
  }
  if (first.startsWith(MINBPE)) return "whole";
  const line = first.slice(0, first.indexOf("\n"));
  return TIKTOKEN_LINE.test(line) ? "without pattern" : null;
}

const READABLE = "only byte pair encodings in a tokenizer.json, a .tiktoken file, or a .model of minbpe";
const WHOLE = "Open the tokenizer.json from the same folder instead.";

/**
 * Files that lie beside a tokenizer.json and are dropped by mistake: their names, which may have the model's in front
 * (bert-base-uncased-vocab.txt), how the content looks, and what they are. `formats/mistaken.py` knows them, too.
 */
const BESIDE = /** @type {[RegExp, RegExp, string][]} */ ([
  [/vocab\.txt$/i, /^(##\S+|\[(UNK|CLS|SEP|MASK|PAD)\])\r?$/m, `is a vocabulary of WordPiece, as BERT has it, which can't be used here: ${READABLE}.`],
  [/merges\.txt$/i, /^#version/, `holds merges without a vocabulary. ${WHOLE}`],
  [/^.*\.bpe$/i, /^#version/, "holds merges without a vocabulary. Open it together with its encoder.json, on the Train page."],
  [/vocab\.json$/i, /^\s*\{\s*"(\\.|[^"\\])*"\s*:\s*\d+\s*[,}]/, `is a vocabulary without merges. ${WHOLE}`],
  [/encoder\.json$/i, /^\s*\{\s*"(\\.|[^"\\])*"\s*:\s*\d+\s*[,}]/, "is a vocabulary without merges. Open it together with its vocab.bpe, on the Train page."],
  [/tekken\.json$/i, /^\s*\{\s*"config"\s*:/, `is a vocabulary of Mistral's Tekken, which can't be used here. ${WHOLE}`],
  [/tokenizer_config\.json$/i, /^\s*\{/, `holds settings of a tokenizer, not the tokenizer. ${WHOLE}`],
]);

/** Whether a name is one of these, alone or behind the model's. @param {string} name @param {RegExp} known */
const isNamed = (name, known) => /^$|[._-]$/.test(name.slice(0, name.search(known))) && known.test(name);

/**
 * What a file is that belongs to a tokenizer and can't be opened as one here, in a sentence, and whether it is text;
 * null if it is no such file.
 *
 * SentencePiece's models begin with the number of a field, below any letter.
 *
 * @param {string} name
 * @param {Uint8Array} bytes
 * @returns {{says: string, isText: boolean} | null}
 */
export function unreadable(name, bytes) {
  const isModel = /\.model$/i.test(name);
  if (isModel && [0x08, 0x0a, 0x12].includes(bytes[0]) && bytes.includes(0))
    return { says: `“${name}” looks like a SentencePiece model, which can't be read here: ${READABLE}.`, isText: false };
  const first = new TextDecoder().decode(bytes.subarray(0, LOOKED_AT));
  const version = /^minbpe v[^\r\n]*/.exec(first)?.[0].trim();
  if (isModel && version && version !== MINBPE) {
    const says = `“${name}” is of another version of minbpe's format, “${version.slice(0, MAX_SHOWN)}”. Only “${MINBPE}” can be read here.`;
    return { says, isText: true };
  }
  const found = BESIDE.find(([known, looks]) => isNamed(name, known) && looks.test(first));
  return found ? { says: `“${name}” ${found[2]}`, isText: true } : null;
}

/**
 * What a file's bytes are: text, if there is no doubt about it; else what they seem to be, and the encoding to try
 * first; `null` as encoding where they seem to be no text at all.
 *
 * @param {Uint8Array} bytes
 * @returns {{text: string} | {seems: string, encoding: string | null}}
 */
export function readBytes(bytes) {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return readAs(bytes, "utf-16le", "UTF-16, but damaged");
  if (first === 0xfe && second === 0xff) return readAs(bytes, "utf-16be", "UTF-16, but damaged");
  const found = SIGNATURES.find(([letters]) => startsWith(bytes, letters));
  if (found && found[0] !== "MZ") return { seems: found[1], encoding: null };
  const read = readAs(bytes, "utf-8", "");
  if ("text" in read && !read.text.includes("\0")) return read;
  return guess(bytes.subarray(0, LOOKED_AT), read, found);
}

/**
 * @param {Uint8Array} head
 * @param {ReturnType<typeof readAs>} asUtf8
 * @param {[string, string] | undefined} signature
 * @returns {{text: string} | {seems: string, encoding: string | null}}
 */
function guess(head, asUtf8, signature) {
  const zeros = [0, 0];
  head.forEach((byte, i) => (zeros[i % 2] += byte === 0 ? 1 : 0));
  const [even, odd] = zeros.map((count) => count / Math.max(1, head.length / 2));
  // Of Latin letters in UTF-16, every other byte is 0.
  if (odd > 0.4 && even < 0.1) return { seems: "UTF-16 without the mark at its beginning", encoding: "utf-16le" };
  if (even > 0.4 && odd < 0.1) return { seems: "UTF-16 without the mark at its beginning", encoding: "utf-16be" };
  if (even + odd > 0.02) return { seems: signature?.[1] ?? "no text: it has many zero bytes", encoding: null };
  if ("text" in asUtf8) return asUtf8;
  if (share(head, isControl) > 0.03) return { seems: signature?.[1] ?? "no text", encoding: null };
  // Cyrillic words are of upper bytes through and through; Western European ones have few of them.
  const encoding = share(head, (byte) => byte >= 0xc0) > 0.35 ? "windows-1251" : "windows-1252";
  return { seems: "text in an older encoding, not in UTF-8", encoding };
}

/** @param {Uint8Array} bytes @param {(byte: number) => boolean} isOne */
const share = (bytes, isOne) => bytes.reduce((count, byte) => count + (isOne(byte) ? 1 : 0), 0) / bytes.length;

/** Control characters but for those that texts have. @param {number} byte */
const isControl = (byte) => byte < 0x20 && ![0x09, 0x0a, 0x0c, 0x0d, 0x1b].includes(byte);

/**
 * @param {Uint8Array} bytes
 * @param {string} encoding
 * @param {string} otherwise what the bytes seem to be if they are not valid in it
 * @returns {{text: string} | {seems: string, encoding: string | null}}
 */
function readAs(bytes, encoding, otherwise) {
  try {
    return { text: new TextDecoder(encoding, { fatal: true }).decode(bytes) };
  } catch {
    return { seems: otherwise, encoding };
  }
}

/** @param {Uint8Array} bytes @param {string} letters */
function startsWith(bytes, letters) {
  return Array.from(letters).every((letter, i) => bytes[i] === letter.charCodeAt(0));
}

/** Offer a file for download. @param {string} name @param {Blob} content */
export function saveFile(name, content) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
