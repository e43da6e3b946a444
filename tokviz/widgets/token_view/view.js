/**
 * The text, colored by its tokens.
 *
 * The text is split into chunks (blocks of a few lines). Chunks near the viewport are drawn as one span per token, the
 * others are plain text, so that a megabyte stays light. The spans take no room and are never isolated: the browser
 * shapes and orders the line as if they were not there. A chunk that did not change keeps its elements.
 *
 * For screen readers this is a list of tokens, navigated with the arrow keys; the colored text itself is hidden.
 */

import { element, number } from "../shared/dom/elements.js";
import { firstDirection } from "../shared/text/direction.js";
import { sayToken } from "../shared/text/speak.js";
import { Chunks } from "./chunks.js";
import { alternate, colorer } from "./colors.js";
import { copySelected, hasSelectedText } from "./copying.js";
import { boxesOf, firstVisible, lineOf, reveal, tokenInNextRow, tokenUnder } from "./geometry.js";
import { Highlights } from "./highlights.js";
import { Ids } from "./ids.js";

/** @typedef {import("../shared/text/tokenization.js").TokenizationModel} TokenizationModel */

/**
 * @typedef {object} ViewOptions
 * @property {import("./piece.js").View} [view] the text alone, with ids beneath, or the ids alone
 * @property {boolean} [isWhole] whether lines break between tokens only, where no editor beside the view breaks them otherwise
 * @property {boolean} [isAtLine] whether ids stand beneath one line only, the pointer's or the caret's
 * @property {import("./colors.js").ColorBy} [colorBy]
 * @property {boolean} [marks] whether invisible characters are marked
 * @property {string} [lang] of the text, if known
 * @property {"ltr" | "rtl" | "auto"} [dir] direction of the arrow keys
 * @property {boolean} [isSeeking] whether the tokens of the text may change in every frame: then no letter moves
 * @property {Int32Array | null} [ranks] of each token, for coloring by rank; -1 for none
 * @property {Int32Array | null} [pretokenIndex] of each token, for coloring by pre-token
 */

/**
 * @typedef {object} Handlers called with null when that ends
 * @property {(i: number | null, element: HTMLElement | null, isByKey: boolean) => void} onPoint on hover or arrow keys
 * @property {(i: number | null) => void} onSelect on a click or Enter
 * @property {() => void} [onDraw] when more of the text was drawn, since it has come near the viewport
 * @property {(rows: number) => void} [onRows] when there is room for so many rows of ids beneath each line
 * @property {() => boolean} [doLinesAlign] whether all lines are equally high, as those of an editor beside the view;
 *   else each has only the rows that its ids take
 */

export class TokenView {
  #highlights = new Highlights();
  /** Colors of neighbors, kept across edits. @type {import("./colors.js").Alternation | null} */
  #alternation = null;
  /** @type {number | null} */
  #pointed = null;
  #isRightToLeft = false;
  #disposal = new AbortController();
  #handlers;
  #name;
  #chunks;
  #ids;
  #spoken;

