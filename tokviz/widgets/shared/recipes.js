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

/** The field of a link to a page whose settings hold tokenizers in the query: all that are chosen there. */
const CHOSEN = "chosen";

const MADE_AGAIN =
  "So is how to make your own tokenizer: the text and the settings that it was trained with. Whoever opens the link gets it.";

/**
 * @typedef {object} Offer a tokenizer, as far as links are concerned
 * @property {string} name
 * @property {string} label what people call it
 * @property {string | null} recipe null where everyone has it, "" where it can't be made again from a link
 */

/** Those of the named ones that somebody made. @param {string[]} names @param {Offer[]} offers */
export const ownOf = (names, offers) => offers.filter(({ name, recipe }) => recipe !== null && names.includes(name));

/** What a link says of them. @param {Offer[]} own */
export const madeField = (own) => own.flatMap(({ name, recipe }) => [name, recipe ?? ""]).join(BETWEEN);

/** What a link says of the tokenizers that are chosen. @param {string[]} names */
export const chosenField = (names) => ({ [CHOSEN]: names.join(BETWEEN) });

/** The chosen tokenizers of a link; null where it names none. @param {Record<string, string>} fields */
export const chosenIn = (fields) => fields[CHOSEN]?.split(BETWEEN) ?? null;

/**
 * The tokenizers with as many of their recipes as fit into `most` characters together, the shortest first. The others
 * have "" instead.
 *
 * @param {Offer[]} own @param {number} most @returns {Offer[]}
 */
export function fitRecipes(own, most) {
  const kept = new Set();
  let left = most;
  for (const offer of [...own].sort((a, b) => sizeOf(a) - sizeOf(b))) {
    left -= sizeOf(offer);
    if (left >= 0) kept.add(offer);
  }
  return own.map((offer) => (kept.has(offer) ? offer : { ...offer, recipe: "" }));
}

const sizeOf = (/** @type {Offer} */ { recipe }) => recipe?.length ?? 0;

/** What becomes of the tokenizers of a link, for the one who shares it. @param {Offer[]} made as `fitRecipes` gives them */
export function sayWhatIsMade(made) {
  const left = made.filter(({ recipe }) => !recipe).map(({ label }) => `“${label}”`);
  if (!left.length) return made.length ? MADE_AGAIN : "";
  const [are, it, file] = left.length > 1 ? ["are", "them", "their files"] : ["is", "it", "its file"];
  return (
    `${new Intl.ListFormat("en").format(left)} ${are} too large for this link. Others get ${it} only as long as this ` +
    `server keeps ${it}: to be safe, save ${file} on the Train page and send ${it} along.`
  );
}

/**
 * Have the server fetch or make the tokenizers of the link in the address. They join those that `data` offers, and the
 * address names them as the server does now. Meanwhile, and where it can't be done, `root` says so.
 *
 * The tab keeps them until the session offers them: a page that is loaded anew before that has no link any more.
 *
 * @param {HTMLElement} root
 * @param {{base: string, tokenizers: (Offer & Record<string, any>)[]}} data
 * @returns {Promise<string[]>} the ids of those that were not offered before
 */
export async function bring(root, data) {
  const linked = pairsOf(readFields(location.hash)?.[MADE] ?? "");
  const kept = keptPairs(data.base).filter(([id]) => !linked.some(([other]) => other === id));
  const client = createClient(data.base);
  const says = element("p", { class: "problem", role: "status" });
  const box = element("div", { class: "tokviz bringing" }, says);
  const brought = [];
  /** @type {Pair[]} */
  const keep = [];
  for (const [id, recipe] of [...linked, ...kept]) {
    if (data.tokenizers.some(({ name }) => name === id)) continue;
    fill(says, "Making the tokenizer of this link …");
    root.append(box);
    try {
      const made = await client.made(id, recipe);
      history.replaceState(history.state, "", location.href.replaceAll(id, made.name));
      if (!data.tokenizers.some(({ name }) => name === made.name)) data.tokenizers.push(made);
      brought.push(made.name);
      keep.push([made.name, recipe]);
      box.remove();
    } catch (error) {
      fill(says, error instanceof Refusal ? error.message : "The tokenizer of this link could not be fetched.");
    }
  }
  keepPairs(data.base, keep);
  return brought;
}

/** @typedef {[id: string, recipe: string]} Pair */

/** @param {string} field @returns {Pair[]} */
function pairsOf(field) {
  const parts = field.split(BETWEEN);
  return Array.from({ length: parts.length >> 1 }, (_, k) => [parts[2 * k], parts[2 * k + 1]]);
}

/** @param {string} base */
const keyOf = (base) => `tokviz:${base}:${MADE}`;

/** What the tab keeps. @param {string} base @returns {Pair[]} */
function keptPairs(base) {
  try {
    return pairsOf(sessionStorage.getItem(keyOf(base)) ?? "");
  } catch {
    return []; // storage is switched off
  }
}

/** @param {string} base @param {Pair[]} pairs */
function keepPairs(base, pairs) {
  try {
    if (pairs.length) sessionStorage.setItem(keyOf(base), pairs.flat().join(BETWEEN));
    else sessionStorage.removeItem(keyOf(base));
  } catch {
    // Storage is switched off or full: then a link has to be opened again.
  }
}
