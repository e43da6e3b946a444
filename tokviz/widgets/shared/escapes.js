/**
 * Escapes: `\n` typed as a backslash and a letter, read as the line break it stands for.
 *
 * Read are \n \t \r \\ \x41 \u00e9 \u{1f355}. What is no valid escape stays as typed. Positions map both ways, so that
 * the caret in the editor and the tokens beneath stay linked.
 */

const SIMPLE = { n: "\n", t: "\t", r: "\r", "\\": "\\" };
const ESCAPE =
  /\\(?:([ntr\\])|x([\da-f]{2})|u(d[89ab][\da-f]{2})\\u(d[c-f][\da-f]{2})|u([\da-f]{4})|u\{([\da-f]{1,6})\})/gi;

/**
 * @typedef {object} Reading
 * @property {string} text what is meant by the source
 * @property {(offset: number) => number} toText a position in the source, in the text (inside an escape: its start)
 * @property {(offset: number) => number} toSource a position in the text, in the source
 */

/** @param {string} source @returns {Reading} */
export function readPlainly(source) {
  return { text: source, toText: (offset) => offset, toSource: (offset) => offset };
}

/** @param {string} source @returns {Reading} */
export function readEscapes(source) {
  /** @type {{from: number, to: number, textFrom: number, textTo: number}[]} */
  const escapes = [];
  let saved = 0;
  const text = source.replace(ESCAPE, (whole, ...groups) => {
    const meant = meaning(groups);
    if (meant === null) return whole;
    const from = /** @type {number} */ (groups.find((group) => typeof group === "number"));
    escapes.push({ from, to: from + whole.length, textFrom: from - saved, textTo: from - saved + meant.length });
    saved += whole.length - meant.length;
    return meant;
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
 * The source that `readEscapes` reads as `text`, with line ends that a text box would change written out.
 *
 * @param {string} text
 */
function writeEscapes(text) {
  return text.replaceAll("\\", "\\\\").replaceAll("\r\n", "\\r\n").replaceAll("\r", "\\r");
}

/**
 * What to put into the editor for a text, and whether escapes must be on for it: a text box turns every carriage return
 * into a line break, so a text that has some is written with escapes.
 *
 * @param {string} text
 * @returns {{source: string, escapes: boolean}}
 */
export function sourceOf(text) {
  const escapes = text.includes("\r");
  return { source: escapes ? writeEscapes(text) : text, escapes };
}

/** @param {(string | number | undefined)[]} groups of a match of ESCAPE @returns {string | null} */
function meaning([simple, byte, high, low, unit, point]) {
  if (simple) return SIMPLE[/** @type {keyof typeof SIMPLE} */ (String(simple).toLowerCase())];
  if (high) return String.fromCharCode(parseInt(String(high), 16), parseInt(String(low), 16));
  const code = parseInt(String(byte ?? unit ?? point), 16);
  const isSurrogate = code >= 0xd800 && code < 0xe000;
  return code > 0x10ffff || isSurrogate ? null : String.fromCodePoint(code);
}
