/**
 * The alternatives of a split pattern, each of which can be switched off; beneath them how the text is cut, where what is
 * cut otherwise than by the whole pattern is marked.
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
  /** How the whole pattern cut a text last. @type {Cut} */
  #whole = { pieces: [], more: false };
  /** What is shown: the numbers of those that are off, and how the text is cut without them. */
  #shown = { off: "", pieces: "" };
  #list = element("ul", { class: "alternatives", "aria-label": "Alternatives, of which the first that fits is taken" });
  #says = element("p", { class: "quiet cuts-say", role: "status" });
  #pieces = element("p", { class: "cuts mono", "aria-label": "How the text is cut" });
  node = element("div", { class: "cutting" }, this.#list, this.#says, this.#pieces);

  /** @param {(off: string) => void} onChange called with the numbers of those that are off */
  constructor(onChange) {
    this.#onChange = onChange;
  }

  /** @param {Alternative[]} alternatives @param {string} off numbers of those that are off @param {Cut} cut */
  show(alternatives, off, cut) {
    const isOther = this.#showSwitches(alternatives, numbersOf(off));
    if (isOther || !off) this.#whole = off ? { pieces: [], more: false } : cut;
    const shown = { off, pieces: JSON.stringify(cut.pieces) };
    const isVain = !isOther && off !== this.#shown.off && shown.pieces === this.#shown.pieces;
    this.#shown = shown;
    this.#showPieces(cut, off && isSameText(cut, this.#whole) ? this.#whole : null);
    if (isVain) fill(this.#says, IN_VAIN);
  }

  /** Return whether it is another pattern. @param {Alternative[]} alternatives @param {number[]} off */
  #showSwitches(alternatives, off) {
    const drawn = JSON.stringify(alternatives);
    const isOther = drawn !== this.#drawn;
    if (isOther) {
      this.#drawn = drawn;
      const change = () => this.#onChange(this.#switches.flatMap(({ checked }, i) => (checked ? [] : [i])).join(","));
      this.#switches = alternatives.map(() => element("input", { type: "checkbox", role: "switch", change }));
      const said = (/** @type {Alternative} */ { text, name }) => element("span", {}, name && element("span", {}, name), name && " ", element("code", {}, withSigns(text)));
      const rows = alternatives.map((each, i) => element("li", {}, element("label", {}, this.#switches[i], said(each))));
      fill(this.#list, ...rows);
    }
    this.#list.hidden = alternatives.length < 2;
    this.#switches.forEach((input, i) => (input.checked = !off.includes(i)));
    return isOther;
  }

  /** @param {Cut} cut @param {Cut | null} whole how the whole pattern cuts the text, if that is known and another is shown */
  #showPieces({ pieces, more }, whole) {
    const known = new Set(whole ? placesOf(whole.pieces) : []);
    const places = placesOf(pieces);
    const isNew = (/** @type {number} */ i) => whole !== null && !known.has(places[i]);
    fill(this.#pieces, ...pieces.map((piece, i) => element("span", { class: isNew(i) ? "changed" : null }, piece)), more && "…");
    this.#pieces.hidden = !pieces.length;
    fill(this.#says, whole && sayCut(pieces.length, more || whole.more ? null : whole.pieces.length));
  }
}

/** Said of a switch that changes nothing. */
const IN_VAIN = "This switch changes nothing here: its alternative has nothing to match, or another one takes the same pieces.";

/** What has become of a cut without some alternatives. @param {number} pieces @param {number | null} before with all of them, if it is known */
function sayCut(pieces, before) {
  const counts = before === null ? "" : `${plural(pieces, "piece")}; the whole pattern makes ${pieces === before ? `${before}, too` : before}. `;
  return `${counts}What no alternative matches stays one piece.`;
}

/** True if two cuts are of the same text, as far as both go. @param {Cut} one @param {Cut} other */
function isSameText(one, other) {
  const [a, b] = [one.pieces.join(""), other.pieces.join("")];
  return b !== "" && (a.startsWith(b) || b.startsWith(a)) && (a === b || one.more || other.more);
}

/** Where each piece begins and ends. @param {string[]} pieces */
function placesOf(pieces) {
  let end = 0;
  return pieces.map((piece) => `${end} ${(end += piece.length)}`);
}
