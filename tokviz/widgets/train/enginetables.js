/**
 * Tables beneath a result of another library: what each option did, and code points first or bytes first.
 */

import { element, headOf, number, plural, rowOf, wide } from "../shared/dom/elements.js";
import { withSigns } from "../shared/text/invisibles.js";
import { sayFirstSymbols, sayLineBreaks } from "./enginewording.js";

/** Maximum rare characters in the table. */
const MAX_RARE = 8;

/** Values of switches, as the form shows them. @type {Record<string, string>} */
const SWITCHED = { True: "on", False: "off", None: "as lowercase" };

/** @param {{option: string, value: string, says: string}[]} effects */
export function effectsTable(effects) {
  const rows = effects.map(({ option, value, says }) => rowOf(`${option}: ${SWITCHED[value] ?? value}`, says));
  return section("effects", "What each option did", element("table", {}, headOf(["option", "on the text it learned from"]), element("tbody", {}, ...rows)));
}

/**
 * @param {object} compared the three ways to begin
 * @param {{title: string, tokens: number, unknown: number, parts: number, lossless: boolean}[]} compared.ways
 * @param {{character: string, times: number, spelled: string[][]}[]} compared.rare
 * @param {number | null} compared.vocab_size of all three vocabularies; null if the text is too short
 * @param {number} compared.characters that were compared
 * @param {number} compared.asked the vocabulary size of the recipe
 * @param {number} compared.least the least size that is worth comparing
 * @param {string} compared.problem
 */
export function firstSymbolsTable({ ways, rare, vocab_size: size, characters, asked, least, problem }) {
  const title = "SentencePiece or tiktoken: code points first, or bytes first?";
  if (problem) return section("first-symbols", title, element("p", { class: "problem" }, `This can’t be computed on the text: ${problem}.`));
  const line = (/** @type {string} */ label, /** @type {(way: any) => string} */ cell) => rowOf(label, ...ways.map(cell));
  const rows = [
    size && line("tokens of the text", ({ tokens }) => number(tokens)),
    line("characters lost as <unk>", ({ unknown }) => number(unknown)),
    size && line("tokens that are a part of a character", ({ parts }) => number(parts)),
    line("decoding gives the text back", ({ lossless }) => (lossless ? "yes" : "no")),
    ...rare.slice(0, MAX_RARE).map(({ character, times, spelled }) =>
      element(
        "tr",
        { class: "rare" },
        element("th", { scope: "row" }, element("span", { class: "mono" }, withSigns(character)), element("small", {}, ` ${plural(times, "time")}`)),
        ...spelled.map((pieces) => element("td", { class: "mono" }, pieces.join(" · "))),
      ),
    ),
  ];
  const about = [...sayFirstSymbols(size, characters, asked, least), sayLineBreaks(rare)].filter(Boolean);
  const table = element("table", {}, headOf(["", ...ways.map((way) => way.title)]), element("tbody", {}, ...rows.filter((row) => row !== null)));
  return section("first-symbols", title, ...about.map((sentences) => element("p", { class: "quiet" }, sentences)), wide(title, table));
}

/** @param {string} name @param {string} title @param {...HTMLElement} parts */
const section = (name, title, ...parts) => element("section", { class: name, "aria-label": title }, element("h3", {}, title), ...parts);
