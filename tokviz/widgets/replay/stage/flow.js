/**
 * The flow: the text after k steps as running text, with the pair that joins next and the token just made.
 *
 * Boundaries between tokens take no space, so that letters stay in place when boundaries vanish. Of a long text, only a
 * window is in the page. The scenes before the merges are drawn here as well.
 */

import { element, fill } from "../../shared/dom/elements.js";
import { firstDirection } from "../../shared/text/direction.js";
import { boundariesOf, tintsOf, tokensAt, THE_TEXT } from "../model/replay.js";
import { piecesBetween, pretokenNode, wholeNode } from "../model/pretokens.js";
import { sayingOf } from "../model/names.js";
import { Walking } from "../tower/walking.js";
import { classesOf, contentOf, rolesAt, symbolOf } from "./symbols.js";
import { MAX_SYMBOLS, windowAround, windowFrom } from "./window.js";

/** @typedef {import("../model/replay.js").Replay} Replay */
/** @typedef {import("./stage.js").View} View */
/** @typedef {{node: HTMLElement, key: string, token: import("../model/replay.js").Token}} Drawn */

/** Size of bytes in hex, relative to the text; see widget.css. */
const HEX_SIZE = 0.72;
/** Number of symbols of a text that is written as in an editor, in smaller type on closer lines. */
const LONG = 700;
/** Font size in em of a long text, and row height relative to that, without and with bytes in hex; the same on a projector; see widget.css. */
const [EDITED, PROJECTED] = [[1.0625, 1.65, 2.6], [1.9, 1.9, 2.7]];
/** Width of a character, relative to its size. */
const CHARACTER_WIDTH = 0.6;
/** By how much text on a projector is made smaller at a time, until all of it is in sight. */
const SMALLER = 0.92;
/** Maximum new elements that are inserted one by one; more are replaced all at once. */
const MAX_INSERTED = 60;

export class Flow {
  #on;
  /** @type {View | null} */
  #shown = null;
  /** The window's symbols. */
  #window = { from: 0, to: 0 };
  /** Size of the stage in pixels; and the smallest height of text, on a projector. */
  #stage = { width: 0, height: 0, fontSize: 16, least: 0 };
  /** What the size of the text was found for. */
  #sized = "";
  /** Drawn tokens by their first symbols. @type {Map<number, Drawn>} */
  #drawn = new Map();
  /** By how many symbols the text has become longer since: so far, what stands after an edit has moved. */
  #shift = 0;
  /** Tints of tokens, by their first symbols. @type {Uint8Array} */
  tints = new Uint8Array();
  /** True while tokens are walked along. */
  #isOffered = false;
  /** Along the tokens, while the stage is played. @type {Walking<import("../tower/walking.js").Walked>} */
  #walking;
  node = element("div", {
    class: "symbols running token-text marks",
    "aria-hidden": "true",
    click: (/** @type {Event} */ event) => this.#handleClick(event),
    keydown: (/** @type {KeyboardEvent} */ event) => this.#walking.press(event),
    focusin: (/** @type {Event} */ event) => this.#walking.focusIn(event.target),
  });

  /**
   * @param {object} on
   * @param {(symbol: number) => void} on.select called with a symbol of the clicked token
   * @param {(from: number, to: number) => void} on.window called when another part of the text is shown
   */
  constructor(on) {
    this.#on = on;
    this.#walking = new Walking(({ start }) => on.select(start));
  }

  /** Focus the token in the tab order, or that at an end of the text. @param {string} [key] */
  focus(key) {
    this.#walking.focus(key);
  }

  /** The symbols in the window. */
  get window() {
    return this.#window;
  }

