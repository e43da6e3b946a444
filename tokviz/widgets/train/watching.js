/**
 * The link that watches a recipe being learned, on the Merge replay page. Apart, because it is wanted after a training only.
 */

import { firstChoices } from "../replay/state/choices.js";
import { linkOf } from "../replay/state/link.js";

/** @param {import("./settings.js").Recipe} recipe @param {string} text @param {number} merges */
export function watchLink({ pattern, own, off, alphabet, ties, mark }, text, merges) {
  const learn = { text, pattern, own, off, alphabet, ties, merges, endOfWord: mark && alphabet === "characters" };
  const choices = { ...firstChoices(), story: /** @type {const} */ ("learn"), learn, steps: { apply: -2, learn: 0 } };
  return linkOf(choices, { text, tokenizer: "", special: false });
}
