/**
 * The form for learning merges: a training text, small classic examples, and the trainer's options.
 */

import { button, element, fill, menu, toggle } from "../shared/dom/elements.js";
import { keepLineEnds } from "../shared/ui/lineends.js";

/**
 * @typedef {object} LearnOptions
 * @property {string} text
 * @property {string} pattern
 * @property {string} alphabet
 * @property {string} ties
 * @property {number} merges
 * @property {boolean} endOfWord
 */

/** Maximum text, in UTF-16 units, to which the box adapts its height; a longer text fills the box anyway. */
export const TALL = 5_000;

/** @type {LearnOptions} */
const PLAIN = { text: "", pattern: "none", alphabet: "bytes", ties: "first-seen", merges: 20, endOfWord: false };
const DOGS = "dog. dog! dog? dog. dog! dog?";
const WORDS = ["low", "low", "low", "low", "low", "lower", "lower"];
WORDS.push(...Array(6).fill("newest"), ...Array(3).fill("widest"));

/** @typedef {LearnOptions & {title: string, about: string, writing?: string}} Classic */

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
    about: "Without a split, merges run across words and signs.",
  },
  {
    ...PLAIN,
    title: "dogs, with GPT-2's split",
    text: DOGS,
    pattern: "gpt2",
    about: "The split keeps dog apart from its signs.",
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

/** @type {[string, string][]} */
const PATTERNS = [
  ["none", "none"],
  ["gpt2", "GPT-2's"],
  ["cl100k", "cl100k's"],
  ["o200k", "o200k's"],
  ["words", "words"],
];
/** @type {[string, string][]} */
const ALPHABETS = [
  ["bytes", "all 256 bytes"],
  ["seen-bytes", "bytes in the text"],
  ["characters", "characters in the text"],
];
/** @type {[string, string][]} */
const TIES = [
  ["first-seen", "first seen"],
  ["lowest-ids", "lowest ids"],
  ["greatest-bytes", "greatest bytes"],
];

/**
 * @param {LearnOptions} options changed in place
 * @param {number} maxMerges
 * @param {object} on
 * @param {(isText: boolean) => void} on.change
 * @param {(classic: Classic) => void} on.classic
 * @param {() => void} on.tryOut
 */
export function createLearn(options, maxMerges, on) {
  const about = element("p", { class: "quiet" });
  const classics = menu(
    "Examples",
    [["", "choose a text"], ...CLASSICS.map(({ title }, i) => /** @type {[string, string]} */ ([String(i), title]))],
    "",
    (value) => {
      if (value) choose(CLASSICS[Number(value)]);
    },
  );
  const text = element("textarea", {
    class: "editor mono",
    "aria-label": "Text to learn from",
    rows: 2,
    dir: "auto",
    spellcheck: "false",
    autocapitalize: "off",
    autocomplete: "off",
    placeholder: "Type or paste a text to learn from",
    input: () => useText(written.text()),
  });
  const written = keepLineEnds(text);
  const pattern = menu("Split", PATTERNS, options.pattern, (value) => set({ pattern: value }));
  const alphabet = menu("Alphabet", ALPHABETS, options.alphabet, (value) =>
    set({ alphabet: value, endOfWord: options.endOfWord && value === "characters" }),
  );
  const ties = menu("Ties", TIES, options.ties, (value) => set({ ties: value }));
  const merges = element("input", { type: "number", min: 0, max: maxMerges, step: 1, change: setMerges });
  const ends = toggle(
    "end-of-word marks",
    options.endOfWord,
    (endOfWord) => set({ endOfWord, ...(endOfWord && { alphabet: "characters" }) }),
    "Each word ends in a symbol of its own. Goes with characters.",
  );
  const node = element(
    "div",
    { class: "learn" },
    element("div", { class: "row" }, classics.node, about),
    text,
    written.note,
    element(
      "div",
      { class: "row settings" },
      pattern.node,
      alphabet.node,
      ties.node,
      element("label", { class: "menu" }, element("span", {}, "Merges"), merges),
      ends.node,
      button("try these merges on a new word", on.tryOut, { class: "button try" }),
    ),
  );
  show();

  /** @param {string} wanted */
  function useText(wanted) {
    options.text = wanted;
    classics.select.value = "";
    fill(about);
    show();
    on.change(true);
  }

  function setMerges() {
    const wanted = Math.floor(Number(merges.value));
    set({ merges: Math.max(0, Math.min(maxMerges, Number.isFinite(wanted) ? wanted : options.merges)) });
  }

  /** @param {Partial<LearnOptions>} change */
  function set(change) {
    Object.assign(options, change);
    show();
    on.change(false);
  }

  /** @param {Classic} classic */
  function choose(classic) {
    const { title: _, about: says, writing: __, ...rest } = classic;
    Object.assign(options, rest);
    show();
    fill(about, says);
    on.classic(classic);
  }

  function show() {
    written.show(options.text);
    text.classList.toggle("tall", options.text.length > TALL);
    pattern.select.value = options.pattern;
    alphabet.select.value = options.alphabet;
    ties.select.value = options.ties;
    merges.value = String(options.merges);
    ends.input.checked = options.endOfWord;
  }

  return { node, show, useText };
}

/** Initial options. @returns {LearnOptions} */
export function firstOptions() {
  const { title: _, about: __, ...options } = CLASSICS[0];
  return options;
}

/** The options as query parameters for the server. @param {LearnOptions} options */
export function learnQuery({ pattern, alphabet, ties, merges, endOfWord }) {
  return { pattern, alphabet, ties, merges, end_of_word: endOfWord ? 1 : 0 };
}
