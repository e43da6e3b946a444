/**
 * Spoken descriptions of tokens for screen readers: "space say", "3 spaces", "bytes f0 9f, the first two of four of 🍕".
 */

import { piecesOf, stripesOf, tokenEnd } from "./tokenization.js";
import { labelOf } from "./invisibles.js";

/** @typedef {import("./tokenization.js").TokenizationModel} TokenizationModel */

/** Characters that screen readers skip silently, and their names. @type {Record<string, string>} */
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
/** Maximum UTF-16 units spoken of a text; longer ones end in "and more". */
const LONGEST = 200;
const LONGEST_CHARACTER = 40;

/**
 * Describe token i for someone who can't see it.
 *
 * @param {TokenizationModel} model
 * @param {number} i
 */
export function sayToken(model, i) {
  if (!model.byteLengths[i])
    return model.meta.rewriting?.length ? "nothing of the text: the tokenizer made it when it rewrote the text" : "the end of a word, no bytes";
  const spoken = piecesOfToken(model, i).map((piece) => {
    if (piece.first !== piece.last) return sayPart(model, i, piece);
    return sayShortened(model.text.slice(piece.from, piece.to), LONGEST);
  });
  const words = spoken.join(", ");
  if (!model.special[i]) return words;
  return `${isUnknown(model, i) ? "unknown word" : "special token"} ${words}`;
}

/** The only special token of a word tokenizer. */
const UNKNOWN = "<unk>";

/**
 * Whether token i replaces an unknown word, rather than standing for itself in a text that contains "<unk>".
 *
 * @param {TokenizationModel} model
 * @param {number} i
 */
export function isUnknown(model, i) {
  if (model.special[i] !== 1 || model.meta.tokenizer !== "words") return false;
  return model.text.slice(model.starts[i], tokenEnd(model, i)) !== UNKNOWN;
}

/**
 * @param {TokenizationModel} model
 * @param {number} i
 */
function piecesOfToken(model, i) {
  const from = characterStart(model.text, model.starts[i]);
  const to = characterEnd(model.text, tokenEnd(model, i) + 40);
  return piecesOf(model, from, to).filter((piece) => piece.first <= i && piece.last >= i);
}

/** Code points that may join the character before or after: marks, joiners, skin tones, tags, Hangul jamo. */
const JOINS = /[\p{M}\p{Cf}\p{Emoji_Modifier}\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7fb]/u;
/** Code points that join whatever follows, even a plain letter: Grapheme_Cluster_Break=Prepend. */
const PREPENDED =
  /[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u0d4e\u{110bd}\u{110cd}\u{111c2}\u{111c3}\u{113d1}\u{1193f}\u{11941}\u{11a84}-\u{11a89}\u{11d46}\u{11f02}]/u;
const FLAG_LETTER = /\p{Regional_Indicator}/u;

/**
 * Return an offset at or before `offset` where a character surely starts, so that the one containing `offset` is whole:
 * the nearest plain letter or sign, if one is near.
 *
 * @param {string} text
 * @param {number} offset
 */
function characterStart(text, offset) {
  let start = Math.max(0, offset - 200);
  const found = /[ -\u02ff][^ -\u02ff]*$/.exec(text.slice(start, offset));
  if (found) return withPrepended(text, start + found.index);
  if (isLowSurrogate(text, start)) start--;
  while (start > 0 && joinsAt(text, start)) start -= pointBefore(text, start).length;
  return flagStart(text, start);
}

/** Start of the character with the letter or sign at `at`. @param {string} text @param {number} at @returns {number} */
function withPrepended(text, at) {
  const before = pointBefore(text, at);
  return PREPENDED.test(before) ? characterStart(text, at - before.length) : at;
}

/**
 * Return an offset at or after `offset` where a character surely ends.
 *
 * @param {string} text
 * @param {number} offset
 */
function characterEnd(text, offset) {
  let end = Math.min(text.length, offset);
  if (isLowSurrogate(text, end)) end++;
  while (end < text.length && joinsAt(text, end)) end += pointAt(text, end).length;
  return end;
}

/**
 * Move `at` to a flag boundary: flags are pairs of letters, counted from the start of their run.
 *
 * @param {string} text @param {number} at
 */
function flagStart(text, at) {
  let first = at;
  while (FLAG_LETTER.test(pointAt(text, first)) && FLAG_LETTER.test(pointBefore(text, first))) first -= 2;
  return at - ((at - first) % 4);
}

/** @param {string} text @param {number} at */
const joinsAt = (text, at) => JOINS.test(pointAt(text, at)) || JOINS.test(pointBefore(text, at));

/** @param {string} text @param {number} at */
const pointAt = (text, at) => (at < text.length ? String.fromCodePoint(/** @type {number} */ (text.codePointAt(at))) : "");

/** @param {string} text @param {number} at */
const pointBefore = (text, at) => (at > 0 ? pointAt(text, at - (isLowSurrogate(text, at - 1) ? 2 : 1)) : "");

/** Texts contain no lone surrogates. @param {string} text @param {number} at */
const isLowSurrogate = (text, at) => (text.charCodeAt(at) & 0xfc00) === 0xdc00;

/**
 * @param {TokenizationModel} model
 * @param {number} i
 * @param {import("./tokenization.js").Piece} piece a cut character
 */
function sayPart(model, i, piece) {
  const stripes = stripesOf(model, piece).map(({ token, bytes }) => ({ token, bytes, length: bytes.split(" ").length }));
  const index = stripes.findIndex(({ token }) => token === i);
  const before = sumOfLengths(stripes.slice(0, index));
  const total = sumOfLengths(stripes);
  const { bytes, length } = stripes[index];
  const character = sayShortened(model.text.slice(piece.from, piece.to), LONGEST_CHARACTER);
  const place = sayPlace(before, length, total);
  return `${length === 1 ? "byte" : "bytes"} ${bytes}, ${place} of ${NUMBERS[total] ?? total} of ${character}`;
}

/** @param {{length: number}[]} stripes */
function sumOfLengths(stripes) {
  return stripes.reduce((sum, { length }) => sum + length, 0);
}

/**
 * @param {number} before number of preceding bytes
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
 * Spell out a text's silent and invisible characters.
 *
 * @param {string} text
 */
export function sayText(text) {
  const parts = text.match(/ +|\n+|\t+|\u00a0+|[\p{Z}\p{Cc}\p{Cf}]|[^\p{Z}\p{Cc}\p{Cf}]+/gu) ?? [];
  return parts.map(sayRun).join(" ");
}

/**
 * Describe the start of a text. A run of white space at the limit is counted whole: 79 spaces are not said to be 40.
 *
 * @param {string} text
 * @param {number} longest in UTF-16 units
 */
export function sayShortened(text, longest) {
  let end = Math.min(longest, text.length);
  while (end < text.length && (text[end] === text[end - 1] ? text[end] in WHITE_SPACE : isLowSurrogate(text, end))) end++;
  return end < text.length ? `${sayText(text.slice(0, end))} and more` : sayText(text);
}

/** @param {string} run */
function sayRun(run) {
  const white = WHITE_SPACE[run[0]];
  if (white) return run.length === 1 ? white[0] : `${run.length} ${white[1]}`;
  if (/[\p{Z}\p{Cc}\p{Cf}]/u.test(run)) return labelOf(run);
  return run.length === 1 ? (NAMES[run] ?? run) : run;
}
