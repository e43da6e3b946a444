/** The reader's own ids of a text are checked. */

import { Checking } from "../checking.js";

/** @type {[string, string][]} */
const TOKENIZERS = [
  ["gpt2", "GPT-2"],
  ["cl100k_base", "cl100k"],
  ["o200k_base", "o200k"],
];

/** @param {import("../figures.js").Context} context @returns {import("../figures.js").Figure} */
export const create = (context) =>
  new Checking(context, { route: "ids", label: "Your ids", settings: [{ name: "tokenizer", label: "Tokenizer", choices: TOKENIZERS }] });
