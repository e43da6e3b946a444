/**
 * WordPiece on screen: the words with their tokens, and below them one word, with each look into the vocabulary as a
 * block beneath the characters that it covers. What was found has the tint of a token.
 */

import { button, element, fill } from "../shared/dom/elements.js";
import { firstDirection } from "../shared/text/direction.js";
import { TINTS } from "../shared/text/tokenization.js";
import { attemptsOf, captionAt, tokensOf } from "./model.js";

/** @typedef {import("./model.js").MatchesData} MatchesData */

/** Sizes in em of the figure: the highest and lowest row, the widest and narrowest column of a character, and the room
 * for the id of the last piece, which stands after its block. */
const [HIGHEST, LOWEST] = [1.9, 1.2];
const [WIDEST, NARROWEST] = [2, 0.7];
const ID_ROOM = 4;
/** Where the first look stands below the characters, in rows. */
const FIRST_ROW = 1.4;
/** Width of a letter of a name or an id, and the space between the two, in em. */
const [LETTER, BETWEEN] = [0.6, 0.5];

export class MatchesView {
  /** @type {MatchesData | null} */
  #data = null;
  #word = 0;
  #step = 0;
  #words = element("div", { class: "words", role: "group", "aria-label": "Words", dir: "auto" });
  #caption = element("p", { class: "why", role: "status" });
  #figure = element("div", { class: "figure", role: "img" });
  #position = element("span", { class: "quiet position" });
  #back = button("Back", () => this.#go(this.#step - 1), { title: "One look back (←)" });
  #next = button("Next", () => this.#go(this.#step + 1), { title: "Look for the next piece (space or →)" });
  #end = button("To the end", () => this.#go(Infinity), { title: "All looks of this word (End)" });
  #resizing = new ResizeObserver(() => this.#draw());

  constructor() {
    this.node = element(
      "section",
      { class: "matches", "aria-label": "Longest matches", tabindex: 0, keydown: (/** @type {KeyboardEvent} */ event) => this.press(event) },
      this.#words,
      this.#caption,
      this.#figure,
      element("div", { class: "row" }, this.#back, this.#next, this.#end, this.#position),
      element("p", { class: "quiet" }, "WordPiece takes the longest piece that fits, then goes on with the rest of the word. It does not weigh alternatives."),
    );
    this.#resizing.observe(this.#figure);
  }

  /** @param {MatchesData} data @param {number} [step] looks of the first word that are shown */
  show(data, step = 0) {
    this.#data = data;
    let tint = 0;
    const nodes = data.words.map((word, i) => {
      const chips = tokensOf(word, data).map(({ text, id }) => element("span", { class: `chip tint-${tint++ % TINTS}`, title: `id ${id}` }, element("bdi", {}, text)));
      return element("button", { type: "button", class: "word", click: () => this.#choose(i) }, ...chips);
    });
    fill(this.#words, ...nodes);
    this.#choose(0, step);
  }

  dispose() {
    this.#resizing.disconnect();
  }

  /** @param {number} number of a word @param {number} [step] */
  #choose(number, step = 0) {
    const data = this.#data;
    if (!data || number < 0 || number >= Math.max(1, data.words.length)) return;
    this.#word = number;
    Array.from(this.#words.children, (word, i) => word.setAttribute("aria-pressed", String(i === number)));
    this.#seek(step);
  }

  /** Go where the reader wants to, and keep it in sight. @param {number} step */
  #go(step) {
    this.#seek(step);
    this.#figure.querySelector(".latest")?.scrollIntoView?.({ block: "nearest" });
  }

  /** @param {number} step */
  #seek(step) {
    const word = this.#data?.words[this.#word];
    this.node.hidden = !word;
    if (!word) return;
    const last = attemptsOf(word, /** @type {MatchesData} */ (this.#data)).length;
    this.#step = Math.min(last, Math.max(0, step));
    this.node.dataset.step = String(this.#step);
    this.#back.disabled = this.#step === 0;
    this.#next.disabled = this.#end.disabled = this.#step === last;
    fill(this.#position, `look ${this.#step} of ${last}`);
    this.#draw();
  }

  #draw() {
    const data = this.#data;
    const word = data?.words[this.#word];
    if (!data || !word) return;
    const parts = captionAt(word, data, this.#step);
    fill(
      this.#caption,
      ...parts.map((part) => (typeof part === "string" ? part : element("code", { class: `chip${part.tint === undefined ? "" : ` tint-${part.tint}`}` }, element("bdi", {}, part.text)))),
    );
    const characters = Array.from(word.text);
    const style = getComputedStyle(this.#figure);
    const inEm = (/** @type {number} */ size, /** @type {string[]} */ ...edges) => (size - edges.reduce((sum, edge) => sum + parseFloat(edge), 0)) / parseFloat(style.fontSize);
    const room = inEm(this.#figure.clientWidth, style.paddingLeft, style.paddingRight) - ID_ROOM;
    const column = Math.max(NARROWEST, Math.min(WIDEST, room / Math.max(1, characters.length)));
    const attempts = attemptsOf(word, data);
    const rows = attempts.length + FIRST_ROW + 0.3;
    // While presenting, the figure has the rest of the screen; otherwise it grows with the looks.
    const height = inEm(style.maxHeight === "none" ? this.#figure.clientHeight : parseFloat(style.maxHeight), style.paddingTop, style.paddingBottom);
    const row = Math.max(LOWEST, Math.min(HIGHEST, height / rows));
    const canvas = element("div", { class: "canvas", dir: firstDirection(word.text) ?? "ltr" });
    Object.assign(canvas.style, { height: `${rows * row}em`, width: `${column * characters.length}em` });
    const put = (/** @type {HTMLElement} */ node, /** @type {number} */ start, /** @type {number} */ end, /** @type {number} */ place) => {
      Object.assign(node.style, { insetInlineStart: `${start * column}em`, top: `${place * row}em`, width: `${(end - start) * column}em`, height: `${row}em` });
      canvas.append(node);
    };
    characters.forEach((character, i) => put(element("div", { class: "character" }, element("bdi", {}, character)), i, i + 1, 0));
    attempts.slice(0, this.#step).forEach(({ start, end, text, id, search }, i) => {
      const name = id === null ? "look" : `look found tint-${search % TINTS}`;
      const node = element("div", { class: name }, element("bdi", {}, text), id === null ? "" : element("small", { dir: "ltr" }, String(id)));
      const label = Math.max((end - start) * column, text.length * LETTER) + (id === null ? 0 : BETWEEN + String(id).length * LETTER);
      node.classList.toggle("towards-start", start * column + label > room + ID_ROOM && label <= end * column);
      node.classList.toggle("latest", i === this.#step - 1);
      put(node, start, end, i + FIRST_ROW);
    });
    this.#figure.setAttribute("aria-label", attempts.slice(0, this.#step).map(({ text, id }) => `${text}: ${id === null ? "no" : `yes, ${id}`}`).join("; ") || word.text);
    fill(this.#figure, canvas);
  }

  /** Handle a key: space and arrows go through the looks, up and down through the words. @param {KeyboardEvent} event */
  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.#data) return;
    const onButton = event.target instanceof HTMLButtonElement;
    const { key } = event;
    if (key === "ArrowRight" || (key === " " && !onButton)) this.#go(this.#step + 1);
    else if (key === "ArrowLeft") this.#go(this.#step - 1);
    else if (key === "Home") this.#go(0);
    else if (key === "End") this.#go(Infinity);
    else if (key === "ArrowDown" || key === "ArrowUp") this.#choose(this.#word + (key === "ArrowDown" ? 1 : -1));
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
