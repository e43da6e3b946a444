/**
 * Escape sequences: `\n` typed as a backslash and a letter is read as a line break.
 *
 * Supported are \n \t \r \\ \x41 \u00e9 \u{1f355}; anything else stays as typed. Offsets map in both directions, which
 * links the caret in the editor to the tokens below.
 */

const SIMPLE = { n: "\n", t: "\t", r: "\r", "\\": "\\" };
const ESCAPE =
  /\\(?:([ntr\\])|x([\da-f]{2})|u(d[89ab][\da-f]{2})\\u(d[c-f][\da-f]{2})|u([\da-f]{4})|u\{([\da-f]{1,6})\})/gi;

/**
 * @typedef {object} Reading
 * @property {string} text the source with its escapes replaced
 * @property {(offset: number) => number} toText map an offset in the source to the text; inside an escape, to its start
 * @property {(offset: number) => number} toSource map an offset in the text to the source
 */

/** @param {string} source @returns {Reading} */
export function readPlainly(source) {
  return { text: source, toText: (offset) => offset, toSource: (offset) => offset };
}

/** @param {string} source @returns {Reading} */
export function readEscapes(source) {
  /** @type {{from: number, to: number, textFrom: number, textTo: number}[]} */
  const escapes = [];
  let shortenedBy = 0;
  const text = source.replace(ESCAPE, (whole, ...groups) => {
    const replacement = decodeEscape(groups);
    if (replacement === null) return whole;
    const from = /** @type {number} */ (groups.find((group) => typeof group === "number"));
    escapes.push({ from, to: from + whole.length, textFrom: from - shortenedBy, textTo: from - shortenedBy + replacement.length });
    shortenedBy += whole.length - replacement.length;
    return replacement;
  });
  return {
    text,
    toText(offset) {
      const last = escapes.findLast((escape) => escape.from <= offset);
      if (!last) return offset;
      return offset < last.to ? last.textFrom : last.textTo + offset - last.to;
    },
    toSource(offset) {
      const last = escapes.findLast((escape) => escape.textFrom <= offset);
      if (!last) return offset;
      return offset < last.textTo ? last.from : last.to + offset - last.textTo;
    },
  };
}

/**
 * Write a source that `readEscapes` reads as `text`, with the line ends that a text box would change as escapes.
 *
 * @param {string} text
 */
function writeEscapes(text) {
  return text.replaceAll("\\", "\\\\").replaceAll("\r\n", "\\r\n").replaceAll("\r", "\\r");
}

/**
 * Return the editor's source for a text, and whether escapes must be on for it: text boxes turn every carriage return
 * into a line break, so a text with carriage returns is written with escapes.
 *
 * @param {string} text
 * @returns {{source: string, escapes: boolean}}
 */
export function sourceOf(text) {
  const escapes = text.includes("\r");
  return { source: escapes ? writeEscapes(text) : text, escapes };
}

/** The text that an editor's source stands for; "" for none. @param {{source: string | null, escapes: boolean}} settings */
export const textOf = ({ source, escapes }) => (escapes ? readEscapes(source ?? "").text : (source ?? ""));

/** @param {(string | number | undefined)[]} groups of a match of ESCAPE @returns {string | null} */
function decodeEscape([simple, byte, high, low, unit, point]) {
  if (simple) return SIMPLE[/** @type {keyof typeof SIMPLE} */ (String(simple).toLowerCase())];
  if (high) return String.fromCharCode(parseInt(String(high), 16), parseInt(String(low), 16));
  const code = parseInt(String(byte ?? unit ?? point), 16);
  const isSurrogate = code >= 0xd800 && code < 0xe000;
  return code > 0x10ffff || isSurrogate ? null : String.fromCodePoint(code);
}
