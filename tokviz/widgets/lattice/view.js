/**
 * A Unigram lattice on screen: the characters in a line, all pieces that fit in rows beneath them with their scores, the
 * best way in the tints of tokens, and a list of the next best ones. One sentence says why.
 */

import { element, fill } from "../shared/dom/elements.js";
import { firstDirection } from "../shared/text/direction.js";
import { differencesOf, linesOf, scoreText } from "./model.js";
import { hexOf, sayBlocks, sayWays, whyBest, whyNotPath, whyPiece } from "./sentences.js";

/** @typedef {import("./model.js").Lattice} Lattice */

/** Sizes in em of the figure: a character's column, and a row of pieces. */
const [COLUMN, ROW] = [2.3, 2.5];
/** Most pieces of a way that its line in the list shows; of longer ways, only where they differ from the best. */
const MAX_LISTED = 30;

export class LatticeView {
  /** @type {Lattice | null} */
  #lattice = null;
  /** The way that is shown. */
  #way = 0;
  /** The piece that the sentence is about. @type {number | null} */
  #piece = null;
  #columns = 0;
  /** @type {Map<number, HTMLElement[]>} */
  #blocks = new Map();
  #sentence = element("p", { class: "why", role: "status" });
  #figure = element("div", { class: "figure", role: "group", "aria-label": "Pieces that fit" });
  #list = element("ol", { class: "ways", "aria-label": "The best ways" });
  #key = element("p", { class: "quiet key" });
  #count = element("p", { class: "quiet" });
  #resizing = new ResizeObserver(() => this.#draw());

  constructor() {
    this.node = element(
      "section",
      { class: "lattice", "aria-label": "Lattice", keydown: (/** @type {KeyboardEvent} */ event) => this.press(event) },
      this.#sentence,
      this.#figure,
      this.#key,
      element("h2", {}, "The best ways"),
      this.#list,
      this.#count,
    );
    this.#figure.addEventListener("click", (/** @type {Event} */ event) => this.#pick(event));
    this.#figure.addEventListener("pointerover", (/** @type {Event} */ event) => this.#point(event));
    this.#figure.addEventListener("pointerleave", () => this.#showSentence(this.#piece));
    this.#resizing.observe(this.#figure);
  }

