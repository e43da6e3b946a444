/**
 * Texts of questions, and the words of the lesson's language.
 */

import { element } from "../shared/dom/elements.js";

/** @typedef {Record<string, any>} Words texts by name, in a language; a text about a number has its forms */

/** The nodes of a text whose backquotes enclose a piece of text or a token. @param {string} text @returns {(Node | string)[]} */
export const marked = (text) => text.split("`").map((part, k) => (k % 2 ? element("code", {}, part) : part));

/** Fill in a text: "Step {number}". @param {string} text @param {Record<string, string | number>} values */
export const filled = (text, values) => text.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));

/** Fill in the form of a text that goes with a number: "{count} phones". @param {Words} words @param {string} name @param {number} count @param {Record<string, string | number>} [values] */
export function counted(words, name, count, values = {}) {
  const form = new Intl.PluralRules(words.language).select(count);
  return filled(words[name][form] ?? words[name].other, { count, ...values });
}
