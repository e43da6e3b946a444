/**
 * Three experiments on a text: a space in front, capitals, another language. Pure functions that map a text and a
 * selection to a change and describe its effect.
 */

const WORD = /[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}\p{N}]+)*/gu;

/** Maximum UTF-16 units quoted; longer texts are quoted by their start and end. */
const MAX_QUOTED = 80;

/** Translations of a few words, since there is no translation service without a network. */
const LANGUAGES = ["English", "Hindi", "Russian", "Arabic", "Japanese", "German", "Spanish"];
const DICTIONARY = [
  ["hello", "नमस्ते", "привет", "مرحبا", "こんにちは", "hallo", "hola"],
  ["cat", "बिल्ली", "кошка", "قطة", "猫", "Katze", "gato"],
  ["water", "पानी", "вода", "ماء", "水", "Wasser", "agua"],
  ["book", "किताब", "книга", "كتاب", "本", "Buch", "libro"],
  ["bread", "रोटी", "хлеб", "خبز", "パン", "Brot", "pan"],
  ["friend", "दोस्त", "друг", "صديق", "友達", "Freund", "amigo"],
  ["house", "घर", "дом", "بيت", "家", "Haus", "casa"],
  ["river", "नदी", "река", "نهر", "川", "Fluss", "río"],
  ["school", "विद्यालय", "школа", "مدرسة", "学校", "Schule", "escuela"],
  ["sun", "सूरज", "солнце", "شمس", "太陽", "Sonne", "sol"],
];

/**
 * @typedef {object} Change
 * @property {Selection} word the changed word, with the spaces that belong to it
 * @property {number} start
 * @property {number} end of the replaced range
 * @property {string} replacement
 * @property {string} how the change in words, followed by "it is ..."
 */

/** @typedef {[start: number, end: number]} Selection */
/** @typedef {import("../shared/text/tokenization.js").TokenizationModel} Model */

/**
 * @param {string} text @param {Selection} selection @returns {Change | null} null if the selection already starts
 *   with a space, as a clicked token may
 */
export function putSpaceInFront(text, selection) {
  const [start, end] = selectionOrFirstWord(text, selection) ?? [0, text.length];
  if (/^ +[^ ]/.test(text.slice(start, end))) return null;
  const spaces = /** @type {RegExpMatchArray} */ (text.slice(0, start).match(/ *$/))[0].length;
  const how = spaces ? "with one more space in front" : "with a space in front";
  return { word: [start - spaces, end], start, end: start, replacement: " ", how };
}

/**
 * Cycle through cat, Cat, CAT. Without a selection, change the first word that starts with a lowercase letter, or else
 * the first that has a letter with an uppercase form.
 *
 * @param {string} text @param {Selection} selection @returns {Change | null} null if no letter has an uppercase form
 */
export function useCapital(text, selection) {
  const place = isEmpty(selection) ? wordToCapitalize(text) : selection;
  if (!place || !hasCapitals(text.slice(...place))) return null;
  const word = text.slice(...place);
  const [small, capital, all] = [word.toLowerCase(), withCapital(word.toLowerCase()), word.toUpperCase()];
  if (word === all && word !== capital) return change(place, small, "all in small letters");
  if (word === capital && word !== all) return change(place, all, "all in capitals");
  if (word === capital) return change(place, small, "in a small letter");
  if (word !== withCapital(word)) return change(place, withCapital(word), "with a capital");
  return change(place, small, "all in small letters");
}

/** @param {string} text @returns {Selection | undefined} */
function wordToCapitalize(text) {
  const all = words(text);
  const firstSmall = all.find(([start]) => text[start] !== text[start].toUpperCase());
  return firstSmall ?? all.find((place) => hasCapitals(text.slice(...place)));
}

/** @param {string} text */
const hasCapitals = (text) => text.toLowerCase() !== text.toUpperCase();

/** Capitalize the first letter, even after a space or an apostrophe. @param {string} word */
const withCapital = (word) => word.replace(/\p{Cased}/u, titlecased);

/** Titlecase a letter: if its uppercase is two letters, only the first is uppercase (ß, Ss). @param {string} letter */
function titlecased(letter) {
  return letter.toUpperCase().replace(/(\p{Cased})(.+)$/u, (_, first, rest) => first + rest.toLowerCase());
}

/**
 * Translate a dictionary word into the next language: the selected word if it is known, or the first known one in the text.
 *
 * @param {string} text @param {Selection} selection @returns {Change | null} null if no word is known
 */
export function writeInAnotherLanguage(text, selection) {
  const selected = isEmpty(selection) ? [] : [withoutSpaces(text, selection)];
  for (const place of [...selected, ...words(text)]) {
    const word = text.slice(...place).toLowerCase();
    for (const row of DICTIONARY) {
      const column = row.findIndex((entry) => entry.toLowerCase() === word);
      if (column < 0) continue;
      const next = (column + 1) % row.length;
      return change(place, row[next], `in ${LANGUAGES[next]}`);
    }
  }
  return null;
}

