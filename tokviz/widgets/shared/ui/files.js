/**
 * Files: reading text and recognizing tokenizers in them, and saving.
 */

/** Maximum text size in bytes, as on the server. */
export const MAX_FILE = 10_000_000;

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

const GZIP = "\u001f\u008b";

/** Leading bytes of common file types that are not plain text. */
const SIGNATURES = /** @type {[string, string][]} */ ([
  ["%PDF-", "a PDF document"],
  ["PK\u0003\u0004", "a ZIP archive, or a document of an office program"],
  ["\u0089PNG", "a picture (PNG)"],
  ["\u00ff\u00d8\u00ff", "a picture (JPEG)"],
  ["GIF8", "a picture (GIF)"],
  [GZIP, "a compressed file (gzip)"],
  ["\u007fELF", "a program"],
  ["MZ", "a program"],
  ["{\\rtf", "a document in Rich Text Format"],
]);

/** Bytes at the start of a file that are inspected. */
const HEAD_BYTES = 4096;

/** First line of a minbpe file, in the supported version. */
const MINBPE = "minbpe v1";
/** Maximum characters of a file's first line in a message. */
const MAX_SHOWN = 60;

/** Endings of files that may contain a tokenizer, as in `tokviz/formats`; Mistral's have a version behind them. */
const TOKENIZER_ENDING = /\.(json|model|spm|tiktoken|bpe|codes)(\.v\w+)?$/i;
/** A line of a .tiktoken file: a base64 token and its id. */
const TIKTOKEN_LINE = /^[A-Za-z0-9+/]+={0,2} \d+\r?$/m;

