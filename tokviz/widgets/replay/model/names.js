/**
 * Notations for a symbol: text, bytes in hex, its id, or one letter per merge.
 *
 * Bytes that are not a whole character are written in hex, never as `�`.
 */

import { withSigns } from "../../shared/text/marks.js";
import { sayShortened } from "../../shared/text/speak.js";
import { hex } from "../../shared/text/tokenization.js";

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

/**
 * Split bytes into runs of whole characters and runs of incomplete ones.
 *
 * @param {Uint8Array} bytes
 * @returns {Run[]}
 */
export function runsOf(bytes) {
  const runs = /** @type {Run[]} */ ([]);
  let from = 0;
  for (let at = 0; at < bytes.length;) {
    const length = characterLengthAt(bytes, at);
    if (length) {
      at += length;
      continue;
    }
    if (at > from) runs.push({ text: decode(bytes.subarray(from, at)), part: false });
    from = at++;
    while (at < bytes.length && isContinuation(bytes[at])) at++;
    runs.push({ text: hex(bytes.subarray(from, at)), part: true });
    from = at;
  }
  if (from < bytes.length) runs.push({ text: decode(bytes.subarray(from)), part: false });
  return runs;
}

/**
 * Length in bytes of the whole character that begins at a position, or 0 if there is none.
 *
 * @param {Uint8Array} bytes
 * @param {number} at
 */
function characterLengthAt(bytes, at) {
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

/** True for a UTF-8 continuation byte. @param {number} byte */
const isContinuation = (byte) => (byte & 0xc0) === 0x80;

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
/** @param {Uint8Array} bytes */
const decode = (bytes) => strict.decode(bytes);

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
  return name.length > MAX_LENGTH ? `${Array.from(name).slice(0, MAX_LENGTH).join("")}…` : name;
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
