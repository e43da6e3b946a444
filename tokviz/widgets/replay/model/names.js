/**
 * Notations for a symbol: text, bytes in hex, its id, or one letter per merge.
 *
 * Bytes that are not a whole character are written in hex, never as `�`.
 */

import { withSigns } from "../../shared/text/invisibles.js";
import { sayShortened } from "../../shared/text/speak.js";
import { decoded, hex } from "../../shared/text/tokenization.js";

/** @typedef {import("./replay.js").Replay} Replay */
/** @typedef {"text" | "hex" | "ids" | "letters"} Writing */
/** @typedef {{text: string, part: boolean}} Run whole characters, or (`part`) bytes of an incomplete character, in hex */

/** Maximum length of a name, in UTF-16 units; a longer name is cut to this many code points. */
const MAX_LENGTH = 40;
const LETTERS = "ZYXWVUTSRQPONMLKJIHGFEDCBA";

/** @type {[Writing, string][]} */
export const WRITINGS = [
  ["text", "text"],
  ["hex", "bytes in hex"],
  ["ids", "ids"],
  ["letters", "letters Z, Y, X"],
];

/** True if there are enough letters for one per merge. @param {Replay} replay */
export const hasLetters = ({ steps, meta }) => meta.order === "rank" && steps <= LETTERS.length;

/** Whole characters in UTF-8, or bytes of an incomplete one, with a unit for each byte. */
const RUNS =
  /((?:[\0-\x7f]|[\xc2-\xdf][\x80-\xbf]|(?:\xe0[\xa0-\xbf]|\xed[\x80-\x9f]|[\xe1-\xec\xee\xef][\x80-\xbf])[\x80-\xbf]|(?:\xf0[\x90-\xbf]|\xf4[\x80-\x8f]|[\xf1-\xf3][\x80-\xbf])[\x80-\xbf]{2})+)|[^][\x80-\xbf]*/g;

/**
 * Split bytes into runs of whole characters and runs of incomplete ones.
 *
 * @param {Uint8Array} bytes
 * @returns {Run[]}
 */
export function runsOf(bytes) {
  const text = decoded(bytes);
  if (text === null) return splitRuns(bytes);
  return text ? [{ text, part: false }] : [];
}

/** @param {Uint8Array} bytes @returns {Run[]} */
function splitRuns(bytes) {
  const units = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return Array.from(units.matchAll(RUNS), ({ 0: run, 1: whole, index }) => {
    const some = bytes.subarray(index, index + run.length);
    return whole === undefined ? { text: hex(some), part: true } : { text: /** @type {string} */ (decoded(some)), part: false };
  });
}

/**
 * Content of a symbol's box.
 *
 * @param {Replay} replay
 * @param {number} id
 * @param {Writing} writing
 * @param {Uint8Array} [bytes] bytes that it covers in the text, if these differ from its vocabulary bytes
 * @returns {Run[]}
 */
export function writingOf(replay, id, writing, bytes = replay.bytes.get(id) ?? new Uint8Array()) {
  const mark = replay.endsWord.has(id) ? [{ text: replay.meta.end_of_word, part: false }] : [];
  if (writing === "ids") return [{ text: String(id), part: false }];
  if (writing === "hex") return [{ text: hex(bytes), part: true }, ...mark].filter(({ text }) => text);
  const letter = writing === "letters" ? letterOf(replay, id) : null;
  return letter ? [{ text: letter, part: false }] : [...runsOf(bytes), ...mark];
}

/** @param {Replay} replay @param {number} id */
function letterOf(replay, id) {
  const step = hasLetters(replay) ? replay.newIds.indexOf(id) : -1;
  return step < 0 ? null : LETTERS[step];
}

/** Write runs on one line, with signs for invisible characters. @param {Run[]} runs @returns {string} */
export function joinRuns(runs) {
  return runs.reduce((before, { text, part }, i) => {
    const separator = i > 0 && (part || runs[i - 1].part) ? " " : "";
    return before + separator + (part ? text : withSigns(text));
  }, "");
}

/**
 * Name of a symbol on one line, with signs for invisible characters.
 *
 * @param {Replay} replay
 * @param {number} id
 * @param {Writing} [writing]
 */
export function nameOf(replay, id, writing = "text") {
  const name = joinRuns(writingOf(replay, id, writing));
  return beginningOf(name, MAX_LENGTH);
}

/** The first characters of a text, of which there are more. @param {string} text @param {number} most */
export function beginningOf(text, most) {
  const characters = Array.from(text);
  return characters.length > most ? `${characters.slice(0, most).join("")}…` : text;
}

/** The same in whole words, where there are several. @param {string} text @param {number} most */
export function firstWordsOf(text, most) {
  const short = beginningOf(text, most);
  const isWhole = short === text || /^\s/.test(text.slice(short.length - 1));
  return isWhole ? short : short.replace(/(?<=\S)\s+\S*…$/, "…");
}

/**
 * Name of a symbol for screen readers: "space", "t", "bytes f0 9f"; in other notations than text, the same as its name.
 *
 * @param {Replay} replay
 * @param {number} id
 * @param {Writing} [writing]
 * @param {Uint8Array} [bytes] as for `writingOf`
 */
export function sayingOf(replay, id, writing = "text", bytes) {
  if (writing !== "text") return nameOf(replay, id, writing);
  const said = writingOf(replay, id, writing, bytes).map(({ text, part }) => {
    if (part) return `${text.length > 2 ? "bytes" : "byte"} ${text}`;
    return sayShortened(text, MAX_LENGTH);
  });
  return said.join(" ");
}
