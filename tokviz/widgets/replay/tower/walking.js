/**
 * Walking along a tower's blocks with the arrow keys: sideways to the block beside, up to the first part, down to the
 * token that it became part of. One block at a time is in the tab order.
 */

/** @typedef {import("./tower.js").Block} Block */
/** @typedef {{block: Block, node: HTMLElement, classes: string}} Item */

/** Focus that passes to another block while the tower changes scrolls nothing. */
const KEPT = { preventScroll: true };


export class Walking {
  #onPick;
  /** Indices of the symbols drawn. @type {Map<number, number>} */
  #places = new Map();
  /** @type {Item[]} */
  #items = [];
  /** The block in the tab order. @type {Item | null} */
  #current = null;

  /** @param {(block: Block) => void} onPick called when a block is pressed */
  constructor(onPick) {
    this.#onPick = onPick;
  }

  /** True while the reader joins tokens: then only these are walked along. */
  #isPlayed = false;

  /** @param {Item} item */
  #isThere = ({ classes }) => (this.#isPlayed ? /\bnow\b/.test(classes) : !/\blater\b/.test(classes));

  /** Other elements are drawn; the one in the tab order keeps its place. @param {Item[]} items @param {Map<number, number>} places */
  load(items, places) {
    this.#places = places;
    const at = this.#current ? this.#items.indexOf(this.#current) : -1;
    const hadFocus = this.#current !== null && isFocused(this.#current.node);
    this.#items = items;
    this.#current = null;
    return { restore: () => hadFocus && items[at] && this.#isThere(items[at]) && this.#enter(items[at], KEPT) };
  }

  /** Other blocks are there: one that is gone leaves the tab order to one in its place. @param {boolean} [isPlayed] */
  update(isPlayed = false) {
    this.#isPlayed = isPlayed;
    if (this.#current && this.#isThere(this.#current)) return;
    const start = this.#current?.block.start;
    const hadFocus = this.#current !== null && isFocused(this.#current.node);
    const found = this.#items.find((item) => this.#isThere(item) && (start === undefined || (item.block.start <= start && start < item.block.end)));
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
    const next = isPressed ? null : this.#beside(item, event.key);
    if (!isPressed && !event.key.startsWith("Arrow")) return;
    event.preventDefault();
    if (isPressed) this.#onPick(item.block);
    else if (next) this.#enter(next, {});
  }

  /** @param {Item} item @param {string} key */
  #beside({ block, node }, key) {
    const blocks = this.#items.filter(this.#isThere).map((item) => item.block);
    const isMirrored = getComputedStyle(node).direction === "rtl";
    const found = neighborOf(blocks, this.#places, block, isMirrored ? (MIRRORED[key] ?? key) : key);
    return this.#items.find((item) => item.block === found) ?? null;
  }

  /** @param {Item} item @param {FocusOptions | false} [focus] how to focus it, if at all */
  #enter(item, focus = false) {
    if (this.#current) this.#current.node.tabIndex = -1;
    this.#current = item;
    item.node.tabIndex = 0;
    if (focus) item.node.focus(focus);
  }
}

/** @type {Record<string, string>} */
const MIRRORED = { ArrowLeft: "ArrowRight", ArrowRight: "ArrowLeft" };

/** @param {HTMLElement} node */
const isFocused = (node) => /** @type {Document | ShadowRoot} */ (node.getRootNode()).activeElement === node;

/**
 * The block that an arrow key leads to, in a text that runs from left to right.
 *
 * @param {Block[]} blocks that are there
 * @param {Map<number, number>} places indices of the symbols drawn
 * @param {Block} from
 * @param {string} key
 * @returns {Block | null}
 */
export function neighborOf(blocks, places, from, key) {
  const first = (/** @type {Block} */ { start }) => /** @type {number} */ (places.get(start));
  const after = (/** @type {Block} */ block) => first(block) + block.end - block.start;
  /** @type {Record<string, (block: Block) => boolean>} */
  const leads = {
    ArrowRight: (block) => first(block) === after(from),
    ArrowLeft: (block) => after(block) === first(from),
    ArrowUp: ({ start, end, depth }) => start === from.start && end < from.end && depth < from.depth,
    ArrowDown: ({ start, end, depth }) => start <= from.start && end >= from.end && depth > from.depth,
  };
  if (!leads[key]) return null;
  const distance = (/** @type {Block} */ { depth }) => Math.abs(depth - from.depth);
  return blocks.filter(leads[key]).reduce((best, block) => (best && distance(best) <= distance(block) ? best : block), /** @type {Block | null} */ (null));
}