  /** @param {View} view @param {boolean} follows true if the window may move to the next merge */
  show(view, follows) {
    if (this.#shown?.replay !== view.replay) this.#reset(view.replay, this.#shown?.replay.n ?? 0);
    this.#shown = view;
    if (follows && !view.isOpening) this.#moveToNext(view); // a text opens at its beginning
    if (view.k < 0) this.#drawScene(view);
    else this.#drawTokens(view);
    this.#fitText(view);
  }

  /** On a projector, write as large as lets all of the text be in sight, once for each text and size of the stage. @param {View} view */
  #fitText({ replay, writing }) {
    const stage = this.node.parentElement;
    if (!stage || isWindowed(replay)) return;
    const { least: smallest } = this.#stage;
    const sized = smallest ? `${stage.clientWidth} ${stage.clientHeight} ${smallest} ${writing} ${replay.text}` : "";
    if (sized === this.#sized) return;
    this.#sized = sized;
    this.node.style.fontSize = "";
    if (!smallest) return;
    const least = this.node.classList.contains("with-bytes") ? smallest / HEX_SIZE : smallest;
    let size = parseFloat(getComputedStyle(this.node).fontSize);
    for (; size > least && stage.scrollHeight > stage.clientHeight; this.node.style.fontSize = `${size}px`) size = Math.max(least, size * SMALLER);
  }

  /** Places in the window of the next pair, or of the latest where the reader joins them; on the screen. @returns {import("./sight.js").Place[]} */
  nextPlaces() {
    return [...this.node.querySelectorAll(this.#shown?.isPlayed ? ".new" : ".join-l")].map((node) => {
      const { top, bottom } = node.getBoundingClientRect();
      return { top, bottom, node };
    });
  }

  /** Show another part of a long text. @param {number} symbol the first symbol of the window */
  moveWindow(symbol) {
    if (!this.#shown || !isWindowed(this.#shown.replay)) return;
    this.#place(windowFrom(this.#shown.replay, symbol, this.#room));
    this.show(this.#shown, false);
  }

  /** Move the window to a symbol outside of it; the caller draws it then. @param {number} symbol */
  reveal(symbol) {
    const { from, to } = this.#window;
    if (this.#shown && (symbol < from || symbol >= to)) this.#place(windowAround(this.#shown.replay, symbol, this.#room));
  }

  /** @param {{width: number, height: number, fontSize: number, least: number}} stage in pixels */
  resize(stage) {
    const before = this.#room;
    this.#stage = stage;
    const { columns, rows } = this.#room;
    if (columns !== before.columns || rows !== before.rows) this.moveWindow(this.#window.from);
  }

  /** Size of the stage in characters of a long text. */
  get #room() {
    const { width, height, fontSize, least } = this.#stage;
    const [em, row, withBytes] = least ? PROJECTED : EDITED;
    const size = em * fontSize;
    const rowHeight = size * (this.node.classList.contains("with-bytes") ? withBytes : row);
    const spare = least ? 0 : 1; // the last token may go on in a row more
    return { columns: Math.max(10, Math.floor(width / (size * CHARACTER_WIDTH))), rows: Math.max(3, Math.floor(height / rowHeight) - spare) };
  }

  /** @param {Replay} replay @param {number} before number of symbols of the text before */
  #reset(replay, before) {
    this.#shift = replay.n - before;
    this.tints = tintsOf(replay);
    this.node.classList.toggle("with-bytes", replay.data.some((byte) => byte >= 0x80));
    this.node.classList.toggle("long", replay.n > LONG);
    // The whole text sets the direction: hex bytes at its start would turn a line that turns back once letters appear.
    const direction = firstDirection(replay.text) ?? "ltr";
    if (this.node.dir !== direction) this.node.dir = direction; // styles the text anew
    this.#place(isWindowed(replay) ? windowFrom(replay, 0, this.#room) : { from: 0, to: replay.n });
  }

  /** Draw a scene before the merges: the text, or its pre-tokens. @param {View} view */
  #drawScene({ replay, k }) {
    const pieces = piecesBetween(replay, this.#window.from, this.#window.to);
    this.#drawn = new Map();
    if (k === THE_TEXT) fill(this.node, wholeNode(pieces));
    else fill(this.node, ...pieces.map((piece) => pretokenNode(replay, piece)));
  }

  /** @param {View} view */
  #drawTokens(view) {
    const { replay, k, writing } = view;
    const roles = rolesAt(view, this.tints);
    /** @type {Map<number, Drawn>} */
    const drawn = new Map();
    const kept = new Set();
    for (const token of tokensAt(replay, k, this.#window.from, this.#window.to)) {
      const key = contentOf(replay, token, writing);
      const before = [token.start, token.start - this.#shift].map((start) => this.#drawn.get(start));
      const node = before.find((old) => old?.key === key && !kept.has(old.node))?.node ?? symbolOf(replay, token, writing);
      kept.add(node);
      if (Number(node.dataset.at) !== token.start) node.dataset.at = String(token.start);
      const classes = classesOf(replay, token, roles);
      if (node.className !== classes) node.className = classes;
      drawn.set(token.start, { key, token, node });
    }
    this.#drawn = drawn;
    this.#shift = 0;
    const walked = this.#offerTokens(view);
    replaceChildren(this.node, Array.from(drawn.values(), ({ node }) => node));
    walked?.restore();
  }

  /** While the stage is played, let tokens be walked along and picked with keys. @param {View} view */
  #offerTokens({ replay, writing, isPlayed = false }) {
    if (!isPlayed && !this.#isOffered) return;
    this.#isOffered = isPlayed;
    this.node.ariaHidden = String(!isPlayed);
    const items = [...this.#drawn.values()].map(({ node, token }) => ({ block: { ...token, depth: 0 }, node, classes: "now" }));
    for (const { block, node } of items) {
      if (isPlayed === (node.role !== null)) continue;
      node.role = isPlayed ? "button" : null;
      node.ariaLabel = isPlayed ? sayingOf(replay, block.id, writing, replay.covered.get(block.start)) : null;
      if (isPlayed) node.tabIndex = -1;
      else node.removeAttribute("tabindex");
    }
    const walked = this.#walking.load(isPlayed ? items : [], new Map(items.map(({ block: { start } }) => [start, start])));
    this.#walking.update(isPlayed);
    return walked;
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

  /** @param {Element} target */
  tokenOf(target) {
    const node = target.closest("[data-at]");
    return node instanceof HTMLElement ? (this.#drawn.get(Number(node.dataset.at))?.token ?? null) : null;
  }

  /** The element of a token. @param {import("../model/replay.js").Token} token */
  nodeOf({ start }) {
    return this.#drawn.get(start)?.node;
  }

  /** @param {Event} event */
  #handleClick(event) {
    const token = this.tokenOf(/** @type {Element} */ (event.target));
    if (token) this.#on.select(token.start);
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