/** What stands in a tokenizer.json, and in js-tiktoken's JSON. */
const JSON_PARTS = [
  [/"model"\s*:\s*\{/, /"vocab"\s*:\s*[{[]/],
  [/"pat_str"\s*:\s*"/, /"bpe_ranks"\s*:\s*"/],
];

/** Files that hold a tokenizer whose name says which: BERT's, Mistral's and subword-nmt's. The name may be prefixed with the model's. */
const WHOLE_FILES = /** @type {[RegExp, RegExp][]} */ ([
  [/vocab\.txt$/i, /^(##\S+|\[(UNK|CLS|SEP|MASK|PAD)\])\r?$/m],
  [/tekken\.json$/i, /^\s*\{\s*"config"\s*:/],
  [/^.*\.codes$/i, /^(#version: 0\.[12]|[^\s#]+ \S+)\r?\n/],
]);

/** Maximum size in bytes of a file with this name. @param {string} name */
export const largest = (name) => (TOKENIZER_ENDING.test(name) ? MAX_TOKENIZER_FILE : MAX_FILE);

/** Report a file that is larger than that. @param {string} name @param {number} size in bytes */
export function sayTooLarge(name, size) {
  const [has, most] = [size, largest(name)].map((bytes) => (bytes / 1e6).toLocaleString("en-US", { maximumFractionDigits: 1 }));
  return `“${name}” has ${has} MB, and ${most} MB is the most that fits.`;
}

/**
 * Detect a tokenizer in a file: complete, without its split pattern, or null for none.
 *
 * @param {string} name
 * @param {Uint8Array} bytes
 * @returns {"whole" | "without pattern" | null}
 */
export function tokenizerIn(name, bytes) {
  const first = new TextDecoder().decode(bytes.subarray(0, HEAD_BYTES));
  if (WHOLE_FILES.some(([known, content]) => isNamed(name, known) && content.test(first))) return "whole";
  if (!TOKENIZER_ENDING.test(name)) return null;
  if (name.toLowerCase().endsWith(".json")) {
    // The keys of its parts may come after thousands of added tokens.
    const text = first.trimStart().startsWith("{") ? new TextDecoder().decode(bytes) : "";
    const isWhole = JSON_PARTS.some((parts) => parts.every((part) => part.test(text)));
    return isWhole ? "whole" : null;
  }
  if (first.startsWith(MINBPE) || isSentencePiece(name, bytes)) return "whole";
  const line = first.slice(0, first.indexOf("\n"));
  return TIKTOKEN_LINE.test(line) ? "without pattern" : null;
}

/**
 * Whether a file is a SentencePiece model: it starts with a protobuf field tag, a byte below any letter.
 *
 * @param {string} name
 * @param {Uint8Array} bytes
 */
const isSentencePiece = (name, bytes) => /\.(model(\.v\w+)?|spm)$/i.test(name) && [0x08, 0x0a, 0x12].includes(bytes[0]) && bytes.includes(0);

const OPEN_WHOLE = "Open the tokenizer.json from the same folder instead.";

const SAVED_AS_JSON = /^\s*\{/;
const LISTS_IDS = /^\s*\{\s*"(\\.|[^"\\])*"\s*:\s*\d+\s*[,}]/;

/**
 * Files of tokenizers and models that are opened by mistake: name, which may be prefixed with the model's
 * (gpt2-merges.txt), content pattern, and message. `formats/mistaken.py` says the same of more files.
 */
const COMPANION_FILES = /** @type {[RegExp, RegExp, string][]} */ ([
  [/^.*$/, /^version https:\/\/git-lfs\.github\.com\/spec\//, "only says where the file is stored (Git LFS). Download the file itself from the model's page."],
  [/^.*\.(json|model|spm|tiktoken|bpe|codes)$/i, /^\s*<(!doctype html|html)[\s>]/i, "is a web page and not the file. Perhaps you have to sign in first; then download it again."],
  [/merges\.txt$/i, /^#version/, "holds merges without a vocabulary. Open its vocab.json too, or the tokenizer.json from the same folder instead."],
  [/^.*\.bpe$/i, /^#version/, "holds merges without a vocabulary. Open it together with its encoder.json, on the Train page."],
  [/^bpe_simple_vocab_16e6\.txt(\.gz)?$/i, /^\u001f\ufffd|#version/, "holds CLIP's merges without a vocabulary. Open the tokenizer.json of a CLIP model instead."],
  [/^.*\.gz$/i, /^\u001f\ufffd/, "is compressed. Unpack it first."],
  [/^.*$/, /^(\d+ b?(['"]).*\2 \d+\r?\n){3}/, "is the vocabulary of RWKV, which takes the longest token that fits and has no merges. It can't be used here: choose another tokenizer."],
  [/^.*\.vocab$/i, /^(\S+\t-?\d+(\.\d+)?(e-?\d+)?\r?\n){3}/i, "lists the pieces of a SentencePiece model, and can't cut a text. Open its .model file instead."],
  [/(dict(\.\w+)?\.txt|\.vocab)$/i, /^(\S+ \d+\r?\n){3}/, "lists how often each token occurs (fairseq's dict.txt), and can't cut a text. Open the tokenizer's own file instead, such as bpe.codes or sentencepiece.bpe.model."],
  [/added_tokens\.json$/i, SAVED_AS_JSON, `lists only the tokens that were added to a vocabulary. ${OPEN_WHOLE}`],
  [/vocab\.json$/i, LISTS_IDS, "is a vocabulary without merges. Open its merges.txt too, or the tokenizer.json from the same folder instead."],
  [/encoder\.json$/i, LISTS_IDS, "is a vocabulary without merges. Open it together with its vocab.bpe, on the Train page."],
  [/special_tokens_map\.json$/i, SAVED_AS_JSON, `names a tokenizer's special tokens. ${OPEN_WHOLE}`],
  [/tokenizer_config\.json$/i, SAVED_AS_JSON, `holds settings of a tokenizer, not the tokenizer. ${OPEN_WHOLE}`],
  [/generation_config\.json$/i, SAVED_AS_JSON, `holds settings for writing text with a model, not its tokenizer. ${OPEN_WHOLE}`],
  [/config\.json$/i, /"(model_type|architectures|transformers_version)"\s*:/, `holds settings of a model, not its tokenizer. ${OPEN_WHOLE}`],
  [/^.*\.index\.json$/i, /"weight_map"\s*:|"metadata"\s*:/, `says which file holds which of a model's weights. ${OPEN_WHOLE}`],
  [/chat_template\.(jinja|json)$/i, /\{[%{]/, `says how messages become a text, and holds no tokenizer. ${OPEN_WHOLE}`],
]);

/** Names of files with a tokenizer in JSON. */
const JSON_NAME = /(tokenizer|tekken|vocab|encoder)\.json$/i;

/**
 * Whether a tokenizer's file in JSON is cut off: what it begins with has no end.
 *
 * @param {string} name
 * @param {Uint8Array} bytes
 */
function isCutOff(name, bytes) {
  const trimmed = (/** @type {Uint8Array} */ part) => new TextDecoder().decode(part).trim();
  if (!/\.json$/i.test(name) || !trimmed(bytes.subarray(0, HEAD_BYTES)).startsWith("{")) return false;
  if (trimmed(bytes.subarray(-HEAD_BYTES)).endsWith("}")) return false;
  return isNamed(name, JSON_NAME) || tokenizerIn(name, bytes) !== null;
}

/** Names of files with a model's weights. Other programs have files that end in .bin, too. */
const WEIGHTS = /(\.(safetensors|gguf|pt|pth|onnx|ckpt|h5)|model[\w.-]*\.bin)$/i;

/** Explain why a file with a model's weights is not opened; "" for any other file. @param {string} name */
export const sayWeights = (name) => (WEIGHTS.test(name) ? `“${name}” holds a model's weights. ${OPEN_WHOLE}` : "");

/** Whether a file name is the known one, alone or after a model's name. @param {string} name @param {RegExp} known */
const isNamed = (name, known) => /^$|[._-]$/.test(name.slice(0, name.search(known))) && known.test(name);

/**
 * Explain why a tokenizer-related file can't be opened here, and whether it is text; null for any other file.
 *
 * @param {string} name
 * @param {Uint8Array} bytes
 * @returns {{says: string, isText: boolean} | null}
 */
export function unreadable(name, bytes) {
  const isModel = /\.model$/i.test(name);
  if (isSentencePiece(name, bytes)) return null;
  const first = new TextDecoder().decode(bytes.subarray(0, HEAD_BYTES));
  const version = /^minbpe v[^\r\n]*/.exec(first)?.[0].trim();
  if (isModel && version && version !== MINBPE) {
    const says = `“${name}” is of another version of minbpe's format, “${version.slice(0, MAX_SHOWN)}”. Only “${MINBPE}” can be read here.`;
    return { says, isText: true };
  }
  if (isCutOff(name, bytes)) return { says: `“${name}” is incomplete or damaged: download it again.`, isText: true };
  const found = COMPANION_FILES.find(([known, content]) => isNamed(name, known) && content.test(first));
  return found ? { says: `“${name}” ${found[2]}`, isText: !startsWith(bytes, GZIP) } : null;
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

/** Offer a file for download. @param {string} name @param {Blob} content */
export function saveFile(name, content) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // By then the browser has started to read the blob.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
