/**
 * How a token is said aloud: "space say", "3 spaces", "bytes F0 9F, the first two of four of 🍕".
 */

import { piecesOf, stripesOf, tokenEnd } from "./tokenization.js";
import { labelOf } from "./marks.js";

/** @typedef {import("./tokenization.js").TokenizationModel} TokenizationModel */

/** Screen readers pass over these in silence. @type {Record<string, string>} */
const NAMES = {
  ".": "full stop", ",": "comma", ";": "semicolon", ":": "colon", "!": "exclamation mark", "?": "question mark",
  "'": "apostrophe", '"': "quotation mark", "(": "left parenthesis", ")": "right parenthesis", "[": "left bracket",
  "]": "right bracket", "{": "left brace", "}": "right brace", "<": "less than", ">": "greater than", "-": "hyphen",
  "–": "dash", "—": "long dash", "_": "underscore", "/": "slash", "\\": "backslash", "|": "vertical bar", "`": "backtick",
  "‘": "left curly quote", "’": "right curly quote", "“": "left curly double quote", "”": "right curly double quote",
};

/** @type {Record<string, [string, string]>} */
const WHITE_SPACE = {
  " ": ["space", "spaces"],
  "\n": ["new line", "new lines"],
  "\t": ["tab", "tabs"],
  "\u00a0": ["no-break space", "no-break spaces"],
};

const NUMBERS = ["none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
const ORDINALS = ["", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];
const LONGEST = 200;

/**
 * Token i, as one would read it to someone who can't see it.
 *
 * @param {TokenizationModel} model
 * @param {number} i
 */
export function sayToken(model, i) {
  if (!model.byteLengths[i]) return "the end of a word, no bytes";
  const said = piecesOfToken(model, i).map((piece) => {
    if (piece.first !== piece.last) return sayPart(model, i, piece);
    return sayText(model.text.slice(piece.from, Math.min(piece.to, piece.from + LONGEST)));
  });
  const words = said.join(", ");
  if (!model.special[i]) return words;
  return `${isUnknown(model, i) ? "unknown word" : "special token"} ${words}`;
}

/**
 * Whether token i stands for a word that its tokenizer doesn't know. The one special token of a list of words is that.
 *
 * @param {TokenizationModel} model
 * @param {number} i
 */
export function isUnknown(model, i) {
  return model.special[i] === 1 && model.meta.tokenizer === "words";
}

/**
 * @param {TokenizationModel} model
 * @param {number} i
 */
function piecesOfToken(model, i) {
  const from = characterStart(model.text, model.starts[i]);
  const to = Math.min(model.text.length, tokenEnd(model, i) + 40);
  return piecesOf(model, from, to).filter((piece) => piece.first <= i && piece.last >= i);
}

/**
 * A place at or before `offset` where a character surely begins, so that one that holds `offset` is seen whole: the
 * nearest plain letter or sign, if there is one near.
 *
 * @param {string} text
 * @param {number} offset
 */
function characterStart(text, offset) {
  const start = Math.max(0, offset - 200);
  const found = /[ -\u02ff][^ -\u02ff]*$/.exec(text.slice(start, offset));
  if (found) return start + found.index;
  const unit = text.charCodeAt(start);
  return unit >= 0xdc00 && unit <= 0xdfff ? start - 1 : start;
}

/**
 * @param {TokenizationModel} model
 * @param {number} i
 * @param {import("./tokenization.js").Piece} piece a character that is cut
 */
function sayPart(model, i, piece) {
  const stripes = stripesOf(model, piece).map(({ token, bytes }) => ({ token, bytes, length: bytes.split(" ").length }));
  const own = stripes.findIndex(({ token }) => token === i);
  const before = sumOfLengths(stripes.slice(0, own));
  const total = sumOfLengths(stripes);
  const { bytes, length } = stripes[own];
  const character = sayText(model.text.slice(piece.from, Math.min(piece.to, piece.from + 40)));
  const place = sayPlace(before, length, total);
  return `${length === 1 ? "byte" : "bytes"} ${bytes}, ${place} of ${NUMBERS[total] ?? total} of ${character}`;
}

/** @param {{length: number}[]} stripes */
function sumOfLengths(stripes) {
  return stripes.reduce((sum, { length }) => sum + length, 0);
}

/**
 * @param {number} before how many bytes come before
 * @param {number} length
 * @param {number} total
 */
function sayPlace(before, length, total) {
  const count = length === 1 ? "" : ` ${NUMBERS[length] ?? length}`;
  if (before === 0) return `the first${count}`;
  if (before + length === total) return `the last${count}`;
  if (length > 1) return `${before + 1} to ${before + length}`;
  return ORDINALS[before + 1] ? `the ${ORDINALS[before + 1]}` : `number ${before + 1}`;
}

/**
 * A text, with what is silent or invisible in words.
 *
 * @param {string} text
 */
export function sayText(text) {
  const parts = text.match(/ +|\n+|\t+|\u00a0+|[\p{Z}\p{Cc}\p{Cf}]|[^\p{Z}\p{Cc}\p{Cf}]+/gu) ?? [];
  return parts.map(sayRun).join(" ");
}

/** @param {string} run */
function sayRun(run) {
  const white = WHITE_SPACE[run[0]];
  if (white) return run.length === 1 ? white[0] : `${run.length} ${white[1]}`;
  if (/[\p{Z}\p{Cc}\p{Cf}]/u.test(run)) return labelOf(run);
  return run.length === 1 ? (NAMES[run] ?? run) : run;
}
