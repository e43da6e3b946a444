/**
 * The alternatives of a split pattern, each of which can be switched off; beneath them how the text is cut, where what a
 * switch has changed is marked.
 */

import { element, fill, plural } from "../dom/elements.js";
import { withSigns } from "../text/invisibles.js";

/** @typedef {{text: string, name: string}} Alternative `name` is empty if it has none */
/** @typedef {{pieces: string[], more: boolean}} Cut the beginning of a text as its pieces, and whether there is more of it */

/** Numbers of alternatives, as links and requests write them. @param {string} off "0,2" @returns {number[]} */
export const numbersOf = (off) => off.split(",").filter(Boolean).map(Number);

/** Read them from a link. @param {string | undefined} off */
export const readOff = (off) => (/^\d{1,2}(,\d{1,2})*$/.test(off ?? "") ? /** @type {string} */ (off) : "");

export class Alternatives {
  #onChange;
  /** @type {HTMLInputElement[]} */
  #switches = [];
  /** The alternatives that are drawn, as one text. */
  #drawn = "";
  /** @type {Cut} */
  #cut = { pieces: [], more: false };
  /** True until the answer to a switch has come. */
  #isSwitched = false;
  #list = element("ul", { class: "alternatives", "aria-label": "Alternatives, of which the first that fits is taken" });
  #says = element("p", { class: "quiet", role: "status" });
  #pieces = element("p", { class: "cuts mono", "aria-label": "How the text is cut" });
  node = element("div", { class: "cutting" }, this.#list, this.#says, this.#pieces);

  /** @param {(off: string) => void} onChange called with the numbers of those that are off */
  constructor(onChange) {
    this.#onChange = onChange;
  }

  /** @param {Alternative[]} alternatives @param {string} off numbers of those that are off @param {Cut} cut */
  show(alternatives, off, cut) {
    this.#showSwitches(alternatives, numbersOf(off));
    this.#showPieces(cut, this.#isSwitched ? this.#cut : null);
    this.#isSwitched = false;
    this.#cut = cut;
  }

  /** @param {Alternative[]} alternatives @param {number[]} off */
  #showSwitches(alternatives, off) {
    const drawn = JSON.stringify(alternatives);
    if (drawn !== this.#drawn) {
      this.#drawn = drawn;
      const change = () => (this.#isSwitched = true, this.#onChange(this.#switches.flatMap(({ checked }, i) => (checked ? [] : [i])).join(",")));
      this.#switches = alternatives.map(() => element("input", { type: "checkbox", role: "switch", change }));
      const said = (/** @type {Alternative} */ { text, name }) => element("span", {}, element("code", {}, withSigns(text)), " ", element("small", {}, name));
      const rows = alternatives.map((each, i) => element("li", {}, element("label", {}, this.#switches[i], said(each))));
      fill(this.#list, ...rows);
    }
    this.#list.hidden = alternatives.length < 2;
    this.#switches.forEach((input, i) => (input.checked = !off.includes(i)));
  }

  /** @param {Cut} cut @param {Cut | null} before how the same text was cut, to mark what is cut otherwise now */
  #showPieces({ pieces, more }, before) {
    const known = new Set(before ? placesOf(before.pieces) : []);
    const places = placesOf(pieces);
    const isNew = (/** @type {number} */ i) => before !== null && !known.has(places[i]);
    fill(this.#pieces, ...pieces.map((piece, i) => element("span", { class: isNew(i) ? "changed" : null }, piece)), more && "…");
    this.#pieces.hidden = !pieces.length;
    const count = plural(pieces.length, "piece");
    fill(this.#says, before && !more && !before.more ? `${count} instead of ${before.pieces.length}` : "");
  }
}

/** Where each piece begins and ends. @param {string[]} pieces */
function placesOf(pieces) {
  let end = 0;
  return pieces.map((piece) => `${end} ${(end += piece.length)}`);
}