  /** @param {Lattice} lattice */
  show(lattice) {
    this.#lattice = lattice;
    this.#way = 0;
    this.#piece = null;
    this.#columns = 0;
    this.node.dataset.ways = String(lattice.paths.length);
    this.#draw();
    fill(this.#key, sayBlocks(lattice));
    fill(this.#count, sayWays(lattice));
    fill(this.#list, ...lattice.paths.map((_, number) => this.#wayNode(lattice, number)));
    this.#showWay();
  }

  /** What its picture shows. */
  get shown() {
    return { way: this.#way, columns: this.#columns };
  }

  dispose() {
    this.#resizing.disconnect();
  }

  // Drawing

  #draw() {
    const lattice = this.#lattice;
    const style = getComputedStyle(this.#figure);
    const room = this.#figure.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    const columns = Math.max(4, Math.floor(room / (parseFloat(style.fontSize) * COLUMN)));
    if (!lattice || !(room > 0) || columns === this.#columns) return;
    this.#columns = columns;
    this.#blocks = new Map();
    this.#figure.dir = firstDirection(lattice.data.text) ?? "ltr";
    fill(this.#figure, ...linesOf(lattice.pieces, lattice.characters.length, columns).map((line) => this.#lineNode(lattice, line)));
    this.#paint();
  }

  /** @param {Lattice} lattice @param {import("./model.js").Line} line */
  #lineNode(lattice, { start, end, pieces }) {
    const node = element("div", { class: "line" });
    node.style.height = `${pieces.reduce((most, piece) => Math.max(most, lattice.pieces[piece].row + 2), 1) * ROW}em`;
    for (let i = start; i < end; i++)
      node.append(place(element("div", { class: "character", "aria-hidden": "true" }, element("bdi", {}, shown(lattice.characters[i]))), i - start, 0, 1));
    for (const piece of pieces) node.append(this.#blockNode(lattice, piece, { start, end }));
    return node;
  }

  /** @param {Lattice} lattice @param {number} piece @param {{start: number, end: number}} line */
  #blockNode(lattice, piece, line) {
    const { text, start, end, row, score, kind, id } = lattice.pieces[piece];
    const [from, to] = [Math.max(start, line.start), Math.min(end, line.end)];
    const says = `${text}, ${kind === "unknown" ? "unknown" : `id ${id}`}, score ${scoreText(score)}`;
    const written = scoreText(score, to - from > 1 ? 2 : 1);
    // Of a block that goes on in the next line, only the longer part says what it is.
    const isNamed = from === start ? to - from >= end - to : to === end && to - from > from - start;
    const node = element(
      "button",
      { type: "button", class: "fit", "data-piece": piece, tabindex: -1, "aria-label": says, title: `id ${id}` },
      element("bdi", {}, isNamed ? shown(text) : "…"),
      isNamed && element("small", { dir: "ltr" }, kind === "special" ? "special" : written),
    );
    node.classList.toggle("goes-on", to < end);
    node.classList.toggle("began-before", from > start);
    node.classList.add(kind);
    this.#blocks.set(piece, [...(this.#blocks.get(piece) ?? []), node]);
    return place(node, from - line.start, row + 1, to - from);
  }

  /** Mark the blocks of the way that is shown, and the chosen piece. */
  #paint() {
    const path = this.#lattice?.paths[this.#way];
    const first = path?.pieces[0];
    for (const [piece, nodes] of this.#blocks)
      for (const node of nodes) {
        const tint = path?.tints.get(piece);
        for (let each = 0; each < 4; each++) node.classList.toggle(`tint-${each}`, each === tint);
        node.classList.toggle("on-way", tint !== undefined);
        node.classList.toggle("chosen", piece === this.#piece);
        node.tabIndex = piece === (this.#piece ?? first) ? 0 : -1;
      }
  }

  /** @param {Lattice} lattice @param {number} number */
  #wayNode(lattice, number) {
    const { score } = lattice.paths[number];
    const by = lattice.paths[0].score - score;
    const note = number && by >= 0.005 ? `${scoreText(by)} lower` : "";
    return element(
      "li",
      {},
      element(
        "button",
        { type: "button", class: "way", click: () => this.#chooseWay(number) },
        element("b", { class: "score" }, scoreText(score)),
        element("span", { class: "quiet lower" }, number ? note || "the same" : "the best"),
        element("bdi", { class: "pieces", dir: firstDirection(lattice.data.text) ?? "ltr" }, ...listed(lattice, number)),
      ),
    );
  }

  // What the reader does

  /** @param {number} number */
  #chooseWay(number) {
    if (!this.#lattice || number < 0 || number >= this.#lattice.paths.length) return;
    this.#way = number;
    this.#piece = null;
    this.#showWay();
  }

  #showWay() {
    this.#list.querySelectorAll(".way").forEach((/** @type {Element} */ node, /** @type {number} */ i) => node.setAttribute("aria-pressed", String(i === this.#way)));
    this.#paint();
    this.#showSentence(null);
  }

  /** @param {number | null} piece the one that the sentence is about, or null for the way */
  #showSentence(piece) {
    const lattice = this.#lattice;
    if (!lattice) return;
    const parts = piece !== null ? whyPiece(lattice, piece) : this.#way ? whyNotPath(lattice, this.#way) : whyBest(lattice);
    const best = lattice.paths[0].tints;
    const nodes = parts.flatMap((part) =>
      typeof part === "string" ? [part] : part.pieces.flatMap((each, i) => [i ? " + " : "", chip(lattice, each, best.get(each))]),
    );
    fill(this.#sentence, ...nodes);
  }

  /** @param {Event} event */
  #pick(event) {
    const piece = pieceAt(event);
    if (piece === null) return;
    this.#piece = piece === this.#piece ? null : piece;
    this.#paint();
    this.#showSentence(this.#piece);
  }

  /** @param {Event} event */
  #point(event) {
    const piece = pieceAt(event);
    if (piece !== null) this.#showSentence(piece);
  }

  /** Arrows up and down go through the ways, left and right through the pieces. @param {KeyboardEvent} event */
  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.#lattice) return;
    const { key } = event;
    if (key === "ArrowDown" || key === "ArrowUp") this.#chooseWay(this.#way + (key === "ArrowDown" ? 1 : -1));
    else if (key === "ArrowRight" || key === "ArrowLeft") this.#walk((key === "ArrowRight") === (this.#figure.dir === "ltr") ? 1 : -1);
    else if (key === "Escape" && this.#piece !== null) this.#chooseWay(this.#way);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {1 | -1} by */
  #walk(by) {
    const { pieces, paths } = /** @type {Lattice} */ (this.#lattice);
    const from = this.#piece ?? (by > 0 ? paths[this.#way].pieces[0] - by : pieces.length);
    this.#piece = Math.min(pieces.length - 1, Math.max(0, from + by));
    this.#paint();
    this.#showSentence(this.#piece);
    this.#blocks.get(this.#piece)?.[0].focus();
  }
}

/** Pieces of a way for its line in the list. @param {Lattice} lattice @param {number} number */
function listed(lattice, number) {
  const { pieces, tints } = lattice.paths[number];
  const chips = (/** @type {number[]} */ some) => some.map((piece) => chip(lattice, piece, tints.get(piece)));
  if (pieces.length <= MAX_LISTED) return chips(pieces);
  const dots = () => element("span", { class: "quiet" }, " … ");
  if (!number) return [...chips(pieces.slice(0, MAX_LISTED)), dots(), element("span", { class: "quiet" }, `${pieces.length} pieces`)];
  const differing = differencesOf(lattice, lattice.paths[0].pieces, pieces).slice(0, MAX_LISTED);
  return [dots(), ...differing.flatMap(({ other }) => [...chips(other), dots()])];
}

/** Put a node into its place in the figure. @param {HTMLElement} node @param {number} column @param {number} row @param {number} width in columns */
function place(node, column, row, width) {
  Object.assign(node.style, { insetInlineStart: `${column * COLUMN}em`, top: `${row * ROW}em`, width: `${width * COLUMN}em`, height: `${ROW}em` });
  return node;
}

/** @param {Lattice} lattice @param {number} piece @param {number} [tint] none if it is not in the best way */
function chip({ pieces, data }, piece, tint) {
  const { text, kind } = pieces[piece];
  const label = kind === "unknown" && data.bytes ? hexOf(text) : text;
  const classes = ["chip", kind === "unknown" && "unknown", tint !== undefined && `tint-${tint}`].filter(Boolean).join(" ");
  return element("code", { class: classes }, element("bdi", {}, shown(label)));
}

/** A combining mark gets a circle to stand on. @param {string} text */
const shown = (text) => (/^\p{M}/u.test(text) ? `◌${text}` : text);

/** @param {Event} event @returns {number | null} */
function pieceAt(event) {
  const node = /** @type {Element} */ (event.target).closest("[data-piece]");
  return node instanceof HTMLElement ? Number(node.dataset.piece) : null;
}
