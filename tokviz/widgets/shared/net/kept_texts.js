/**
 * Long texts of the session, which a page's data names by an id, so that they are not sent at each run of the page.
 */

import { Client } from "./client.js";

/**
 * Return a page's data with the text that the session's state names. If the text can't be fetched, the state has none,
 * and the page begins with what the tab remembers.
 *
 * @param {any} data `state.textId`: in place of a long text
 * @returns {Promise<any>}
 */
export async function withText(data) {
  if (!data.state?.textId) return data;
  const { textId: id, ...state } = data.state;
  const text = await new Client(data.base).text("text", { id }).catch(() => undefined);
  return { ...data, state: text === undefined ? state : { ...state, text } };
}
