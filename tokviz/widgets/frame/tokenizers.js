/**
 * The tokenizers chosen on a page of charts. Streamlit keeps them in the address's query. User-made ones are in a link's
 * fragment instead: Streamlit reads the query before they are available, and removes unknown choices from the address,
 * together with the fragment.
 */

import { chosenField, ownOf } from "../shared/net/recipes.js";

/** The query parameter in which Streamlit keeps the chosen tokenizers. */
const TOKENIZERS = "tokenizers";

/**
 * The tokenizers named in the address before it was changed. Streamlit may remount a widget before its state has been
 * sent, so each mount sends them; the session receives them once. @type {string[] | null}
 */
let namedInAddress = null;

/**
 * Remove unavailable tokenizers from the address before Streamlit does, which would also drop the fragment.
 *
 * @param {string[] | null} offered the names that the address may choose from; null if the page offers no choice
 * @returns {string[] | null} the names in the address, for the session; null if it has them all
 */
export function takeFromAddress(offered) {
  if (!offered) return null;
  const query = new URLSearchParams(location.search);
  const named = query.getAll(TOKENIZERS).filter((name) => name !== "");
  if (!named.every((name) => offered.includes(name))) {
    namedInAddress = named;
    query.delete(TOKENIZERS);
    history.replaceState(history.state, "", `${location.pathname}${query.size ? `?${query}` : ""}${location.hash}`);
  }
  return namedInAddress;
}

/**
 * What a link to the page contains.
 *
 * @param {object} data of the widget
 * @param {string[]} [data.chosen]
 * @param {import("../shared/net/recipes.js").Offer[]} data.tokenizers
 * @param {Record<string, string | null>} [data.query]
 * @param {Record<string, string> | null} [data.fileQuery]
 * @param {string | null} text
 * @returns {import("../shared/ui/share.js").Shown}
 */
export function shownBy({ chosen = [], tokenizers, query, fileQuery }, text) {
  const own = ownOf(chosen, tokenizers);
  if (!own.length) return { fields: {}, text, query, fileQuery };
  return { fields: chosenField(chosen), text, own, query: { ...query, [TOKENIZERS]: null }, fileQuery };
}
