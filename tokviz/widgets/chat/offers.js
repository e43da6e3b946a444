/**
 * What the page offers: tokenizers and templates, among them those that came with the reader's own tokenizers.
 */

import { has } from "../shared/net/links.js";
import { OWN } from "./conversation.js";

/** @typedef {import("./conversation.js").Conversation} Conversation */
/** @typedef {{name: string, label: string, recipe?: string | null, thinks?: boolean | null}} Tokenizer `thinks`: null without a template of its own */

/**
 * @typedef {object} Offers
 * @property {Tokenizer[]} tokenizers
 * @property {[name: string, title: string][]} templates one that came with a tokenizer has its id as name
 * @property {Record<string, string>} templateOf the template that goes with a tokenizer
 * @property {string[]} thinking templates whose models may think before they answer
 */

/** The template of a tokenizer that has none of its own. */
export const USUAL = "chatml";

/** @param {any} data of the page @param {string} [chosen] the tokenizer, whose template is called its own @returns {Offers} */
export function offersOf({ tokenizers, templates, templateOf, thinking }, chosen) {
  const own = tokenizers.filter((/** @type {Tokenizer} */ { thinks }) => typeof thinks === "boolean");
  return {
    tokenizers,
    templates: [...templates, ...own.map((/** @type {Tokenizer} */ { name, label }) => /** @type {[string, string]} */ ([name, name === chosen ? "its own" : label]))],
    templateOf: { ...templateOf, ...Object.fromEntries(own.map((/** @type {Tokenizer} */ { name }) => [name, name])) },
    thinking: [...thinking, ...own.flatMap((/** @type {Tokenizer} */ { name, thinks }) => (thinks ? name : []))],
  };
}

/** What a conversation may choose of the tokenizer and the template that it asks for. @param {Conversation} conversation @param {Offers} offers */
export function chosenFrom({ tokenizer, template, own }, { tokenizers, templates, templateOf }) {
  const found = has(tokenizers, tokenizer) ? tokenizer : "qwen3";
  const isHere = template === OWN ? own !== "" : templates.some(([name]) => name === template);
  return { tokenizer: found, template: isHere ? template : templateOf[found] ?? USUAL };
}

/**
 * The tokenizer that goes with a conversation's template, if it is here and not the one in use.
 *
 * @param {{tokenizer: string, template: string}} conversation
 * @param {Offers} offers
 * @returns {string | null}
 */
export function fittingTokenizer({ tokenizer, template }, { tokenizers, templateOf }) {
  const fitting = Object.keys(templateOf).find((name) => templateOf[name] === template);
  return fitting && fitting !== tokenizer && has(tokenizers, fitting) ? fitting : null;
}
