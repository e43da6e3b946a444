/**
 * Tokens as their tokenizer's file spells them, each a chip, with what there is to say of it.
 *
 * All that a row listens to and shows is in its element, so it goes with it.
 */

import { element, number } from "../shared/dom/elements.js";
import { SpokenToken } from "../token_view/view.js";
import { TokenDetails } from "../tokens/details.js";
import { modelOf } from "./tokens.js";

/** @typedef {[text: string, known: boolean]} Piece */
/** @typedef {{name: string, count: number, pieces: Piece[], unknown: number, tokenizer?: string | null, tokens?: import("./tokens.js").Tokens}} Row as in `inside.py`; without `tokens`, the pieces are words or characters */

/** Elements have ids that are unique on the page. */
let rows = 0;

/** Chips of pieces; what is not known is struck out. @param {Piece[]} pieces @param {number} more pieces that are not among them */
function chipsOf(pieces, more) {
  const chips = pieces.flatMap(([text, known], i) => [element("bdi", { class: known ? `piece-of tint-${i % 4}` : "piece-of unknown" }, text), text.endsWith("↵") && element("br", {})]);
  return element("p", { class: "pieces mono", dir: "auto" }, ...chips, more > 0 && element("span", { class: "quiet" }, ` and ${number(more)} more`));
}

/** The chips of a row. @param {Pick<import("./figures.js").Context, "client">} context @param {Row} row */
export const tokenChips = (context, row) => (row.tokens ? new TokenChips(context, row, row.tokens).pane : chipsOf(row.pieces, row.count - row.pieces.length));

class TokenChips {
  /** @type {number | null} */
  selected = null;
  #active = 0;
  #text;
  #chips;
  #model;
  #details;
  #spoken;

  /** @param {Pick<import("./figures.js").Context, "client">} context @param {Row} row @param {import("./tokens.js").Tokens} tokens */
  constructor({ client }, { name, pieces, count, tokenizer = null }, tokens) {
    this.#model = modelOf(tokens, tokenizer);
    this.#model.meta.isPart = count > pieces.length; // then nothing is said of how often a token stands in the text
    this.#model.colorOf = (i) => `tint-${i % 4}`;
    this.#text = chipsOf(pieces, count - pieces.length);
    this.#text.ariaHidden = "true";
    this.#chips = /** @type {HTMLElement[]} */ ([...this.#text.querySelectorAll(".piece-of")]);
    this.node = element("div", { tabindex: 0, role: "listbox", "aria-label": `Tokens of ${name}: ${number(count)}. Arrow keys go from one to the next.` }, this.#text);
    this.pane = element("div", { class: "chips-pane" }, this.node);
    this.#spoken = new SpokenToken(this.node, `row ${++rows}`);
    const isLost = (/** @type {number} */ i) => tokenizer === null && !pieces[i][1];
    this.#details = new TokenDetails(this.pane, this, client, () => this.#model, { says: (i) => (isLost(i) ? [element("p", { class: "part" }, "no token spells this")] : []) });
    this.#listen();
  }

  #listen() {
    const at = (/** @type {Event} */ { target }) => this.#chips.indexOf(/** @type {HTMLElement} */ (target));
    const on = (/** @type {string} */ type, /** @type {(event: any) => void} */ listener) => this.node.addEventListener(type, listener);
    on("pointermove", (event) => event.pointerType !== "touch" && this.#details.point(orNull(at(event)), false));
    on("pointerleave", () => this.#details.point(null, false));
    on("blur", () => this.#details.point(null, false));
    on("click", (event) => at(event) >= 0 && this.#press(at(event)));
    on("focus", () => this.node.matches(":focus-visible") && this.#moveTo(this.#active));
    on("keydown", (event) => this.#handleKey(event));
  }

  /** @param {number} i */
  boxesOf(i) {
    return [...this.#chips[i].getClientRects()];
  }

  /** The lines that a chip stands in. @param {number} i */
  lineOf(i) {
    const { top, bottom } = this.#chips[i].getBoundingClientRect();
    const boxes = this.#chips.map((chip) => chip.getBoundingClientRect()).filter((box) => box.bottom > top && box.top < bottom);
    return { top, bottom, left: Math.min(...boxes.map((box) => box.left)), right: Math.max(...boxes.map((box) => box.right)) };
  }

  /** @param {number | null} i */
  select(i) {
    this.selected = i;
    this.#chips.forEach((chip, k) => chip.classList.toggle("on", k === i));
  }

  /** Choose a token, or let go of the chosen one. @param {number} i */
  #press(i) {
    this.#active = i;
    this.select(i === this.selected ? null : i);
    this.#details.keep(this.selected);
  }

  /** @param {number} i */
  #moveTo(i) {
    this.#active = Math.max(0, Math.min(this.#chips.length - 1, i));
    if (!this.#chips.length) return;
    this.#spoken.speak(this.#model, this.#active, this.#active === this.selected);
    this.#details.point(this.#active, true);
  }

  /** @param {KeyboardEvent} event */
  #handleKey(event) {
    const onward = getComputedStyle(this.#text).direction === "rtl" ? -1 : 1;
    /** @type {Record<string, () => void>} */
    const actions = {
      ArrowRight: () => this.#moveTo(this.#active + onward),
      ArrowLeft: () => this.#moveTo(this.#active - onward),
      Enter: () => this.#press(this.#active),
      " ": () => this.#press(this.#active),
      Escape: () => (this.selected === null ? this.#details.point(null, false) : this.#press(this.selected)),
    };
    if (!Object.hasOwn(actions, event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation(); // Streamlit has shortcuts on the document
    actions[event.key]();
  }
}

/** @param {number} i a chip, -1 for none */
const orNull = (i) => (i < 0 ? null : i);
