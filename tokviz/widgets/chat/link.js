/**
 * Links to the Chat page: the conversation, whose messages are the link's text.
 */

import { flag, has } from "../shared/net/links.js";
import { example, MAX_MESSAGES, OWN, ROLES } from "./conversation.js";
import { USUAL } from "./offers.js";

/** @typedef {import("./conversation.js").Conversation} Conversation */

/** @param {Conversation} conversation @returns {{fields: Record<string, string>, text: string}} */
export function linkOf({ messages, tokenizer, template, own, specials, tools, against, by, asks, thinks }) {
  const text = JSON.stringify({ messages, ...(template === OWN && { own, specials }), ...(tools && { tools }) });
  return { fields: { tokenizer, template, against, by, end: flag(!asks), plain: flag(!thinks) }, text };
}

/**
 * Read a link, which anybody may have written.
 *
 * @param {Record<string, string>} fields
 * @param {string | null} text
 * @param {import("./offers.js").Offers} offers
 * @param {Conversation} [kept] the reader's own, for a link without messages
 * @returns {{conversation: Conversation, note: string}}
 */
export function readLink(fields, text, { tokenizers, templates, templateOf }, kept = example()) {
  const conversation = text === null ? structuredClone(kept) : checked(parsedText(text)) ?? example();
  const { tokenizer, template, against = "", by } = fields;
  const isHere = has(tokenizers, tokenizer);
  if (isHere) conversation.tokenizer = tokenizer;
  if (templates.some(([name]) => name === template) || (template === OWN && conversation.own)) conversation.template = template;
  if (text !== null) Object.assign(conversation, { asks: fields.end !== "1", thinks: fields.plain !== "1" });
  const fitting = templates.some(([name]) => name === by) ? by : templateOf[against] ?? USUAL;
  Object.assign(conversation, has(tokenizers, against) ? { against, by: fitting } : { against: "", by: "" });
  return { conversation, note: tokenizer && !isHere ? "This link is for a tokenizer that is not here, so another one is shown." : "" };
}

/** @param {string | null} text @returns {unknown} */
function parsedText(text) {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * A conversation that was stored or sent, with what it lacks as in a fresh one; null if it has no messages, or too many.
 *
 * @param {any} given
 * @returns {Conversation | null}
 */
export function checked(given) {
  const isText = (/** @type {unknown} */ value) => typeof value === "string";
  if (!Array.isArray(given?.messages) || !given.messages.length || given.messages.length > MAX_MESSAGES) return null;
  if (!given.messages.every((/** @type {any} */ each) => isText(each?.role) && isText(each.content))) return null;
  const fresh = example();
  const messages = given.messages.map((/** @type {any} */ { role, content, thinking, more }) => ({
    ...{ role: role || ROLES[1], content },
    ...(isText(thinking) && { thinking }),
    ...(isText(more) && { more }),
  }));
  const texts = Object.fromEntries(["tokenizer", "template", "own", "tools", "against", "by"].filter((name) => isText(given[name])).map((name) => [name, given[name]]));
  const switches = Object.fromEntries(["asks", "thinks"].filter((name) => typeof given[name] === "boolean").map((name) => [name, given[name]]));
  const specials = Object.fromEntries(Object.entries(given.specials ?? {}).filter(([, value]) => isText(value)));
  return { ...fresh, ...texts, ...switches, specials, messages };
}
