/**
 * Marks for invisible characters: spaces, line ends, tabs, zero-width characters. `tokviz/display.py` has the same names.
 *
 * The stylesheet (invisibles.css) paints the marks from classes and `data-mark`. They are not part of the text, so copying
 * and searching see the text alone.
 */

/** Curly quotes, which are underlined. */
export const QUOTES = "‘’‚‛“”„‟";
/** Characters that may need a mark. Cc: control; Cf: format; Z: space and line separators. */
const MAYBE_MARKED = new RegExp(String.raw`[\p{Z}\p{Cc}\p{Cf}\p{Noncharacter_Code_Point}\p{Variation_Selector}\u034f\u115f\u1160\u3164\uffa0\u2800${QUOTES}]`, "u");
const RUNS = new RegExp(` +|${MAYBE_MARKED.source}`, "gu");

const CURLY_QUOTE = new RegExp(`[${QUOTES}]`);
const OTHER_SPACE = /[\p{Zs}\u2800\u3164]/u;
/** Format characters with a glyph, such as the Arabic number sign. */
const VISIBLE_FORMAT = /[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]/u;
/** Joiners and directional marks occur between connected letters, which their marks must not push apart. */
const ZERO_WIDTH = /[\u200c-\u200f\u061c\u202a-\u202e\u2066-\u2069\u034f\u00ad]/u;
/** Characters that form one glyph with a following joiner or variation selector. */
const GLYPH_BASES = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{M}\p{Emoji}\p{Script=Han}\u{1f1e6}-\u{1f1ff}]/u;
const JOINER = /[\u200c\u200d\ufe00-\ufe0f]/;
/** Those of them that need a character after them, too. */
const BETWEEN_TWO = /[\u200c\u200d]/;
/** A regional flag is a black flag followed by a name in tag characters. */
const TAG = /[\u{e0020}-\u{e007f}]/gu;
const BLACK_FLAG = "\u{1f3f4}";

const C0 = "NUL SOH STX ETX EOT ENQ ACK BEL BS HT LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US".split(" ");

/** @type {Record<number, string>} */
const LABELS = {
  0x7f: "DEL", 0x85: "NEL", 0xa0: "NBSP", 0xad: "SHY", 0x34f: "CGJ", 0x61c: "ALM", 0x200b: "ZWSP", 0x200c: "ZWNJ", 0x200d: "ZWJ",
  0x200e: "LRM", 0x200f: "RLM", 0x2028: "LS", 0x2029: "PS", 0x202a: "LRE", 0x202b: "RLE", 0x202c: "PDF", 0x202d: "LRO",
  0x202e: "RLO", 0x2060: "WJ", 0x2066: "LRI", 0x2067: "RLI", 0x2068: "FSI", 0x2069: "PDI", 0xfeff: "BOM",
};

/**
 * Return the abbreviation of an invisible character.
 *
 * @param {string} character one code point
 * @returns {string} "ZWSP", "NUL", "U+E0001"
 */
