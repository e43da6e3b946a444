/**
 * Three small things to try on a text: a space in front, a capital, another language. Pure functions: a text and a
 * selection in, a change out, and the sentence about it.
 */

const WORD = /[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}\p{N}]+)*/gu;

/** Longer stretches are quoted by their beginning and end, in UTF-16 units. */
const LONGEST = 80;

/** There is no translating without a network, so a few words are known, in a few languages. */
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
 * @property {Selection} word what the change is about, with the spaces that count as its own
 * @property {number} start
 * @property {number} end the stretch of the text that is replaced
 * @property {string} replacement
 * @property {string} how the change in words, to go before "it is ..."
 */

/** @typedef {[start: number, end: number]} Selection */
/** @typedef {import("../shared/tokenization.js").TokenizationModel} Model */

/**
 * @param {string} text @param {Selection} selection @returns {Change | null} null where the selection begins with its
 *   space already, as a token that was clicked may
 */
export function putSpaceInFront(text, selection) {
  const [start, end] = chosen(text, selection) ?? [0, text.length];
  if (/^ +[^ ]/.test(text.slice(start, end))) return null;
  const spaces = /** @type {RegExpMatchArray} */ (text.slice(0, start).match(/ *$/))[0].length;
  const how = spaces ? "with one more space in front" : "with a space in front";
  return { word: [start - spaces, end], start, end: start, replacement: " ", how };
}

/**
 * cat, then Cat, then CAT, then cat again. Without a selection, the first word that begins with a small letter, or else
 * the first that has a letter with a capital.
 *
 * @param {string} text @param {Selection} selection @returns {Change | null} null where no letter has a capital
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

/** The first letter is made a capital, whatever stands before it: a space, an apostrophe. @param {string} word */
const withCapital = (word) => word.replace(/\p{Cased}/u, titled);

/** Of a letter whose capitals are two letters, only the first is one: ß, Ss. @param {string} letter */
function titled(letter) {
  return letter.toUpperCase().replace(/(\p{Cased})(.+)$/u, (_, first, rest) => first + rest.toLowerCase());
}

/**
 * The next language for a word of the dictionary: the selected one, or the first in the text.
 *
 * @param {string} text @param {Selection} selection @returns {Change | null} null where no word is known
 */
export function writeInAnotherLanguage(text, selection) {
  const places = isEmpty(selection) ? words(text) : [withoutSpaces(text, selection)];
  for (const place of places) {
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
 * Where the changed word itself stands afterwards, without spaces that were put in front of it.
 *
 * @param {Change} change @returns {Selection}
 */
export function afterwards({ word, start, end, replacement }) {
  const isInsertion = start === end;
  return [isInsertion ? start + replacement.length : start, word[1] + replacement.length - (end - start)];
}

/**
 * The tokens of the changed word, before and after. Where the word is a part of a longer one, its new tokens may end
 * elsewhere than its old ones: the stretch is as long as it must be to consist of whole tokens both times.
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

/** The tokens of a stretch, and their text. @param {Model} model @param {Selection} stretch */
export function tokensOf(model, stretch) {
  const [from, to] = wholeTokens(model, ...stretch);
  return { text: model.text.slice(from, to), ids: idsOf(model, from, to) };
}

/** The smallest stretch of whole tokens that holds another. @param {Model} model @param {number} from @param {number} to */
function wholeTokens({ n, starts, inside }, from, to) {
  let first = n;
  while (first > 0 && (inside[first] || starts[first] > from)) first--;
  let end = first;
  while (end < n && (inside[end] || starts[end] < to)) end++;
  return [starts[first], starts[end]];
}

/** The ids of the tokens in a stretch of whole ones. @param {Model} model @param {number} from @param {number} to */
function idsOf({ n, ids, starts, inside, byteLengths }, from, to) {
  let first = n;
  while (first > 0 && (inside[first] || starts[first] > from)) first--;
  let end = first;
  while (end < n && (inside[end] || starts[end] < to || !byteLengths[end])) end++; // an end of word goes with its word
  return Array.from(ids.subarray(first, end));
}

/**
 * What a change did, in a sentence.
 *
 * @param {string} word as the tokens have it that it was in
 * @param {number[]} before ids of the tokens it was in
 * @param {number[]} after
 * @param {string} how
 */
export function describeChange(word, before, after, how) {
  return `“${shortened(word)}” was ${tokens(before)}; ${how} it is ${compared(before, after)}.`;
}

/** @param {string} word begins with its space @param {number[]} ids of its tokens */
export function describeSpace(word, ids) {
  return `“${shortened(word)}” has its space already: with it, it is ${tokens(ids)}.`;
}

/** What a word is, where nothing is known of what it was. @param {string} word @param {number[]} ids of its tokens */
export function describeWord(word, ids) {
  return `“${shortened(word)}” is ${tokens(ids)}.`;
}

/** @param {string} text */
function shortened(text) {
  return text.length > LONGEST ? `${text.slice(0, LONGEST / 2)} … ${text.slice(-LONGEST / 2)}` : text;
}

/** @param {number[]} before @param {number[]} after */
function compared(before, after) {
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

/** A selection without the spaces at its ends. @param {string} text @param {Selection} selection @returns {Selection} */
function withoutSpaces(text, [start, end]) {
  const inner = text.slice(start, end);
  return [end - inner.trimStart().length, start + inner.trimEnd().length];
}

/** The selection, or the first word. @param {string} text @param {Selection} selection @returns {Selection | undefined} */
const chosen = (text, selection) => (isEmpty(selection) ? words(text)[0] : selection);

/** @param {string} text @returns {Selection[]} */
const words = (text) => Array.from(text.matchAll(WORD), ({ index, 0: word }) => [index, index + word.length]);
