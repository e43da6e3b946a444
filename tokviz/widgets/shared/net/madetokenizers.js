/**
 * User-made tokenizers in links: the id of each on the server, and a recipe to rebuild it after it has expired. Both
 * are URL-safe and stay in the browser, in the URL fragment.
 */

import { Client, Missing, sentenceOf } from "./client.js";
import { element, fill } from "../dom/elements.js";
import { readFields } from "./links.js";
import { tabStorage } from "../dom/storage.js";

/** The link field with alternating ids and recipes. */
export const MADE = "made";
const SEPARATOR = ".";

/** The reader's own that could not be made again for now, for a later try. @type {Pair[]} */
let unmade = [];

/** The link field with all chosen tokenizers, for pages that otherwise keep the choice in the query. */
const CHOSEN = "chosen";

const INCLUDES_RECIPE =
  "The link also says how to make your own tokenizer: the text and the settings that it was trained with. Whoever opens the link gets the tokenizer, too.";

/**
 * @typedef {object} Offer a tokenizer, as used in links
 * @property {string} name
 * @property {string} label display name
 * @property {string | null} recipe null if everyone has it, "" if a link can't rebuild it
 */

/** The user-made tokenizers among `names`. @param {string[]} names @param {Offer[]} offers */
export const ownOf = (names, offers) => offers.filter(({ name, recipe }) => recipe !== null && names.includes(name));

/**
 * Choices with the reader's own tokenizer that is chosen on the other pages, as by training it; once, so that it can be
 * left out afterwards, and not where a link says what is chosen.
 *
 * @template {{tokenizers: string[], newest?: string}} C
 * @param {C} choices `newest`: the last tokenizer that was added so
 * @param {string} tokenizer chosen on the other pages @param {Offer[]} offers @param {boolean} isLink
 * @param {number} [most] tokenizers: the last makes room
 * @returns {C}
 */
export function withNewest(choices, tokenizer, offers, isLink, most = Infinity) {
  if (choices.newest === tokenizer || !ownOf([tokenizer], offers).length) return choices;
  const others = choices.tokenizers.filter((name) => name !== tokenizer).slice(0, most - 1);
  return { ...choices, newest: tokenizer, ...(!isLink && { tokenizers: [...others, tokenizer] }) };
}

/** The link field for user-made tokenizers. @param {Offer[]} own */
export const madeField = (own) => own.flatMap(({ name, recipe }) => [name, recipe ?? ""]).join(SEPARATOR);

/** The link fields for the chosen tokenizers. @param {string[]} names */
export const chosenField = (names) => ({ [CHOSEN]: names.join(SEPARATOR) });

/** The tokenizers chosen in a link; null if it names none. @param {Record<string, string>} fields */
export const chosenIn = (fields) => fields[CHOSEN]?.split(SEPARATOR) ?? null;

/**
 * Keep as many recipes as fit into `most` characters together, shortest first; the other tokenizers get "" instead.
 *
 * @param {Offer[]} own @param {number} most @returns {Offer[]}
 */
export function fitRecipes(own, most) {
  const kept = new Set();
  let remaining = most;
  for (const offer of [...own].sort((a, b) => sizeOf(a) - sizeOf(b))) {
    remaining -= sizeOf(offer);
    if (remaining >= 0) kept.add(offer);
  }
  return own.map((offer) => (kept.has(offer) ? offer : { ...offer, recipe: "" }));
}

const sizeOf = (/** @type {Offer} */ { recipe }) => recipe?.length ?? 0;

/** Tell the person who shares a link what it includes of the tokenizers. @param {Offer[]} made from `fitRecipes` */
export function sayWhatIsMade(made) {
  const omitted = made.filter(({ recipe }) => !recipe).map(({ label }) => `“${label}”`);
  if (!omitted.length) return made.length ? INCLUDES_RECIPE : "";
  const [are, it, file] = omitted.length > 1 ? ["are", "them", "their files"] : ["is", "it", "its file"];
  return (
    `${new Intl.ListFormat("en").format(omitted)} ${are} too large for this link. Others get ${it} only as long as this ` +
    `server keeps ${it}: to be safe, save ${file} on the Train page and send ${it} along.`
  );
}

