/**
 * How a symbol is written: as text, as bytes in hex, as its id, or as a letter of its own.
 *
 * Bytes that are no whole character are written in hex, never as `�`.
 */

import { withSigns } from "../shared/marks.js";
import { sayShortened } from "../shared/speak.js";

/** @typedef {import("./model.js").Replay} Replay */
/** @typedef {"text" | "hex" | "ids" | "letters"} Writing */
/** @typedef {{text: string, part: boolean}} Run whole characters, or (`part`) bytes of a part of one, in hex */

const LONGEST = 40;
const LETTERS = "ZYXWVUTSRQPONMLKJIHGFEDCBA";

/** @type {[Writing, string][]} */
export const WRITINGS = [
  ["text", "text"],
  ["hex", "bytes in hex"],
  ["ids", "ids"],
  ["letters", "letters Z, Y, X"],
];

/** @param {Replay} replay whether there are letters enough, one for each merge */
export const hasLetters = ({ steps, meta }) => meta.order === "rank" && steps <= LETTERS.length;

/**
 * Cut bytes into whole characters and parts of some.
 *
 * @param {Uint8Array} bytes
 * @returns {Run[]}
 */
export function runsOf(bytes) {
  const runs = /** @type {Run[]} */ ([]);
  let from = 0;
  for (let at = 0; at < bytes.length;) {
    const length = wholeAt(bytes, at);
    if (length) {
      at += length;
      continue;
    }
    if (at > from) runs.push({ text: decode(bytes.subarray(from, at)), part: false });
    from = at++;
    while (at < bytes.length && isWithin(bytes[at])) at++;
    runs.push({ text: hexOf(bytes.subarray(from, at)), part: true });
    from = at;
  }
  if (from < bytes.length) runs.push({ text: decode(bytes.subarray(from)), part: false });
  return runs;
}

/**
 * The length of the character that begins here, or 0 if none does that is whole.
 *
 * @param {Uint8Array} bytes
 * @param {number} at
 */
function wholeAt(bytes, at) {
  const lead = bytes[at];
  if (lead < 0x80) return 1;
  const length = lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
  if (!length || at + length > bytes.length) return 0;
  try {
    strict.decode(bytes.subarray(at, at + length));
    return length;
  } catch {
    return 0;
  }
}

/** Whether a byte goes on with a character that another began. @param {number} byte */
const isWithin = (byte) => (byte & 0xc0) === 0x80;

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
/** @param {Uint8Array} bytes */
const decode = (bytes) => strict.decode(bytes);

/** @param {Uint8Array} bytes @returns {string} "f0 9f" */
export function hexOf(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(" ");
}

/**
 * What stands in a symbol's box.
 *
 * @param {Replay} replay
 * @param {number} id
 * @param {Writing} writing
 * @param {Uint8Array} [bytes] what it covers in the text, where that is more than its own bytes
 * @returns {Run[]}
 */
export function writingOf(replay, id, writing, bytes = replay.bytes.get(id) ?? new Uint8Array()) {
  const mark = replay.endsWord.has(id) ? [{ text: replay.meta.end_of_word, part: false }] : [];
  if (writing === "ids") return [{ text: String(id), part: false }];
  if (writing === "hex") return [{ text: hexOf(bytes), part: true }, ...mark].filter(({ text }) => text);
  const letter = writing === "letters" ? letterOf(replay, id) : null;
  return letter ? [{ text: letter, part: false }] : [...runsOf(bytes), ...mark];
}

/** @param {Replay} replay @param {number} id */
function letterOf(replay, id) {
  const step = hasLetters(replay) ? replay.newIds.indexOf(id) : -1;
  return step < 0 ? null : LETTERS[step];
}

/**
 * A symbol on one line, with signs for what is invisible.
 *
 * @param {Replay} replay
 * @param {number} id
 * @param {Writing} [writing]
 */
export function nameOf(replay, id, writing = "text") {
  const runs = writingOf(replay, id, writing);
  const name = runs.reduce((said, { text, part }, i) => {
    const apart = i > 0 && (part || runs[i - 1].part) ? " " : "";
    return said + apart + (part ? text : withSigns(text));
  }, "");
  return name.length > LONGEST ? `${Array.from(name).slice(0, LONGEST).join("")}…` : name;
}

/**
 * A symbol as it is said aloud: "space", "t", "bytes F0 9F"; where it isn't written as text, what is written.
 *
 * @param {Replay} replay
 * @param {number} id
 * @param {Writing} [writing]
 * @param {Uint8Array} [bytes] as for `writingOf`
 */
export function sayingOf(replay, id, writing = "text", bytes) {
  if (writing !== "text") return nameOf(replay, id, writing);
  const said = writingOf(replay, id, writing, bytes).map(({ text, part }) => {
    if (part) return `${text.length > 2 ? "bytes" : "byte"} ${text.toUpperCase()}`;
    return sayShortened(text, LONGEST);
  });
  return said.join(" ");
}
