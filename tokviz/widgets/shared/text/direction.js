/**
 * The direction in which a text runs, as the Unicode Bidirectional Algorithm has it.
 */

const RIGHT_TO_LEFT = "\\u0590-\\u08ff\\u200f\\ufb1d-\\ufdff\\ufe70-\\ufefc\\u{10800}-\\u{10fff}\\u{1e800}-\\u{1efff}";
const ANY_RIGHT_TO_LEFT = new RegExp(`[${RIGHT_TO_LEFT}]`, "u");
/** Digits and combining marks have no direction of their own. */
const FIRST_STRONG = new RegExp(`(?![\\p{Nd}\\p{M}])(?:([${RIGHT_TO_LEFT}])|\\p{L})`, "u");
/** Arabic and European digits run left to right inside right-to-left text. */
const NUMBER = /^\p{Nd}+$/u;

/** @typedef {{from: number, to: number, dir: "ltr" | "rtl"}} Isolate a part of a line that is ordered by itself, whatever is around it */

/**
 * @typedef {object} Isolates
 * @property {Isolate[]} inside in order
 * @property {string} outside the text with spaces in their places: to what is around them, they have no direction
 */

/** @param {string} text */
export function hasRightToLeft(text) {
  return ANY_RIGHT_TO_LEFT.test(text);
}

/**
 * Return the direction of a text's first strong character, as `dir="auto"` does; null if there is none.
 *
 * @param {string} text
 * @returns {"rtl" | "ltr" | null}
 */
export function firstDirection(text) {
  const found = FIRST_STRONG.exec(text);
  return found && (found[1] ? "rtl" : "ltr");
}

/**
 * Whether a range of text is drawn right to left at its start. Neutral characters (space, emoji) take the direction of
 * their neighbors if these agree, otherwise that of their line, as in the Unicode Bidirectional Algorithm. Each line is
 * a paragraph in that algorithm, so other lines don't count.
 *
 * @param {string} text
 * @param {number} from
 * @param {number} to
 * @param {"rtl" | "ltr"} [line] direction of its line, if that is known
 */
export function drawnRightToLeft(text, from, to, line = lineDirection(text, from)) {
  const range = firstLine(text.slice(from, to));
  const direction = firstDirection(range);
  if (direction) return direction === "rtl";
  if (NUMBER.test(range)) return false;
  const lineStart = lineStartOf(text, from);
  const before = lastDirection(text.slice(Math.max(lineStart, from - 100), from)) ?? line;
  const end = from + range.length;
  const after = firstDirection(firstLine(text.slice(end, end + 100))) ?? line;
  return (before === after ? before : line) === "rtl";
}

/**
 * Return the direction of the line that contains an offset.
 *
 * @param {string} text
 * @param {number} at
 * @returns {"rtl" | "ltr"} as determined by `unicode-bidi: plaintext`
 */
export function lineDirection(text, at) {
  const start = lineStartOf(text, at);
  return firstDirection(firstLine(text.slice(start, start + 1000))) ?? "ltr";
}

/**
 * Add each line's direction (class `ltr` or `rtl`) to the line-end marks in an element. Lines may differ in direction
 * from their block, and a mark on the wrong side would cover the line's last character.
 *
 * @param {Element} parent
 * @param {string} text
 * @param {number} from offset of the element's text in `text`
 */
export function directLineEnds(parent, text, from) {
  let at = from - 1;
  for (const mark of parent.querySelectorAll(".newline")) {
    at = text.indexOf("\n", at + 1);
    mark.classList.add(lineDirection(text, at));
  }
}

/** @param {string} text @param {number} at */
function lineStartOf(text, at) {
  const near = Math.max(0, at - 5000);
  return near + text.slice(near, at).lastIndexOf("\n") + 1;
}

/** @param {string} text */
const firstLine = (text) => text.split("\n", 1)[0];

/** @param {string} text */
function lastDirection(text) {
  const strong = text.match(new RegExp(FIRST_STRONG.source, "gu"));
  return strong && firstDirection(strong[strong.length - 1]);
}
