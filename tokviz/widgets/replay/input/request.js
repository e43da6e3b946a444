/**
 * What is replayed: the text in use, as far as the server takes it, and the request for its replay.
 */

import { number } from "../../shared/dom/elements.js";
import { learnQuery } from "./options.js";

/** @typedef {import("../state/choices.js").Choices} Choices */
/** @typedef {import("../state/choices.js").Shared} Shared */
/** @typedef {{route: string, query: Record<string, any>, text: string}} Question a request to the server */

/** Text in UTF-16 units above which its length stands for its bytes: every limit is far below. */
const MAX_ENCODED = 10_000_000;

const encoder = new TextEncoder();

/**
 * Text in use: the training text, a new word for learned merges, or the text that all pages share.
 *
 * @param {Choices} choices
 * @param {Shared} shared
 */
export function textInUse({ story, learn, tried }, shared) {
  if (story === "learn") return learn.text;
  return tried ? tried.word : shared.text;
}

/**
 * Request for the replay of the text in use; null if there is nothing to learn from, or too much.
 *
 * @param {Choices} choices
 * @param {Shared} shared
 * @param {{maxBytes: number, onlyBeginning: boolean}} limit `onlyBeginning`: replay what fits of a text to be read
 * @returns {Question | null}
 */
export function questionOf(choices, shared, { maxBytes, onlyBeginning }) {
  const { story, order, learn, tried } = choices;
  const fullText = textInUse(choices, shared);
  const isTooLong = bytesIn(fullText) > maxBytes;
  if (isTooLong && !mayUseBeginning(choices, onlyBeginning)) return null;
  const text = isTooLong ? firstBytes(fullText, maxBytes) : fullText;
  if (story === "learn") return text ? { route: "replay/learn", query: learnQuery(learn), text } : null;
  if (!tried) {
    const { tokenizer, special } = shared;
    return { route: "replay", query: { order, tokenizer, special: special ? 1 : 0 }, text };
  }
  const query = { order, ...learnQuery(learn), merges: tried.merges, known: bytesIn(learn.text) };
  return { route: "replay/try", query, text: learn.text + text };
}

/**
 * True if only the beginning of a long text may be replayed. A training text is never replayed in part: it is cut.
 *
 * @param {Choices} choices
 * @param {boolean} onlyBeginning what the reader asked for, of a text to be read
 */
export const mayUseBeginning = ({ story }, onlyBeginning) => onlyBeginning && story !== "learn";

/** Length in UTF-8 bytes. @param {string} text */
export const bytesIn = (text) => (text.length > MAX_ENCODED ? text.length : encoder.encode(text).length);

/** Beginning of a text, cut after a whole character. @param {string} text @param {number} most maximum bytes */
export function firstBytes(text, most) {
  const { read } = encoder.encodeInto(text, new Uint8Array(most));
  return text.slice(0, read);
}

/** Note that only the beginning of a text is replayed. @param {string} text @param {number} most maximum bytes */
export function sayBeginning(text, most) {
  const [first, all] = [firstBytes(text, most), text].map((each) => number(bytesIn(each)));
  return `The first ${first} of ${all} bytes are replayed. Your text stays as it is.`;
}
