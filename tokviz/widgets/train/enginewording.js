/**
 * What the page says of a tokenizer that another library trained.
 */

import { number, plural } from "../shared/dom/elements.js";

/** @typedef {{fallback: boolean, ids: number[], lengths: number[], pieces: string[], unknown: boolean[], bytes: boolean[], decoded: string, vocabulary: number}} Way how a text is cut */

const KINDS = /** @type {[string, string, string][]} */ ([
  ["piece", "longer piece", "longer pieces"],
  ["character", "of one character", "of one character"],
  ["byte", "for bytes", "for bytes"],
  ["special", "special", "special"],
  ["unknown", "for what is unknown", "for what is unknown"],
]);

/** Say what a vocabulary holds. @param {Record<string, number>} kinds @param {number} ids @param {number} [asked] the size asked for, if known */
export function sayKinds(kinds, ids, asked = ids) {
  const parts = KINDS.filter(([kind]) => kinds[kind]).map(([kind, one, more]) => `${number(kinds[kind])} ${kinds[kind] === 1 ? one : more}`);
  const fewer = ids < asked ? ` The text gave no more of the ${number(asked)} asked for.` : "";
  return `A vocabulary of ${plural(ids, "piece")}: ${parts.join(", ")}.${fewer}`;
}

/** Say how much of the text it learned from has no piece. @param {{tokens: number, unknown: number, from_bytes: number, num_rare: number}} training @param {boolean} isWordPiece */
export function sayRare({ tokens, unknown, from_bytes: fromBytes, num_rare: rare }, isWordPiece) {
  if (!rare) return isWordPiece ? "Every word of the text can be spelled." : "Every character of the text has a piece.";
  const what = plural(rare, isWordPiece ? "different word" : "different character");
  if (fromBytes) return `${what} without a piece became bytes: ${plural(fromBytes, "token")}, ${percent(fromBytes, tokens)} of all.`;
  return `${what} without a piece became unknown: ${plural(unknown, "token")}, ${percent(unknown, tokens)} of all. Nothing can bring them back.`;
}

/** @param {number} part @param {number} whole */
export function percent(part, whole) {
  const share = whole ? (100 * part) / whole : 0;
  if (share > 0 && share < 0.01) return "less than 0.01 %";
  return `${share.toLocaleString("en-US", { maximumSignificantDigits: share < 10 ? 2 : 3 })} %`;
}

/** Say what a text became in one way, and what decoding gives. @param {Way} way @param {string} text */
export function sayRead({ ids, unknown, bytes, decoded }, text) {
  const count = (/** @type {boolean[]} */ column) => column.filter(Boolean).length;
  const notes = [count(unknown) && `${number(count(unknown))} unknown`, count(bytes) && `${number(count(bytes))} for single bytes`].filter(Boolean);
  const tokens = `${plural(ids.length, "token")}${notes.length ? `, ${notes.join(" and ")}` : ""}.`;
  const back = decoded === text ? "Decoding gives the text back." : `Decoding gives: ${decoded}`;
  return `${tokens} ${back}`;
}

/** Say what the switch compares. @param {Way} own the tokenizer's own way @param {Way} shown */
export function sayToggle(own, shown) {
  const trained = own.fallback ? "on" : "off";
  if (shown === own) return `Trained with byte fallback ${trained}.`;
  const [longer, change] = own.fallback ? ["without", "its 256 pieces for bytes"] : ["with", "256 more pieces, for bytes"];
  return `The same model ${longer} ${change}. Training with it ${own.fallback ? "off" : "on"} would learn ${own.fallback ? "256 more" : "256 fewer"} others in a vocabulary of the same size.`;
}
