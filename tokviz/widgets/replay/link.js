/**
 * What a link to the Merge replay page says: story, options, and the exact step. The text comes beside it.
 */

import { firstOptions } from "./learn.js";

/** @typedef {import("./source.js").Choices} Choices */
/** @typedef {{text: string, tokenizer: string, special: boolean}} Shared */

const PATTERNS = ["none", "gpt2", "cl100k", "o200k", "words"];
const ALPHABETS = ["bytes", "seen-bytes", "characters"];
const TIES = ["first-seen", "lowest-ids", "greatest-bytes"];
const WRITINGS = ["text", "hex", "ids", "letters"];

/**
 * @param {Choices} choices
 * @param {Shared} shared
 * @returns {{fields: Record<string, string>, text: string}}
 */
export function linkOf(choices, shared) {
  const { story, order, learn, tried, steps, writing, predict } = choices;
  const fields = { story, step: String(steps[story]), symbols: writing === "text" ? "" : writing, predict: flag(predict) };
  const reading = { order: order === "rank" ? "" : order };
  const learning = {
    ...{ split: learn.pattern, alphabet: learn.alphabet, ties: learn.ties, merges: String(learn.merges) },
    ends: flag(learn.endOfWord),
  };
  if (story === "learn") return { fields: { ...fields, ...learning }, text: learn.text };
  if (!tried)
    return {
      fields: { ...fields, ...reading, tokenizer: shared.tokenizer, special: flag(shared.special) },
      text: shared.text,
    };
  const trying = { word: tried.word, tried: String(tried.merges) };
  return { fields: { ...fields, ...reading, ...learning, ...trying }, text: learn.text };
}

/**
 * What of a link is understood; what is not is as on a fresh page.
 *
 * @param {Record<string, string>} fields
 * @param {string[]} tokenizers the names of those that merge
 * @returns {{choices: Partial<Choices>, tokenizer: string | null, special: boolean}}
 */
export function readLink(fields, tokenizers) {
  const story = fields.story === "learn" ? "learn" : "apply";
  const step = Number.parseInt(fields.step, 10);
  const steps = { apply: -2, learn: 0, ...(Number.isInteger(step) && { [story]: step }) };
  const tried = count(fields.tried);
  return {
    choices: {
      story,
      steps,
      order: fields.order === "pretoken" ? "pretoken" : "rank",
      learn: learnFrom(fields),
      tried: tried === null ? null : { merges: tried, word: fields.word ?? "" },
      writing: /** @type {Choices["writing"]} */ (oneOf(WRITINGS, fields.symbols, "text")),
      predict: fields.predict === "1",
    },
    tokenizer: tokenizers.includes(fields.tokenizer) ? fields.tokenizer : null,
    special: fields.special === "1",
  };
}

/** @param {Record<string, string>} fields */
function learnFrom(fields) {
  const first = firstOptions();
  return {
    ...first,
    pattern: oneOf(PATTERNS, fields.split, first.pattern),
    alphabet: oneOf(ALPHABETS, fields.alphabet, first.alphabet),
    ties: oneOf(TIES, fields.ties, first.ties),
    merges: count(fields.merges) ?? first.merges,
    endOfWord: fields.ends === "1" && fields.alphabet === "characters",
  };
}

/** @param {string[]} choices @param {string | undefined} value @param {string} otherwise */
const oneOf = (choices, value, otherwise) => (value !== undefined && choices.includes(value) ? value : otherwise);

/** @param {string | undefined} digits */
const count = (digits) => (/^\d{1,7}$/.test(digits ?? "") ? Number(digits) : null);

/** @param {boolean} on */
const flag = (on) => (on ? "1" : "");