export function labelOf(character) {
  const code = /** @type {number} */ (character.codePointAt(0));
  if (code < C0.length) return C0[code];
  if (LABELS[code]) return LABELS[code];
  if (code >= 0xfe00 && code <= 0xfe0f) return `VS${code - 0xfe00 + 1}`;
  if (code >= 0xe0100 && code <= 0xe01ef) return `VS${code - 0xe0100 + 17}`;
  if (code > 0xe0020 && code < 0xe007f) return `tag ${String.fromCharCode(code - 0xe0000)}`;
  return `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}

/**
 * Return the mark of a character or a run of spaces; null for none.
 *
 * @param {string} character
 * @param {string} before the preceding text
 * @returns {{kind: "space" | "newline" | "tab" | "other-space" | "quote" | "label" | "tick", mark: string} | null}
 */
export function markOf(character, before) {
  if (character[0] === " ") return { kind: "space", mark: "·" };
  if (character === "\n") return { kind: "newline", mark: "↵" };
  if (character === "\t") return { kind: "tab", mark: "→" };
  if (CURLY_QUOTE.test(character)) return { kind: "quote", mark: "" };
  if (OTHER_SPACE.test(character)) return { kind: "other-space", mark: "·" };
  if (VISIBLE_FORMAT.test(character)) return null;
  if (JOINER.test(character) && GLYPH_BASES.test(lastCodePoint(before))) return null;
  if (character.match(TAG) && before.replace(TAG, "").endsWith(BLACK_FLAG)) return null;
  return { kind: ZERO_WIDTH.test(character) ? "tick" : "label", mark: labelOf(character) };
}

/**
 * Return a text's last code point. V8 (Chromium 156) finds none beyond U+FFFF with a pattern that ends in `]$`.
 *
 * @param {string} text
 */
function lastCodePoint(text) {
  return Array.from(text.slice(-2)).pop() ?? "";
}

/**
 * Append a text to an element, with invisible characters in spans that the stylesheet marks. A mark at the start of the
 * text gets the class `leads`: if the text is a token's, the token starts with it.
 *
 * @param {Element} parent
 * @param {string} text
 * @param {string} [before] the preceding text, if it continues one
 */
export function appendMarked(parent, text, before = "") {
  if (!MAYBE_MARKED.test(text)) {
    parent.append(text);
    return;
  }
  let end = 0;
  for (const { 0: run, index } of text.matchAll(RUNS)) {
    const mark = markOf(run, before + text.slice(Math.max(0, index - 16), index));
    if (!mark) continue;
    if (index > end) parent.append(text.slice(end, index));
    const span = markedSpan(run, mark);
    if (index === 0) span.classList.add("leads");
    parent.append(span);
    end = index + run.length;
  }
  if (end < text.length) parent.append(text.slice(end));
}

/**
 * @param {string} text
 * @param {{kind: string, mark: string}} mark
 */
function markedSpan(text, { kind, mark }) {
  const span = document.createElement("span");
  span.className = `mark ${kind}`;
  span.textContent = text;
  if (kind === "quote") return span;
  if (kind === "space") {
    if (text.length > 1) span.dataset.mark = mark.repeat(text.length);
    return span;
  }
  span.dataset.mark = mark;
  if (kind === "label") span.style.setProperty("--length", String(mark.length));
  return span;
}

/** What the signs in a text stand for; "" if it has none. @param {string} text */
export function saySigns(text) {
  const signs = [[" ", "· is a space"], ["\n", "↵ is a line end"], ["\t", "→ is a tab"]].filter(([character]) => text.includes(character));
  return signs.length ? `${signs.map(([, says]) => says).join(", ")}.` : "";
}

/** The signs as real characters, as in Catalan "col·lecció". */
const SIGNS = "·↵→";
const RUNS_AND_SIGNS = new RegExp(`${RUNS.source}|[${SIGNS}]`, "gu");

/**
 * Write a text on one line with signs for invisible characters, for headings and labels (not for copying).
 *
 * Each sign has one meaning: `·` is a space, other spaces have a label, and a real middle dot is `[·]`.
 *
 * @param {string} text
 */
export function withSigns(text) {
  return text.replace(RUNS_AND_SIGNS, (run, index) => {
    if (SIGNS.includes(run)) return `[${run}]`;
    const joinsNothing = BETWEEN_TWO.test(run) && index + run.length === text.length;
    const mark = markOf(run, joinsNothing ? "" : text.slice(Math.max(0, index - 16), index));
    if (!mark || mark.kind === "quote") return run;
    if (mark.kind === "space") return "·".repeat(run.length);
    if (mark.kind === "newline" || mark.kind === "tab") return mark.mark;
    return `[${labelOf(run)}]`;
  });
}

const WIDE_CHARACTERS = /[\p{Extended_Pictographic}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u{1f1e6}-\u{1f1ff}\u20e3\uff00-\uff60]/u;

/** Whether a text has characters about as wide as high. @param {string} text */
export function isWide(text) {
  return WIDE_CHARACTERS.test(text);
}
