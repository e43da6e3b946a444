/**
 * The link that watches a recipe being learned, on the Merge replay page. Apart, because it is wanted after a training only.
 */

import { firstChoices } from "../replay/state/choices.js";
import { linkOf } from "../replay/state/link.js";
import { Refusal } from "../shared/net/client.js";
import { canWatch } from "./settings.js";

/** @param {import("./settings.js").Recipe} recipe @param {string} text @param {number} merges */
export function watchLink({ pattern, own, off, alphabet, ties, mark }, text, merges) {
  const learn = { text, pattern, own, off, alphabet, ties, merges, endOfWord: mark && alphabet === "characters" };
  const choices = { ...firstChoices(), story: /** @type {const} */ ("learn"), learn, steps: { apply: -2, learn: 0 } };
  return linkOf(choices, { text, tokenizer: "", special: false });
}

/**
 * What a class is asked about: the merge after so many of a recipe, on a text or on a sample that a link can name.
 *
 * @param {import("./settings.js").Recipe} recipe @param {string | null} text @param {number} step @param {{name: string}[]} large samples that it can't
 * @returns {import("../shared/page/shell.js").Asked}
 */
export function askedLink(recipe, text, step, large) {
  const sample = recipe.source === "sample" && large.every(({ name }) => name !== recipe.sample) ? recipe.sample : "";
  if (!canWatch(recipe, sample || text, step)) throw new Refusal("Only a text whose merges are learned here can be asked about.");
  const { fields } = watchLink(recipe, text ?? "", step + 1);
  return { page: "replay", fields: { ...fields, sample, step: String(step) }, text };
}
