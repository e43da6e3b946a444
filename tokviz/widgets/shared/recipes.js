/**
 * Tokenizers that people made themselves, in links: under which id the server keeps one, and how to make it again where
 * that is gone. Both are letters that an address may hold, and stay with the browser behind the `#`.
 */

import { createClient, Refusal } from "./client.js";
import { element, fill } from "./elements.js";
import { readFields } from "./links.js";

/** The field of a link; behind it ids and recipes by turns. */
export const MADE = "made";
const BETWEEN = ".";

/**
 * @typedef {object} Offer a tokenizer, as far as links are concerned
 * @property {string} name
 * @property {string | null} recipe null where everyone has it, "" where it can't be made again from a link
 */

/** Those of the named ones that somebody made. @param {string[]} names @param {Offer[]} offers */
export const ownOf = (names, offers) => offers.filter(({ name, recipe }) => recipe !== null && names.includes(name));

/** What a link says of them. @param {Offer[]} own */
export const madeField = (own) => own.flatMap(({ name, recipe }) => [name, recipe ?? ""]).join(BETWEEN);

/**
 * Have the server fetch or make the tokenizers of the link in the address. They join those that `data` offers, and the
 * address names them as the server does now. Meanwhile, and where it can't be done, `root` says so.
 *
 * @param {HTMLElement} root
 * @param {{base: string, tokenizers: (Offer & Record<string, any>)[]}} data
 * @returns {Promise<string[]>} the ids of those that were not offered before
 */
export async function bring(root, data) {
  const parts = readFields(location.hash)?.[MADE]?.split(BETWEEN) ?? [];
  const client = createClient(data.base);
  const says = element("p", { class: "problem", role: "status" });
  const box = element("div", { class: "tokviz bringing" }, says);
  const brought = [];
  for (let k = 0; k + 1 < parts.length; k += 2) {
    const [id, recipe] = parts.slice(k, k + 2);
    if (data.tokenizers.some(({ name }) => name === id)) continue;
    fill(says, "Making the tokenizer of this link …");
    root.append(box);
    try {
      const made = await client.made(id, recipe);
      history.replaceState(history.state, "", location.href.replaceAll(id, made.name));
      if (!data.tokenizers.some(({ name }) => name === made.name)) data.tokenizers.push(made);
      brought.push(made.name);
      box.remove();
    } catch (error) {
      fill(says, error instanceof Refusal ? error.message : "The tokenizer of this link could not be fetched.");
    }
  }
  return brought;
}
