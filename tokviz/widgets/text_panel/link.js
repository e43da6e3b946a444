/**
 * Links to a page of charts. Its query names the chosen tokenizers (see choices/address.js), but only those that
 * everybody has; with others among them, the fragment names all of them.
 */

import { chosenField, ownOf } from "../shared/net/recipes.js";

/** The query parameter of the chosen tokenizers. */
const TOKENIZERS = "tokenizers";

/**
 * What a link to the page contains.
 *
 * @param {{chosen: string[], tokenizers: import("../shared/net/recipes.js").Offer[]}} data of the widget
 * @param {string} sample the example on screen, "" for any other text
 * @param {string} text
 * @returns {import("../shared/ui/share.js").Shown}
 */
export function linkContent({ chosen, tokenizers }, sample, text) {
  const own = ownOf(chosen, tokenizers);
  const fields = { ...(sample && { sample }), ...(own.length && chosenField(chosen)) };
  const shown = { fields, text: sample ? null : text };
  return own.length ? { ...shown, own, query: { [TOKENIZERS]: null } } : shown;
}