  /**
   * @param {HTMLElement} root
   * @param {Handlers} handlers
   * @param {string} [name] label, unique on the page
   */
  constructor(root, handlers, name = "Tokens of the text") {
    this.#handlers = handlers;
    this.#name = name;
    /** @type {HTMLElement} */
    this.node = element("div", { class: "token-view", tabindex: 0, role: "listbox", "aria-label": name });
    this.#chunks = new Chunks(this.node, () => {
      this.#drawHighlights();
      this.#ids.drawNew();
      this.#handlers.onDraw?.();
    });
    this.node.append(this.#chunks.content);
    this.#ids = new Ids(this.node, this.#chunks, (rows) => handlers.onRows?.(rows), () => handlers.doLinesAlign?.() ?? true);
    this.#spoken = new SpokenToken(this.node, name);
    root.append(this.node);
    this.#listen(this.#disposal.signal);
  }

  /** @param {AbortSignal} signal */
  #listen(signal) {
    const on = (/** @type {string} */ type, /** @type {(event: any) => void} */ listener) =>
      this.node.addEventListener(type, listener, { signal });
    on("pointermove", (event) => event.pointerType !== "touch" && this.#point(this.#tokenUnder(event)));
    on("pointerleave", () => this.#point(null));
    on("click", (event) => this.#handleClick(event));
    on("keydown", (event) => this.#handleKey(event));
    on("focus", () => this.#chunks.model?.n && this.node.matches(":focus-visible") && this.#moveTo(this.#activeOrFirst()));
    on("blur", () => {
      this.#point(null);
      this.#ids.openFor(null);
    });
    on("copy", (event) => this.node.dataset.view !== "numbers" && copySelected(this.#chunks, event));
    window.addEventListener("beforeprint", () => this.#drawForPrint(), { signal });
    window.addEventListener("afterprint", () => this.#endPrint(), { signal });
  }

  #drawForPrint() {
    this.#chunks.drawForPrint();
    this.#ids.drawForPrint();
  }

  #endPrint() {
    this.#chunks.clearFar();
    this.#ids.afterPrint();
  }

  // Showing

  /**
   * @param {TokenizationModel} model
   * @param {ViewOptions} options
   */
  show(model, { view = "text", isWhole = false, isAtLine = false, colorBy = "alternate", marks = true, lang = "", dir = "auto", isSeeking = false, ranks, pretokenIndex }) {
    const before = this.#chunks.model;
    const old = this.#alternation;
    const tints = model.tints ?? (before === model && old ? old.tints : alternate(model, old));
    this.#alternation = { model, tints };
    const colorOf = colorer(colorBy, model, { tints, ranks, pretokenIndex });
    model.colorOf = colorOf;
    const { content } = this.#chunks;
    if (content.lang !== lang) content.lang = lang;
    content.classList.toggle("marks", marks);
    content.classList.toggle("whole", isWhole);
    this.#isRightToLeft = (dir === "auto" ? firstDirection((model.isolates?.outside ?? model.text).slice(0, 1000)) : dir) === "rtl";
    this.node.setAttribute("aria-label", `${this.#name}: ${number(model.n)}. Arrow keys go from one to the next.`);
    if (before !== model) {
      this.#highlights.carryOver(before, model);
      this.#pointed = null;
    }
    this.#highlights.joined = (isSeeking && model.newest) || null;
    this.node.dataset.view = view;
    this.#chunks.show({ model, colorOf, view, isWhole });
    this.#ids.show(view === "both", before, isSeeking, isAtLine);
    this.#drawHighlights();
    this.#speakActive();
  }

  /** @param {number | null} i */
  select(i, { scroll = false, focus = false } = {}) {
    this.#highlights.selected = i;
    if (i !== null) {
      this.#highlights.active = i;
      if (scroll) this.scrollTo(i);
      if (this.#chunks.model) this.#speakActive();
    }
    this.#drawHighlights();
    if (focus) this.node.focus({ preventScroll: true });
  }

  /** Call `visit` with the tokens of each piece that is drawn, in order, and its element. @param {(first: number, last: number, element: HTMLElement) => void} visit */
  eachDrawn(visit) {
    for (const { drawn } of this.#chunks.list) for (const { element, look } of drawn ?? []) visit(look.piece.first, look.piece.last, element);
  }

  /** The tints shown last; null before the first. */
  get alternation() {
    return this.#alternation;
  }

  /** The selected token. */
  get selected() {
    return this.#highlights.selected;
  }

  /** Where ids stand beneath one line only, show those of the line at a height on screen; null for none. @param {number | null} y */
  pointAtLine(y) {
    this.#ids.pointAt(y === null ? null : { y });
  }

  /** The same for the caret's token. @param {number | null} token */
  caretAt(token) {
    this.#ids.caretAt(token === null ? null : { token });
  }

  /** @param {number | null} id */
  highlightId(id) {
    this.#highlights.id = id;
    this.#drawHighlights();
  }

  /** Mark the tokens with an id as just joined. @param {number | null} id */
  markNewest(id) {
    this.#highlights.newest = id;
    this.#drawHighlights();
  }

  /** @param {[number, number]} range the first token that may change if text follows, and one past the last */
  markUnsettled(range) {
    this.#highlights.unsettled = range;
    this.#drawHighlights();
  }

  /** The boxes of token i on screen. @param {number} i */
  boxesOf(i) {
    return boxesOf(this.#chunks, i);
  }

  /** Boxes of what stays as it is while others are dimmed for token i: other tokens with its id, and its id, or all of its line. @param {number} i */
  litWith(i) {
    const { list, model } = this.#chunks;
    if (!model) return [];
    const view = this.node.getBoundingClientRect();
    const ids = this.#ids.boxesWith(i);
    const isAlike = (/** @type {number} */ first, /** @type {number} */ last) => model.ids.subarray(first, last + 1).includes(model.ids[i]) && (i < first || i > last);
    const alike = list.flatMap(({ near, drawn }) => (near && drawn ? drawn.filter(({ look }) => isAlike(look.piece.first, look.piece.last)) : []));
    const boxes = alike.flatMap(({ element }) => [...element.getClientRects()]).filter((box) => box.top >= view.top && box.bottom <= view.bottom);
    return [...ids, ...boxes.filter((box) => ids.every(({ top, bottom }) => box.bottom <= top || box.top >= bottom))];
  }

  /** The lines that token i stands in, on screen, with their ids. @param {number} i */
  lineOf(i) {
    const line = lineOf(this.#chunks, i);
    return line && { ...line, bottom: line.bottom + this.#ids.roomBeneath(i) };
  }

  /** The first token that is not scrolled away. */
  get firstVisible() {
    return firstVisible(this.#chunks, this.node);
  }

  /** Scroll token i into view, within this view only. @param {number} i */
  scrollTo(i) {
    reveal(this.#chunks, this.node, i);
  }

  #drawHighlights() {
    this.#highlights.draw(this.#chunks.list, this.#chunks.model);
  }

  #speakActive() {
    const { active, selected } = this.#highlights;
    const { model } = this.#chunks;
    if (!model || active === null) return;
    this.#spoken.speak(model, active, active === selected);
  }

  // Pointing, moving, selecting

  /** @param {number | null} i @param {boolean} [isByKey] */
  #point(i, isByKey = false) {
    if (i === this.#pointed) return;
    this.#pointed = i;
    this.highlightId(i === null ? null : (this.#chunks.model?.ids[i] ?? null));
    this.#handlers.onPoint(i, i === null ? null : (this.#chunks.drawnOf(i)?.element ?? null), isByKey);
  }

  /** @param {PointerEvent} event */
  #tokenUnder(event) {
    return this.#ids.tokenUnder(event) ?? tokenUnder(this.#chunks, event);
  }

  /** @param {PointerEvent} event */
  #handleClick(event) {
    if (hasSelectedText(this.node)) return;
    if (this.#ids.press(event)) return;
    const i = this.#tokenUnder(event);
    if (i === null) return;
    this.#highlights.active = i;
    this.#speakActive();
    this.#point(i);
    this.#toggleSelection(i);
    // On a phone, the card covers the lower part of the screen: the stylesheet's margin keeps the token above it.
    if (event.pointerType === "touch" && this.selected !== null) this.#chunks.drawnOf(i)?.element.scrollIntoView({ block: "nearest" });
  }

  /** @param {number} i */
  #toggleSelection(i) {
    this.#highlights.selected = i === this.selected ? null : i;
    this.#drawHighlights();
    this.#speakActive();
    this.#handlers.onSelect(this.selected);
  }

  #activeOrFirst() {
    return this.#highlights.active ?? firstVisible(this.#chunks, this.node);
  }

  /** @param {KeyboardEvent} event */
  #handleKey(event) {
    // Streamlit has single-letter shortcuts on the document.
    event.stopPropagation();
    const { model } = this.#chunks;
    if (event.ctrlKey || event.metaKey || event.altKey || !model?.n) return;
    const at = this.#activeOrFirst();
    const onward = this.#isRightToLeft ? -1 : 1;
    /** @type {Record<string, () => void>} */
    const actions = {
      ArrowRight: () => this.#moveTo(at + onward),
      ArrowLeft: () => this.#moveTo(at - onward),
      ArrowDown: () => this.#moveTo(tokenInNextRow(this.#chunks, at, 1)),
      ArrowUp: () => this.#moveTo(tokenInNextRow(this.#chunks, at, -1)),
      Home: () => this.#moveTo(0),
      End: () => this.#moveTo(model.n - 1),
      Enter: () => this.#toggleSelection(at),
      " ": () => this.#toggleSelection(at),
      Escape: () => (this.selected === null ? this.#point(null) : this.#toggleSelection(this.selected)),
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  /** @param {number} i */
  #moveTo(i) {
    const { n } = /** @type {TokenizationModel} */ (this.#chunks.model);
    const active = Math.max(0, Math.min(n - 1, i));
    this.#highlights.active = active;
    this.scrollTo(active);
    this.#chunks.drawnOf(active)?.element.scrollIntoView({ block: "nearest" });
    this.#speakActive();
    this.#pointed = null;
    this.#point(active, true);
    this.#ids.openFor(active);
  }

  dispose() {
    this.#chunks.dispose();
    this.#ids.dispose();
    this.#disposal.abort();
    this.node.remove();
  }
}

/** The keyboard's token for screen readers: the active option of a list box. */
export class SpokenToken {
  /** The one spoken last comes first. */
  #options;
  /** @type {HTMLElement} */
  #listbox;

  /**
   * @param {HTMLElement} listbox
   * @param {string} name unique on the page
   */
  constructor(listbox, name) {
    this.#listbox = listbox;
    const common = { class: "spoken", hidden: true, role: "option", "aria-selected": "false" };
    this.#options = [1, 2].map((turn) => element("div", { id: `${name} option ${turn}`.replaceAll(" ", "-"), ...common }));
    listbox.append(...this.#options);
  }

  /**
   * @param {import("../shared/text/tokenization.js").TokenizationModel} model
   * @param {number} i
   * @param {boolean} isSelected
   */
  speak(model, i, isSelected) {
    // Screen readers speak when another option becomes active, so the two alternate.
    const [before, option] = this.#options;
    this.#options = [option, before];
    before.hidden = true;
    option.hidden = false;
    option.textContent = sayToken(model, i);
    option.setAttribute("aria-posinset", String(i + 1));
    option.setAttribute("aria-setsize", String(model.n));
    option.setAttribute("aria-selected", String(isSelected));
    this.#listbox.setAttribute("aria-activedescendant", option.id);
  }
}
