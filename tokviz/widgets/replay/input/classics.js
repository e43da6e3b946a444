/**
 * Small classic examples of learning merges.
 */

import { FIRST_OWN } from "../../shared/ui/patterns.js";

/** @typedef {import("./options.js").LearnOptions} LearnOptions */

/** @type {LearnOptions} */
const PLAIN = { text: "", pattern: "none", own: FIRST_OWN, off: "", alphabet: "bytes", ties: "first-seen", merges: 20, endOfWord: false };
const DOGS = "dog. dog! dog? dog. dog! dog?";
const WORDS = ["low", "low", "low", "low", "low", "lower", "lower"];
WORDS.push(...Array(6).fill("newest"), ...Array(3).fill("widest"));

/** @typedef {LearnOptions & {title: string, about: string, writing?: import("../model/names.js").Writing}} Classic */

/** @type {Classic[]} */
export const CLASSICS = [
  {
    ...PLAIN,
    title: "the cat in the hat",
    text: "the cat in the hat",
    about: "Small enough to count by hand.",
  },
  {
    ...PLAIN,
    title: "aaabdaaabac, the textbook's",
    text: "aaabdaaabac",
    ties: "lowest-ids",
    writing: "letters",
    about: "The textbook's example: aa becomes Z, ab becomes Y, ZY becomes X. Other tie rules give other letters.",
  },
  {
    ...PLAIN,
    title: "low, lower, newest, widest",
    text: WORDS.join(" "),
    alphabet: "characters",
    endOfWord: true,
    about: "With a mark at the end of each word, est</w> and est within a word are different tokens.",
  },
  {
    ...PLAIN,
    title: "dogs, without a split",
    text: DOGS,
    about: "Without a split, merges run across words and punctuation.",
  },
  {
    ...PLAIN,
    title: "dogs, with GPT-2's split",
    text: DOGS,
    pattern: "gpt2",
    about: "The split keeps dog apart from its punctuation.",
  },
  {
    ...PLAIN,
    title: "a paragraph",
    pattern: "gpt2",
    merges: 100,
    text:
      "The first time you see a word, it is only letters. The hundredth time, the letters have grown together. " +
      "Byte pair encoding works like that: it reads a text again and again, and each time it glues together the two " +
      "neighbors that it has seen side by side most often. The words that it has seen often become whole, and the " +
      "rare words stay in pieces.",
    about: "More text, more merges. Watch which pieces become words first.",
  },
];

/** Options of a fresh page: those of the first example. @returns {LearnOptions} */
export function firstOptions() {
  const { title: _, about: __, ...options } = CLASSICS[0];
  return options;
}
