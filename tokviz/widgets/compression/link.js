/**
 * What a link to the page says. Its query names the question and the tokenizers, as far as they differ from those that
 * the page begins with, so that the address can be copied and reloaded. With tokenizers of the reader's own among
 * them, which only the fragment can bring, the fragment names all of them.
 */

import { readMerges } from "../shared/net/links.js";
import { chosenField, chosenIn, ownOf } from "../shared/net/madetokenizers.js";

/** @typedef {import("../shared/net/madetokenizers.js").Offer} Offer */
/** @typedef {import("../shared/ui/picker.js").Offer & Offer} PageOffer */

/**
 * @typedef {object} Choices
 * @property {string} question
 * @property {string[]} tokenizers
 * @property {Record<string, any>} options settings of the questions, by name
 * @property {number | null} merges that are known, beneath the curve; null for all
 * @property {string} handle the tokenizer that knows them; "" for the first with a curve
 */

/** @type {Choices} */
export const FIRST = { question: "Languages", tokenizers: ["gpt2", "cl100k_base", "o200k_base"], options: {}, merges: null, handle: "" };

/** The question of a link that names none, as those made before there were names. */
const LINKED = "Merges";

/** A tokenizer's label without the models that use it, as in addresses. @param {Offer} offer */
export const shortLabel = ({ label, recipe }) => (recipe === null ? label.split(" (")[0] : label);

/**
 * The choices of a link, which leaves out those that the page begins with, else those of the tab, else the first; and
 * the tokenizers that the link names in vain.
 *
 * @param {{search: string, fields: Record<string, string> | null}} link its query, and its fragment's fields
 * @param {Partial<Choices> | undefined} stored
 * @param {{tokenizers: Offer[], questions: {name: string}[]}} offered
 */
export function choicesOf({ search, fields }, stored, { tokenizers, questions }) {
  const query = new URLSearchParams(search);
  const named = query.getAll("tokenizers").filter(Boolean).map((written) => nameOf(written, tokenizers));
  const wanted = (fields && chosenIn(fields)) ?? named;
  const isLink = fields !== null || query.has("chart") || query.has("tokenizers");
  const before = { ...FIRST, ...(!isLink && stored) };
  const [linked, kept, first] = [wanted, before.tokenizers, FIRST.tokenizers].map((names) => tokenizers.map(({ name }) => name).filter((name) => names.includes(name)));
  const otherwise = isLink ? LINKED : before.question;
  const question = query.get("chart") ?? otherwise;
  return {
    choices: {
      question: questions.find(({ name }) => name === question)?.name ?? (isLink ? LINKED : FIRST.question),
      tokenizers: [linked, kept].find((names) => names.length) ?? first,
      options: { ...stored?.options },
      merges: fields?.merges === undefined ? (before.merges ?? null) : readMerges(fields.merges),
      handle: fields?.of ?? before.handle ?? "",
    },
    missing: wanted.filter((name) => !tokenizers.some((offer) => offer.name === name)),
  };
}

/** The name of a tokenizer that an address writes by its label, as code if it is the reader's own. @param {string} written @param {Offer[]} offers */
function nameOf(written, offers) {
  const plain = written.replace(/^(`+) (.*) \1$/, "$2");
  return offers.find((offer) => [offer.name, shortLabel(offer)].some((each) => each === written || each === plain))?.name ?? written;
}

/** Say which tokenizers are not here, "" for none. @param {string[]} names */
export function sayMissing(names) {
  if (!names.length) return "";
  const called = names.map((name) => `“${name.slice(0, 100)}”`).join(", ");
  const which = names.length === 1 ? `a tokenizer that isn't here: ${called}` : `tokenizers that aren't here: ${called}`;
  return (
    `This link names ${which}. The other tokenizers and the text are as in the link. A tokenizer that somebody trained or ` +
    "opened is kept only for a while: make it again, or open it from its file on the Train page."
  );
}

/**
 * The query of the address with these choices.
 *
 * @param {string} search as it is @param {Choices} choices @param {Offer[]} offers
 * @returns {string} "" or with a question mark
 */
export function queryOf(search, { question, tokenizers }, offers) {
  const query = new URLSearchParams(search);
  query.delete("chart");
  query.delete("tokenizers");
  const isFirst = tokenizers.length === FIRST.tokenizers.length && FIRST.tokenizers.every((name) => tokenizers.includes(name));
  if (question !== FIRST.question || !isFirst) query.set("chart", question);
  const written = offers.filter(({ name }) => tokenizers.includes(name)).map(shortLabel);
  if (!isFirst) for (const label of written.length ? written : [""]) query.append("tokenizers", label);
  return query.size ? `?${query}` : "";
}

/**
 * What a class is asked about.
 *
 * @param {Choices} choices @param {string | null} text null if the question is not about it
 * @returns {import("../shared/page/shell.js").Asked}
 */
export function askedOf({ question, tokenizers }, text) {
  const named = tokenizers.join(",");
  if (text === null) return { page: "compression", fields: { chart: question, tokenizers: named }, text };
  return tokenizers.length > 1 ? { page: "compare", fields: { compare: named }, text } : { page: "", fields: { tokenizer: named }, text };
}

/**
 * What a link to the page contains besides the query.
 *
 * @param {Pick<Choices, "question" | "tokenizers" | "merges" | "handle">} choices @param {Offer[]} offers
 * @param {string} sample the example on screen, "" for any other text @param {string} text
 * @returns {import("../shared/ui/share.js").Shown}
 */
export function linkContent({ question, tokenizers: chosen, merges, handle }, offers, sample, text) {
  const own = ownOf(chosen, offers);
  const known = merges === null ? {} : { merges: String(merges), ...(handle && { of: handle }) };
  const fields = { ...(sample && { sample }), ...known, ...(own.length && chosenField(chosen)) };
  const query = { chart: question, ...(own.length && { tokenizers: null }) };
  return { fields, text: sample ? null : text, query, ...(own.length && { own }) };
}
