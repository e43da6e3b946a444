/**
 * Walking along a tower's blocks with the arrow keys: sideways to the block beside, up to the first part, down to the
 * token that it became part of; or along the tokens of running text. One at a time is in the tab order.
 */

/** @typedef {Pick<import("./tower.js").Block, "start" | "end" | "depth">} Walked a block, or a token of running text */
/** @template {Walked} B @typedef {{block: B, node: HTMLElement, classes: string}} Item */

/** Focus that passes to another block while the tower changes scrolls nothing. */
const KEPT = { preventScroll: true };
/** By how many pixels the tops of what stands on one line may differ. */
const SAME_LINE = 4;
/** @template {Walked} B */
export class Walking {
  #onPick;
  /** Indices of the symbols drawn. @type {Map<number, number>} */
  #places = new Map();
  /** @type {Item<B>[]} */
  #items = [];
  /** The block in the tab order. @type {Item<B> | null} */
  #current = null;

  /** @param {(block: B) => void} onPick called when a block is pressed */
  constructor(onPick) {
    this.#onPick = onPick;
  }

  /** True while the reader joins tokens: then only these are walked along. */
  #isPlayed = false;

  /** @param {Item<B>} item */
  #isThere = ({ classes }) => (this.#isPlayed ? /\bnow\b/.test(classes) : !/\blater\b/.test(classes));

  /** Other elements are drawn; the one in the tab order keeps its place. @param {Item<B>[]} items @param {Map<number, number>} places */
  load(items, places) {
    const left = this.#current?.block;
    const hadFocus = this.#current !== null && isFocused(this.#current.node);
    this.#places = places;
    this.#items = items;
    this.#current = null;
    const restore = () => {
      const there = left ? items.filter(this.#isThere).filter(({ block }) => contains(block, left.start)) : [];
      const found = there.find(({ block }) => block.end === left?.end) ?? there[0];
      if (found) this.#enter(found, hadFocus && KEPT);
    };
    return { restore };
  }

  /** Focus the one in the tab order, or that at an end of the text. @param {string} [key] */
  focus(key = "") {
    const item = this.#atEnd(key) ?? this.#current;
    if (item) this.#enter(item, {});
  }

  /** Other blocks are there: one that is gone leaves the tab order to one in its place. @param {boolean} [isPlayed] */
  update(isPlayed = false) {
    this.#isPlayed = isPlayed;
    if (this.#current && this.#isThere(this.#current)) return;
    const start = this.#current?.block.start;
    const hadFocus = this.#current !== null && isFocused(this.#current.node);
    const found = this.#items.find((item) => this.#isThere(item) && (start === undefined || contains(item.block, start)));
    if (found) this.#enter(found, hadFocus && KEPT);
  }

  /** @param {EventTarget | null} target */
  focusIn(target) {
    const item = this.#items.find(({ node }) => node === target);
    if (item && item !== this.#current) this.#enter(item);
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const item = this.#items.find(({ node }) => node === event.target);
    if (!item || event.ctrlKey || event.metaKey || event.altKey) return;
    const isPressed = event.key === "Enter" || event.key === " ";
    const isMove = event.key.startsWith("Arrow") || (this.#isPlayed && isEnd(event.key));
    if (!isPressed && !isMove) return;
    const next = isPressed ? null : this.#beside(item, event.key);
    event.preventDefault();
    if (isPressed) this.#onPick(item.block);
    else if (next) this.#enter(next, {});
  }

  /** @param {Item<B>} item @param {string} key */
  #beside({ block, node }, key) {
    if (isEnd(key)) return this.#atEnd(key);
    if (this.#isPlayed && (key === "ArrowUp" || key === "ArrowDown")) return this.#onLine(node, key === "ArrowUp" ? -1 : 1);
    const blocks = this.#items.filter(this.#isThere).map((item) => item.block);
    const isMirrored = getComputedStyle(node).direction === "rtl";
    const found = neighborOf(blocks, this.#places, block, isMirrored ? (MIRRORED[key] ?? key) : key);
    return this.#items.find((item) => item.block === found) ?? null;
  }

  /** The first or the last in the text, for the keys that lead there. @param {string} key */
  #atEnd(key) {
    if (!isEnd(key)) return null;
    const inOrder = this.#items.filter(this.#isThere).sort((one, other) => one.block.start - other.block.start);
    return inOrder.at(key === "Home" ? 0 : -1) ?? null;
  }

  /** The nearest on the line above or beneath. @param {HTMLElement} from @param {-1 | 1} by */
  #onLine(from, by) {
    const place = (/** @type {HTMLElement} */ node) => {
      const { left, width } = node.getBoundingClientRect();
      return { top: (node.closest(".line") ?? node).getBoundingClientRect().top, middle: left + width / 2 };
    };
    const here = place(from);
    const others = this.#items.filter(this.#isThere).map((item) => ({ item, ...place(item.node) }));
    const beyond = others.filter(({ top }) => by * (top - here.top) > SAME_LINE);
    const nearest = Math.min(...beyond.map(({ top }) => by * top));
    const onLine = beyond.filter(({ top }) => by * top - nearest < SAME_LINE);
    const distance = (/** @type {{middle: number}} */ { middle }) => Math.abs(middle - here.middle);
    return onLine.sort((one, other) => distance(one) - distance(other))[0]?.item ?? null;
  }

  /** @param {Item<B>} item @param {FocusOptions | false} [focus] how to focus it, if at all */
  #enter(item, focus = false) {
    if (this.#current) this.#current.node.tabIndex = -1;
    this.#current = item;
    item.node.tabIndex = 0;
    if (focus) item.node.focus(focus);
  }
}

/** True for the keys that lead to the ends of the text. @param {string} key */
const isEnd = (key) => key === "Home" || key === "End";

/** @param {Walked} block @param {number} symbol */
const contains = ({ start, end }, symbol) => start <= symbol && symbol < end;

/** @type {Record<string, string>} */
const MIRRORED = { ArrowLeft: "ArrowRight", ArrowRight: "ArrowLeft" };

/** @param {HTMLElement} node */
const isFocused = (node) => /** @type {Document | ShadowRoot} */ (node.getRootNode()).activeElement === node;

/**
 * The block that an arrow key leads to, in a text that runs from left to right.
 *
 * @template {Walked} B
 * @param {B[]} blocks that are there
 * @param {Map<number, number>} places indices of the symbols drawn
 * @param {B} from
 * @param {string} key
 * @returns {B | null}
 */
export function neighborOf(blocks, places, from, key) {
  const first = (/** @type {Walked} */ { start }) => /** @type {number} */ (places.get(start));
  const after = (/** @type {Walked} */ block) => first(block) + block.end - block.start;
  /** @type {Record<string, (block: Walked) => boolean>} */
  const leads = {
    ArrowRight: (block) => first(block) === after(from),
    ArrowLeft: (block) => after(block) === first(from),
    ArrowUp: ({ start, end, depth }) => start === from.start && end < from.end && depth < from.depth,
    ArrowDown: ({ start, end, depth }) => start <= from.start && end >= from.end && depth > from.depth,
  };
  if (!leads[key]) return null;
  const distance = (/** @type {Walked} */ { depth }) => Math.abs(depth - from.depth);
  return blocks.filter(leads[key]).reduce((best, block) => (best && distance(best) <= distance(block) ? best : block), /** @type {B | null} */ (null));
}
