/**
 * Which tokens are highlighted: those with the id that is pointed at, the selected one and the keyboard's.
 */

import { percent, placesOf } from "./piece.js";

/** @typedef {import("../shared/text/tokenization.js").TokenizationModel} TokenizationModel */

export class Highlights {
  /** The selected token. @type {number | null} */
  selected = null;
  /** The keyboard's token. @type {number | null} */
  active = null;
  /** Tokens with this id are highlighted. @type {number | null} */
  id = null;
  /** Tokens with this id have just been joined. @type {number | null} */
  newest = null;
  /** 1 for each token that has just been joined. @type {Uint8Array | null} */
  joined = null;
  /** Tokens highlighted regardless of their ids: the first, and one past the last. A character that they cut is highlighted whole. @type {[number, number]} */
  range = [0, 0];
  /** Tokens highlighted as the selected one is, likewise. @type {[number, number]} */
  chosen = [0, 0];
  /** Tokens that may change if text follows, likewise. @type {[number, number]} */
  unsettled = [0, 0];
  /** @type {HTMLElement[]} */
  #elements = [];

  /** Find the tokens again in a new tokenization. @param {TokenizationModel | null} before @param {TokenizationModel} model */
  carryOver(before, model) {
    this.range = [0, 0];
    this.chosen = [0, 0];
    this.unsettled = [0, 0];
    this.active = sameToken(before, this.active, model);
    this.selected = sameToken(before, this.selected, model);
  }

  /**
   * Highlight what is drawn, and nothing else.
   *
   * @param {readonly import("./chunk.js").Chunk[]} chunks
   * @param {TokenizationModel | null} model
   */
  draw(chunks, model) {
    for (const element of this.#elements) element.classList.remove("same", "on", "active", "newest", "unsettled", "ran-in", "runs-on");
    this.#elements = [];
    const { id, newest, joined, selected, active, range, chosen, unsettled } = this;
    const isIn = (/** @type {number} */ i, /** @type {[number, number]} */ [first, end]) => i >= first && i < end;
    const areEmpty = [range, chosen, unsettled].every(([first, end]) => first === end);
    const isPlain = id === null && newest === null && !joined && selected === null && active === null && areEmpty;
    if (!model || isPlain) return;
    for (const chunk of chunks) {
      for (const drawn of chunk.drawn ?? []) {
        const { piece } = drawn.look;
        for (let i = piece.first; i <= piece.last; i++) {
          if (model.ids[i] === id || isIn(i, range)) this.#mark(drawn, i, "same", isIn(i, range));
          if (model.ids[i] === newest || joined?.[i]) this.#mark(drawn, i, "newest");
          if (isIn(i, unsettled)) this.#mark(drawn, i, "unsettled");
          if (i === active) this.#mark(drawn, i, "active");
          if (i === selected || isIn(i, chosen)) this.#mark(drawn, i, "on", isIn(i, chosen));
        }
      }
    }
  }

  /**
   * @param {import("./chunk.js").Drawn} drawn
   * @param {number} i
   * @param {"same" | "on" | "active" | "newest" | "unsettled"} how
   * @param {boolean} [isWhole] whether all of a cut character is highlighted, not the token's stripe alone
   */
  #mark({ element, look }, i, how, isWhole = false) {
    const { first, last, opens, closes } = look.piece;
    element.classList.add(how);
    if (i === first && !opens) element.classList.add("ran-in");
    if (i === last && !closes) element.classList.add("runs-on");
    this.#elements.push(element);
    if (!look.stripes) return;
    const places = placesOf(look.stripes);
    const { start, end } = isWhole ? { start: 0, end: 1 } : (places.find(({ token }) => token === i) ?? places[places.length - 1]);
    element.style.setProperty("--lit-left", percent(look.rightToLeft ? 1 - end : start));
    element.style.setProperty("--lit-width", percent(end - start));
  }
}

/**
 * Find token i of the old tokenization in the new one: before an edit it has the same index, after it a shifted one.
 *
 * @param {TokenizationModel | null} before
 * @param {number | null} i
 * @param {TokenizationModel} model
 */
export function sameToken(before, i, model) {
  if (!before || i === null) return null;
  const isSame = (/** @type {number} */ j) => j >= 0 && j < model.n && model.ids[j] === before.ids[i];
  const shifted = i + model.n - before.n;
  if (isSame(i) && model.starts[i] === before.starts[i]) return i;
  const fromEnd = before.text.length - before.starts[i];
  return isSame(shifted) && model.text.length - model.starts[shifted] === fromEnd ? shifted : null;
}