/**
 * Return the range of the changed word afterwards, without spaces inserted before it.
 *
 * @param {Change} change @returns {Selection}
 */
export function afterwards({ word, start, end, replacement }) {
  const isInsertion = start === end;
  return [isInsertion ? start + replacement.length : start, word[1] + replacement.length - (end - start)];
}

/**
 * Return the tokens of the changed word, before and after. If the word is part of a longer one, its old and new tokens
 * may end in different places: the range is extended until it consists of whole tokens in both.
 *
 * @param {Model} before @param {Model} after @param {Change} change
 * @returns {{text: string, before: number[], after: number[]}} `text` as it was
 */
export function tokensAround(before, after, { word, start, end, replacement }) {
  const shift = replacement.length - (end - start);
  let [from, to] = word;
  for (let [oldFrom, oldTo] = [-1, -1]; from !== oldFrom || to !== oldTo; ) {
    [oldFrom, oldTo] = [from, to];
    [from, to] = wholeTokens(before, from, to);
    [from, to] = wholeTokens(after, from, to + shift);
    to -= shift;
  }
  return { text: before.text.slice(from, to), before: idsOf(before, from, to), after: idsOf(after, from, to + shift) };
}

/** The tokens of a range, and their text. @param {Model} model @param {Selection} range */
export function tokensOf(model, range) {
  const [from, to] = wholeTokens(model, ...range);
  return { text: model.text.slice(from, to), ids: idsOf(model, from, to) };
}

/** The first token of a range, and one past the last. @param {Model} model @param {number} from @param {number} to */
function tokensIn({ n, starts, inside, byteLengths }, from, to) {
  let first = n;
  while (first > 0 && (inside[first] || starts[first] > from)) first--;
  let end = first;
  while (end < n && (inside[end] || starts[end] < to || !byteLengths[end])) end++; // an end-of-word mark belongs to its word
  return [first, end];
}

/** Extend a range to whole tokens. @param {Model} model @param {number} from @param {number} to */
const wholeTokens = (model, from, to) => tokensIn(model, from, to).map((i) => model.starts[i]);

/** The ids of the tokens in a range. @param {Model} model @param {number} from @param {number} to */
const idsOf = (model, from, to) => Array.from(model.ids.subarray(...tokensIn(model, from, to)));

/**
 * Describe the effect of a change in one sentence.
 *
 * @param {string} word the text of the tokens it was in
 * @param {number[]} before ids of the tokens it was in
 * @param {number[]} after
 * @param {string} how
 */
export function describeChange(word, before, after, how) {
  return `“${shortened(word)}” was ${tokens(before)}; ${how} it is ${describeNewTokens(before, after)}.`;
}

/** @param {string} word starts with its space @param {number[]} ids of its tokens */
export function describeSpace(word, ids) {
  return `“${shortened(word)}” has its space already: with it, it is ${tokens(ids)}.`;
}

/** Describe a word whose previous tokens are unknown. @param {string} word @param {number[]} ids of its tokens */
export function describeWord(word, ids) {
  return `“${shortened(word)}” is ${tokens(ids)}.`;
}

/** @param {string} text */
function shortened(text) {
  return text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED / 2)} … ${text.slice(-MAX_QUOTED / 2)}` : text;
}

/** @param {number[]} before @param {number[]} after */
function describeNewTokens(before, after) {
  if (String(before) === String(after)) return after.length === 1 ? "still the same one" : "still the same ones";
  if (before.length !== after.length) return tokens(after);
  return after.length === 1 ? `another one (${after[0]})` : `${after.length} as well, but not the same ones`;
}

/** @param {number[]} ids */
const tokens = (ids) => (ids.length === 1 ? `1 token (${ids[0]})` : `${ids.length} tokens`);

/** @param {Selection} word @param {string} replacement @param {string} how @returns {Change} */
const change = (word, replacement, how) => ({ word, start: word[0], end: word[1], replacement, how });

/** @param {Selection} selection */
const isEmpty = ([start, end]) => start === end;

/** Trim spaces from a selection. @param {string} text @param {Selection} selection @returns {Selection} */
function withoutSpaces(text, [start, end]) {
  const inner = text.slice(start, end);
  return [end - inner.trimStart().length, start + inner.trimEnd().length];
}

/** @param {string} text @param {Selection} selection @returns {Selection | undefined} */
const selectionOrFirstWord = (text, selection) => (isEmpty(selection) ? words(text)[0] : selection);

/** @param {string} text @returns {Selection[]} */
const words = (text) => Array.from(text.matchAll(WORD), ({ index, 0: word }) => [index, index + word.length]);
