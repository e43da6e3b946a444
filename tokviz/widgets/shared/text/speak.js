/**
 * Spoken descriptions of tokens for screen readers: "space say", "3 spaces", "bytes f0 9f, the first two of four of 🍕".
 */

import { graphemeAt, piecesOf, stripesOf, tokenEnd } from "./tokenization.js";
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

/** Characters of which a voice says nothing. */
const SILENT = /[\p{Z}\p{Cc}\p{Cf}\p{Variation_Selector}]/u;
const RUNS = new RegExp(` +|\n+|\t+|\u00a0+|${SILENT.source}|(?:(?!${SILENT.source}).)+`, "gu");

const NUMBERS = ["none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
const ORDINALS = ["", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];
/** Maximum UTF-16 units spoken of a text; longer ones end in "and more". */
const LONGEST = 200;
const LONGEST_CHARACTER = 40;
/** UTF-16 units around a token in which the beginning and the end of its characters are sought. */
const NEAR = 2000;

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
 * @param {Pick<TokenizationModel, "text" | "starts" | "inside" | "special" | "meta">} model
 * @param {number} i
 */
export function isUnknown(model, i) {
  if (model.special[i] !== 1 || model.meta.tokenizer !== "words") return false;
  return model.text.slice(model.starts[i], tokenEnd(model, i)) !== UNKNOWN;
}

/** Pieces of token i, with the whole of each character. @param {TokenizationModel} model @param {number} i */
function piecesOfToken(model, i) {
  const [start, end] = [model.starts[i], tokenEnd(model, i)];
  const near = Math.max(0, start - NEAR);
  // No character goes on over a line's end, so the line's beginning is that of a character.
  const begin = near + model.text.slice(near, start).lastIndexOf("\n") + 1;
  const line = model.text.slice(begin, end + NEAR);
  const last = graphemeAt(line, end - 1 - begin);
  const [from, to] = [begin + graphemeAt(line, start - begin).index, begin + last.index + last.segment.length];
  return piecesOf(model, from, to).filter((piece) => piece.first <= i && piece.last >= i);
}

/** Texts contain no lone surrogates. @param {string} text @param {number} at */
const isLowSurrogate = (text, at) => (text.charCodeAt(at) & 0xfc00) === 0xdc00;

/**
 * @param {TokenizationModel} model
 * @param {number} i
 * @param {import("./tokenization.js").Piece} piece a cut character
 */
function sayPart(model, i, piece) {
  const holding = stripesOf(model, piece).filter(({ bytes }) => bytes);
  const stripes = holding.map(({ token, bytes }) => ({ token, bytes, length: bytes.split(" ").length }));
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
  return (text.match(RUNS) ?? []).map(sayRun).join(" ");
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
  if (SILENT.test(run)) return labelOf(run);
  return run.length === 1 ? (NAMES[run] ?? run) : run;
}