/**
 * Have the server fetch or rebuild the tokenizers of the link in the address. They are added to those that `data`
 * offers, and their ids in the address are replaced with the server's current ones. `root` shows progress and errors.
 *
 * So are the reader's own that the tab has chosen and the session does not offer: the server may have lost them, or the
 * page was reloaded before the session knew of them, and no longer has the link.
 *
 * @param {HTMLElement} root
 * @param {{base: string, tokenizers: (Offer & Record<string, any>)[]}} data
 * @returns {Promise<string[]>} the ids of those that were not offered before
 */
export async function fetchLinked(root, data) {
  const linked = parsePairs(readFields(location.hash)?.[MADE] ?? "");
  const missed = chosenOwn(data.base).filter(([id]) => !linked.some(([other]) => other === id));
  const client = new Client(data.base);
  const box = element("div", { class: "tokviz fetching" });
  const added = [];
  unmade = [];
  for (const [id, recipe, label = ""] of [...linked, ...missed]) {
    if (data.tokenizers.some(({ name }) => name === id)) continue;
    const message = element("p", { class: "problem", role: "status" }, label ? sayLost(label) : "Making the tokenizer of this link …");
    box.append(message);
    root.append(box);
    try {
      const offer = await client.made(id, recipe);
      history.replaceState(history.state, "", location.href.replaceAll(id, offer.name));
      if (label) renameInTab(data.base, id, Object.assign(offer, { label }).name);
      if (!data.tokenizers.some(({ name }) => name === offer.name)) data.tokenizers.push(offer);
      added.push(offer.name);
      message.remove();
    } catch (error) {
      const isGone = error instanceof Missing;
      if (label && !isGone) unmade.push([id, recipe, label]);
      fill(message, label && isGone ? sayGone(label) : sentenceOf(error));
    }
  }
  if (!box.firstChild) box.remove();
  rememberOwn(data.base, data.tokenizers);
  return added;
}

/** @param {string} label of a tokenizer that is missed */
export const sayLost = (label) => `Making “${label}” again …`;

/** @param {string} label of a tokenizer that can't be made again */
const sayGone = (label) => `“${label}” is no longer on this server: train it again, or open its file again, on the Train page.`;

/** Remember in this tab how to make the reader's own tokenizers, for when the server has lost them. @param {string} base @param {Offer[]} offers */
export function rememberOwn(base, offers) {
  const own = offers.filter(({ recipe }) => recipe !== null).map(({ name, recipe, label }) => [name, recipe, label]);
  const remembered = [...own, ...unmade];
  tabStorage.write(ownKey(base), remembered.length ? JSON.stringify(remembered) : null);
}

/** The tokenizers of this tab that its pages have chosen. @param {string} base @returns {Pair[]} */
function chosenOwn(base) {
  const chosen = tabStorage.read(tabKey(base)) ?? "";
  return (tabStorage.readJson(ownKey(base)) ?? []).filter((/** @type {Pair} */ [id]) => chosen.includes(JSON.stringify(id)));
}

/** Replace a tokenizer's id in the tab's state. @param {string} base @param {string} id @param {string} name */
function renameInTab(base, id, name) {
  const state = tabStorage.read(tabKey(base));
  if (state) tabStorage.write(tabKey(base), state.replaceAll(JSON.stringify(id), JSON.stringify(name)));
}

/** The key of the tab's state (see `page/store.js`). @param {string} base */
const tabKey = (base) => `tokviz:${base}`;

/** @param {string} base */
const ownKey = (base) => `tokviz:${base}:own`;

/** @typedef {[id: string, recipe: string, label?: string]} Pair the label of one that the tab remembers */

/** @param {string} field @returns {Pair[]} */
function parsePairs(field) {
  const parts = field.split(SEPARATOR);
  return Array.from({ length: parts.length >> 1 }, (_, k) => [parts[2 * k], parts[2 * k + 1]]);
}
