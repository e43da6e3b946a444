/**
 * Files that hold a tokenizer only together: GPT-2's vocab.json and merges.txt, as transformers saves them.
 */

import { tokenizerIn } from "./files.js";

/** @typedef {{name: string, bytes: Uint8Array<ArrayBuffer>}} TokenizerFile */

/** Name and beginning of each of the two. Their names may be prefixed with the model's: gpt2-vocab.json. */
const HALVES = /** @type {[RegExp, RegExp][]} */ ([
  [/^(|.*[._-])vocab\.json$/i, /^\s*\{\s*"/],
  [/^(|.*[._-])merges\.txt$/i, /^#version/],
]);
const CONFIG = "tokenizer_config.json";
const HEAD_BYTES = 4096;

/**
 * Which half of the two a file is, and what its name begins with; null for any other file.
 *
 * @param {TokenizerFile} file
 * @returns {{half: number, prefix: string} | null}
 */
function halfIn({ name, bytes }) {
  const first = new TextDecoder().decode(bytes.subarray(0, HEAD_BYTES));
  const half = HALVES.findIndex(([known, content]) => known.test(name) && content.test(first));
  return half < 0 ? null : { half, prefix: /** @type {RegExpExecArray} */ (HALVES[half][0].exec(name))[1] };
}

/** @param {TokenizerFile} file */
export const isHalf = (file) => halfIn(file) !== null;

/**
 * Find the two files, and the settings beside them if there are any; null if one of the two is missing.
 *
 * @param {TokenizerFile[]} files
 * @returns {TokenizerFile[] | null}
 */
export function halvesIn(files) {
  const known = files.map((file) => ({ file, ...halfIn(file) }));
  const [vocabulary, merges] = [0, 1].map((half) => known.find((each) => each.half === half));
  if (!vocabulary || !merges || vocabulary.prefix !== merges.prefix) return null;
  return [vocabulary.file, merges.file, ...files.filter(({ name }) => name === CONFIG)];
}

/**
 * Find the files that hold a tokenizer among those of its folder; null if there is none, or more than one.
 *
 * @param {TokenizerFile[]} files
 * @returns {TokenizerFile[] | null}
 */
export function tokenizerAmong(files) {
  const whole = files.filter(({ name, bytes }) => tokenizerIn(name, bytes) === "whole");
  const best = whole.find(({ name }) => name === "tokenizer.json") ?? (whole.length === 1 ? whole[0] : null);
  return best ? [best] : whole.length ? null : halvesIn(files);
}
