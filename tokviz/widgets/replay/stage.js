/**
 * The stage: the text after k steps, with the pair that joins next and the token just made.
 *
 * A short text is drawn as boxes. A longer one is drawn as running text, whose boundaries take no space, so that
 * letters stay in place when boundaries vanish. Of a long text, only a window is in the page.
 */

import { element, fill } from "../shared/dom/elements.js";
import { firstDirection } from "../shared/text/direction.js";
import { boundariesOf, tokensAt } from "./model.js";
import { sayingOf } from "./names.js";
import { piecesBetween, pretokenNode, wholeNode } from "./pretokens.js";
import { classesOf, rolesAt, symbolOf } from "./symbols.js";
import { MAX_SYMBOLS, windowAround, windowFrom } from "./window.js";

/** @typedef {import("./model.js").Replay} Replay */
/** @typedef {import("./model.js").Token} Token */
/**
 * @typedef {object} View
 * @property {Replay} replay
 * @property {number} k
 * @property {import("./names.js").Writing} writing
 * @property {boolean} next true to mark the pair that joins next
 * @property {number | null} selected a symbol of the selected token
 * @property {boolean} spoken true to update the text for screen readers, which can't follow fast playback
 */
/** @typedef {{node: HTMLElement, key: string}} Drawn */

/** Maximum symbols drawn as boxes; a longer text is drawn as running text. */
const MAX_BOXES = 150;
/** Font size of running text in em, and its row height and character width relative to that; see widget.css. */
const [RUNNING_SIZE, ROW_HEIGHT, CHARACTER_WIDTH] = [1.25, 2.1, 0.6];
/** Maximum new elements that are inserted one by one; more are replaced all at once. */
const MAX_INSERTED = 60;
/** Maximum tokens read by screen readers. */
const MAX_SPOKEN = 120;
const JOIN_MS = 200;

