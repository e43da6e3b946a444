/**
 * Three small things to try on a text: a space in front, a capital, another language. Pure functions: a text and a
 * selection in, a change out, and the sentence about it.
 */

const WORD = /[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}\p{N}]+)*/gu;

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

/** @param {string} text @param {Selection} selection @returns {Change} */
export function putSpaceInFront(text, selection) {
  const [start, end] = chosen(text, selection) ?? [0, text.length];
  const spaces = /** @type {RegExpMatchArray} */ (text.slice(0, start).match(/ *$/))[0].length;
  const how = spaces ? "with one more space in front" : "with a space in front";
  return { word: [start - spaces, end], start, end: start, replacement: " ", how };
}

/**
 * cat, then Cat, then CAT, then cat again. Without a selection, the first word that begins with a small letter.
 *
 * @param {string} text @param {Selection} selection @returns {Change | null} null where there are no capitals
 */
export function useCapital(text, selection) {
  const firstSmall = words(text).find(([start]) => text[start] !== text[start].toUpperCase());
  const place = isEmpty(selection) ? (firstSmall ?? words(text)[0]) : selection;
  const word = text.slice(...(place ?? [0, 0]));
  if (!/\p{Cased}/u.test(word)) return null;
  const small = word.toLowerCase();
  const capital = small.replace(/\p{Cased}/u, (letter) => letter.toUpperCase());
  const cycle = [small, capital, word.toUpperCase()];
  const next = (Math.max(0, cycle.lastIndexOf(word)) + 1) % cycle.length;
  return change(place, cycle[next], ["all in small letters", "with a capital", "all in capitals"][next]);
}

/**
 * The next language for a word of the dictionary: the selected one, or the first in the text.
 *
 * @param {string} text @param {Selection} selection @returns {Change | null} null where no word is known
 */
export function writeInAnotherLanguage(text, selection) {
  const places = isEmpty(selection) ? words(text) : [selection];
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
 * Where the changed word stands afterwards: with the spaces that count as its own, and itself.
 *
 * @param {Change} change @returns {{whole: Selection, itself: Selection}}
 */
export function afterwards({ word, start, end, replacement }) {
  const newEnd = word[1] + replacement.length - (end - start);
  const isInsertion = start === end;
  return { whole: [word[0], newEnd], itself: [isInsertion ? start + replacement.length : start, newEnd] };
}

/**
 * What a change did, in a sentence.
 *
 * @param {string} word as the tokens have it that it was in
 * @param {number[] | null} before ids of the tokens it was in, if they are known
 * @param {number[]} after
 * @param {string} how
 */
export function describeChange(word, before, after, how) {
  if (!before) return `${how[0].toUpperCase()}${how.slice(1)} it is ${tokens(after)}.`;
  return `“${word}” was ${tokens(before)}; ${how} it is ${compared(before, after)}.`;
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

/** The selection, or the first word. @param {string} text @param {Selection} selection @returns {Selection | undefined} */
const chosen = (text, selection) => (isEmpty(selection) ? words(text)[0] : selection);

/** @param {string} text @returns {Selection[]} */
const words = (text) => Array.from(text.matchAll(WORD), ({ index, 0: word }) => [index, index + word.length]);
