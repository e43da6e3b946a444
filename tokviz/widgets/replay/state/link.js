/**
 * Contents of a link to the Merge replay page: story, options, and the exact step. The text is sent separately.
 */

import { firstOptions } from "../input/classics.js";
import { WRITINGS } from "../model/names.js";
import { flag, oneOf } from "../../shared/net/links.js";
import { readOff } from "../../shared/ui/alternatives.js";
import { OWN_PATTERN, WITH_OWN } from "../../shared/ui/patterns.js";
import { ALPHABETS, TIES } from "../input/options.js";

/** @typedef {import("./choices.js").Choices} Choices */

/**
 * @param {Choices} choices
 * @param {import("./choices.js").Shared} shared
 * @returns {{fields: Record<string, string>, text: string}}
 */
export function linkOf(choices, shared) {
  const { story, order, learn, tried, steps, writing, predict, asks } = choices;
  const asking = { predict: flag(predict && asks === "choices"), play: flag(predict && asks === "stage") };
  const fields = { story, step: String(steps[story] ?? ""), symbols: writing === "text" ? "" : writing, ...asking };
  const reading = { order: order === "rank" ? "" : order };
  const learning = {
    ...{ split: learn.pattern, alphabet: learn.alphabet, ties: learn.ties, merges: String(learn.merges) },
    ...{ own: learn.pattern === OWN_PATTERN ? learn.own : "", off: learn.off, ends: flag(learn.endOfWord) },
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
 * Read the fields of a link. A field that is missing or not understood takes its value on a fresh page.
 *
 * @param {Record<string, string>} fields
 * @param {string[]} tokenizers names of the tokenizers that have merges
 * @returns {{choices: Partial<Choices>, tokenizer: string | null, special: boolean}}
 */
export function readLink(fields, tokenizers) {
  const story = fields.story === "learn" ? "learn" : "apply";
  const step = Number.parseInt(fields.step, 10);
  const steps = { apply: null, learn: 0, ...(Number.isInteger(step) && { [story]: step }) };
  const tried = parseCount(fields.tried);
  return {
    choices: {
      story,
      steps,
      order: fields.order === "pretoken" ? "pretoken" : "rank",
      learn: readLearnOptions(fields),
      tried: tried === null ? null : { merges: tried, word: fields.word ?? "" },
      writing: /** @type {Choices["writing"]} */ (oneOf(WRITINGS, fields.symbols, "text")),
      predict: fields.predict === "1" || fields.play === "1",
      asks: fields.predict === "1" ? "choices" : "stage",
    },
    tokenizer: tokenizers.includes(fields.tokenizer) ? fields.tokenizer : null,
    special: fields.special === "1",
  };
}

/** @param {Record<string, string>} fields */
function readLearnOptions(fields) {
  const first = firstOptions();
  return {
    ...first,
    pattern: oneOf(WITH_OWN, fields.split, first.pattern),
    own: fields.own ?? first.own,
    off: readOff(fields.off),
    alphabet: oneOf(ALPHABETS, fields.alphabet, first.alphabet),
    ties: oneOf(TIES, fields.ties, first.ties),
    merges: parseCount(fields.merges) ?? first.merges,
    endOfWord: fields.ends === "1" && fields.alphabet === "characters",
  };
}

/** @param {string | undefined} digits */
const parseCount = (digits) => (/^\d{1,7}$/.test(digits ?? "") ? Number(digits) : null);