export class Stage {
  #on;
  /** @type {View | null} */
  #shown = null;
  /** The window's symbols. */
  #window = { from: 0, to: 0 };
  /** Size of the stage in characters. */
  #room = { columns: 60, rows: 12 };
  /** Drawn tokens by their first symbols. @type {Map<number, Drawn>} */
  #drawn = new Map();
  /** @type {Animation[]} */
  #moving = [];
  #symbols = element("div", {
    class: "symbols token-text marks",
    "aria-hidden": "true",
    click: (/** @type {Event} */ event) => this.#handleClick(event),
  });
  #spoken = element("p", { class: "unseen" });
  #resizing = new ResizeObserver(([{ contentRect }]) => this.#measure(contentRect));

  /**
   * @param {object} on
   * @param {(symbol: number) => void} on.select called with a symbol of the clicked token
   * @param {(from: number, to: number) => void} on.window called when another part of the text is shown
   */
  constructor(on) {
    this.#on = on;
    this.node = element(
      "div",
      { class: "stage", tabindex: 0, role: "group", "aria-label": "The text at this step" },
      this.#symbols,
      this.#spoken,
    );
    this.#resizing.observe(this.node);
  }

  /** First symbol in the window. */
  get from() {
    return this.#window.from;
  }

  /** @param {View} view @param {boolean} [follows] true if the window may move to the next merge */
  show(view, follows = false) {
    this.#stop();
    if (this.#shown?.replay !== view.replay) this.#reset(view.replay);
    this.#shown = view;
    if (follows) this.#moveToNext(view);
    this.node.dataset.scene = view.k >= 0 ? "symbols" : view.k === -1 ? "pretokens" : "text";
    if (view.k < 0) this.#drawScene(view);
    else this.#drawTokens(view);
  }

  /** Animate step k - 1: the marked pairs close up, and the tokens after them move. @param {View} view */
  join(view) {
    const isAnimated = view.replay.n <= MAX_BOXES && this.#shown?.k === view.k - 1;
    const before = isAnimated ? this.#boxPlaces() : null;
    this.show(view);
    if (!before) return;
    for (const [start, { node }] of this.#drawn) {
      const old = before.get(start);
      if (!old) continue;
      const now = node.getBoundingClientRect();
      // A box that wraps to another line would fly across the stage.
      const moved = now.top === old.top ? old.left - now.left : 0;
      if (node.classList.contains("new")) this.#animate(node, [{ clipPath: "inset(0 30% 0 0)" }, { clipPath: "inset(0)" }]);
      if (moved) this.#animate(node, [{ transform: `translateX(${moved}px)` }, { transform: "none" }]);
    }
  }

  /** Scroll to the next pair, if none of its places is visible. This forces a layout, so call it last. */
  scrollToNext() {
    const marked = /** @type {HTMLElement[]} */ ([...this.#symbols.querySelectorAll(".join-l")]);
    const box = this.node.getBoundingClientRect();
    const isVisible = marked.some((each) => {
      const { top, bottom } = each.getBoundingClientRect();
      return top >= box.top && bottom <= box.bottom;
    });
    if (!marked.length || isVisible) return;
    this.node.scrollTop += marked[0].getBoundingClientRect().top - box.top - box.height / 3;
  }

  /** Show another part of a long text. @param {number} symbol the first symbol of the window */
  moveWindow(symbol) {
    if (!this.#shown || !isWindowed(this.#shown.replay)) return;
    this.#place(windowFrom(this.#shown.replay, symbol, this.#room));
    this.show(this.#shown);
  }

  /** Move the window to a symbol outside of it; the caller draws it then. @param {number} symbol */
  reveal(symbol) {
    const { from, to } = this.#window;
    if (this.#shown && (symbol < from || symbol >= to)) this.#place(windowAround(this.#shown.replay, symbol, this.#room));
  }

  dispose() {
    this.#stop();
    this.#resizing.disconnect();
  }

  /** @param {Replay} replay */
  #reset(replay) {
    const symbols = this.#symbols;
    this.#drawn = new Map();
    fill(symbols);
    symbols.classList.toggle("boxes", replay.n <= MAX_BOXES);
    symbols.classList.toggle("running", replay.n > MAX_BOXES);
    symbols.classList.toggle("cuts", replay.data.some((byte) => byte >= 0x80));
    // The whole text sets the direction: hex bytes at its start would turn a line that turns back once letters appear.
    symbols.dir = firstDirection(replay.text) ?? "ltr";
    this.#place(isWindowed(replay) ? windowFrom(replay, 0, this.#room) : { from: 0, to: replay.n });
  }

  /** Draw a scene before the merges: the text, or its pre-tokens. @param {View} view */
  #drawScene({ replay, k }) {
    const { from, to } = this.#window;
    const pieces = piecesBetween(replay, from, to);
    this.#drawn = new Map();
    if (k < -1) fill(this.#symbols, wholeNode(pieces));
    else fill(this.#symbols, ...pieces.map((piece) => pretokenNode(replay, piece)));
    fill(this.#spoken, pieces.map(({ text }) => text).join(k < -1 ? "" : ", "));
  }

  /** @param {View} view */
  #drawTokens(view) {
    const { replay, k, writing } = view;
    const roles = rolesAt(view);
    const boxes = replay.n <= MAX_BOXES;
    const tokens = tokensAt(replay, k, this.#window.from, this.#window.to);
    /** @type {Map<number, Drawn>} */
    const drawn = new Map();
    for (const token of tokens) {
      const key = `${token.end} ${token.id} ${writing}`;
      const old = this.#drawn.get(token.start);
      const item = old?.key === key ? old : { key, node: symbolOf(replay, token, writing, boxes) };
      const classes = classesOf(replay, token, roles);
      if (item.node.className !== classes) item.node.className = classes;
      drawn.set(token.start, item);
    }
    replaceChildren(this.#symbols, Array.from(drawn.values(), ({ node }) => node));
    this.#drawn = drawn;
    if (view.spoken) fill(this.#spoken, this.#spokenText(replay, tokens));
  }

  /** Text of the stage for screen readers. @param {Replay} replay @param {Token[]} tokens the visible tokens */
  #spokenText(replay, tokens) {
    const names = tokens.slice(0, MAX_SPOKEN).map(({ start, id }) => sayingOf(replay, id, "text", replay.covered.get(start)));
    const rest = tokens.length > MAX_SPOKEN || this.#window.to < replay.n ? ["and so on"] : [];
    return [...names, ...rest].join(", ");
  }

  /** Places of the boxes by their tokens' first symbols. */
  #boxPlaces() {
    return new Map([...this.#drawn].map(([start, { node }]) => [start, node.getBoundingClientRect()]));
  }

  /** @param {HTMLElement} box @param {Keyframe[]} frames */
  #animate(box, frames) {
    this.#moving.push(box.animate(frames, { duration: JOIN_MS, easing: "ease-out" }));
  }

  #stop() {
    for (const animation of this.#moving) animation.cancel();
    this.#moving = [];
  }

  /** Move the window to the next merge, if none of its places is in it. @param {View} view */
  #moveToNext({ replay, k, next }) {
    if (!next || !isWindowed(replay) || k < 0 || k >= replay.steps) return;
    const { from, to } = this.#window;
    const places = boundariesOf(replay, k);
    const isInWindow = places.some((symbol) => symbol >= from && symbol < to);
    if (!isInWindow) this.#place(windowAround(replay, places[0], this.#room));
  }

  /** @param {{from: number, to: number}} found */
  #place({ from, to }) {
    this.#window = { from, to };
    this.#on.window(from, to);
  }

  /** @param {DOMRectReadOnly} content the area for the text */
  #measure({ width, height }) {
    const size = RUNNING_SIZE * parseFloat(getComputedStyle(this.node).fontSize);
    const columns = Math.max(10, Math.floor(width / (size * CHARACTER_WIDTH)));
    const rows = Math.max(3, Math.ceil(height / (size * ROW_HEIGHT)));
    if (!width || (columns === this.#room.columns && rows === this.#room.rows)) return;
    this.#room = { columns, rows };
    this.moveWindow(this.#window.from);
  }

  /** @param {Event} event */
  #handleClick(event) {
    const target = /** @type {Element} */ (event.target).closest("[data-at]");
    if (target instanceof HTMLElement) this.#on.select(Number(target.dataset.at));
  }
}

/** True if only a part of the text is in the page. @param {Replay} replay */
export const isWindowed = ({ n }) => n > MAX_SYMBOLS;

/**
 * Set the children of an element. During playback few change, and those kept must not be moved; after a seek most are
 * new, and replacing all at once is faster.
 *
 * @param {HTMLElement} parent
 * @param {HTMLElement[]} wanted
 */
function replaceChildren(parent, wanted) {
  const fresh = wanted.reduce((count, node) => count + (node.parentNode === parent ? 0 : 1), 0);
  if (fresh > MAX_INSERTED) return parent.replaceChildren(...wanted);
  const keep = new Set(wanted);
  for (let child = parent.firstChild; child;) {
    const next = child.nextSibling;
    if (!keep.has(/** @type {HTMLElement} */ (child))) child.remove();
    child = next;
  }
  let at = parent.firstChild;
  for (const node of wanted) {
    if (node === at) at = at.nextSibling;
    else parent.insertBefore(node, at);
  }
}
