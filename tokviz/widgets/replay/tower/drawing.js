/**
 * Drawing of a tower at a step: one element per block, none of which moves while merges are made, undone, or before the
 * first of them, when the same places show the text and its pre-tokens.
 */

import { element, fill } from "../../shared/dom/elements.js";
import { firstDirection } from "../../shared/text/direction.js";
import { blockNode, characterNodes, countNode, lineNodes, pretokenNodes } from "./nodes.js";
import { spanOf } from "./placement.js";
import { drawnSymbol, roleOf, unmergedRoleOf } from "./tower.js";
import { Walking } from "./walking.js";
import { THE_PRETOKENS } from "../model/replay.js";

/** @typedef {import("./tower.js").Block} Block */
/** @typedef {import("./tower.js").Tower} Tower */
/** @typedef {import("./fitting.js").Fitted} Fitted */
/** @typedef {import("../stage/stage.js").View} View */
/** @typedef {import("./walking.js").Item<Block>} Item */

const GROW_MS = 260;

export class TowerDrawing {
  #onPick;
  /** What the elements are of. */
  #key = { replay: /** @type {unknown} */ (null), fitted: /** @type {Fitted | null} */ (null), labels: "" };
  /** @type {Item[]} */
  #items = [];
  /** @type {Animation[]} */
  #growing = [];
  #walking;
  node = element("div", {
    class: "tower token-text",
    role: "group",
    "aria-label": "Blocks",
    click: (/** @type {Event} */ event) => this.#handleClick(event),
    keydown: (/** @type {KeyboardEvent} */ event) => this.#walking.press(event),
    focusin: (/** @type {Event} */ event) => this.#walking.focusIn(event.target),
  });

  /** @param {(block: Block) => void} onPick called with the block that was clicked, or pressed with a key */
  constructor(onPick) {
    this.#onPick = onPick;
    this.#walking = new Walking(onPick);
  }

  /** @param {View} view of a replay with a tower @param {Fitted} fitted */
  show(view, fitted) {
    this.#stop();
    const labels = `${writingIn(view)} ${Boolean(view.decoding)} ${view.decoding?.shown === "text" ? view.decoding.end : ""}`;
    const key = { replay: view.replay, fitted, labels };
    const isKept = key.replay === this.#key.replay && fitted === this.#key.fitted && labels === this.#key.labels;
    if (isKept) return this.#paint(view);
    this.#key = key;
    this.#build(view, fitted);
    const walked = this.#walking.load(this.#items, /** @type {Tower} */ (view.replay.tower).places);
    this.#paint(view);
    walked.restore();
  }

  /** Let the blocks that the last step made slide out of those that they were made of: down, or up while decoding. */
  growNew() {
    const isUp = this.node.dataset.scene === "decoding";
    const from = isUp ? "translateY(var(--row))" : "translateY(calc(-1 * var(--row)))";
    const frames = [{ transform: from, opacity: 0.4 }, { transform: "none", opacity: 1 }];
    for (const { node, classes } of this.#items)
      if (classes.includes(" new")) this.#growing.push(node.animate(frames, { duration: GROW_MS, easing: "ease-out" }));
  }

  /** The sizes that are drawn, if anything is. */
  get fitted() {
    return this.#key.fitted;
  }

  /**
   * Places of the pair that a step joins, or where the reader joins them, of the latest that was joined, in pixels from the
   * tower's top: from its parts down to the block that they become. They are computed: to measure them, the browser would lay out lines that are out of sight.
   *
   * @param {View} view
   * @returns {import("../stage/sight.js").Place[]} with the lower part
   */
  nextPlaces({ k, next, decoding, isPlayed }) {
    const { fitted } = this.#key;
    const at = isPlayed ? k - 1 : k;
    if (!fitted || !(next || isPlayed) || decoding || at < 0) return [];
    const parts = this.#items.filter(({ block }) => block.gone === at);
    const made = fitted.tower.blocks.filter(({ step }) => step === at);
    return made.map((block) => {
      const within = parts.filter((part) => part.block.start >= block.start && part.block.end <= block.end);
      const [upper, lower] = within.sort((one, other) => one.block.depth - other.block.depth);
      return { top: edgesOf(fitted, upper.block).top, bottom: edgesOf(fitted, block).bottom, node: lower.node };
    });
  }

  /** Box of a symbol, or of an equal one that is drawn. @param {import("../model/replay.js").Replay} replay @param {number} symbol */
  boxOf(replay, symbol) {
    const drawn = drawnSymbol(replay, symbol);
    const item = /** @type {Item} */ (this.#items.find(({ block }) => block.start === drawn)); // symbols come first
    return item.node.getBoundingClientRect();
  }

  /** Focus the block in the tab order, or that at an end of the text. @param {string} [key] */
  focus(key) {
    this.#walking.focus(key);
  }

  dispose() {
    this.#stop();
  }

  #stop() {
    for (const animation of this.#growing) animation.cancel();
    this.#growing = [];
  }

  /** Create the elements, in their places. @param {View} view @param {Fitted} fitted */
  #build(view, fitted) {
    const { replay, decoding } = view;
    const { columns, column, row, isCompact, placement } = fitted;
    const canvas = { ...fitted, lines: lineNodes(fitted) };
    const { blocks, characters, pretokens } = /** @type {Tower} */ (replay.tower);
    const end = decoding?.shown === "text" ? decoding.end : Infinity;
    pretokens.forEach((pretoken, i) => pretokenNodes(replay, canvas, pretoken, i));
    for (const character of characters) characterNodes(replay, canvas, character, end);
    for (const word of pretokens) if (word.count > 1) countNode(canvas, word);
    this.#items = blocks.map((block) => ({ block, node: blockNode(replay, canvas, block, writingIn(view), Boolean(decoding)), classes: "" }));
    const inCharacters = new Set(characters.flatMap((each) => Array.from({ length: each.end - each.start }, (_, i) => each.start + i)));
    for (const { block, node } of this.#items) if (block.step < 0) node.toggleAttribute("data-part", inCharacters.has(block.start));
    const { style } = this.node;
    style.setProperty("--column", `${column}px`);
    style.setProperty("--row", `${row}px`);
    style.width = `${column * placement.width}px`;
    style.height = `${row * placement.height}px`;
    this.node.dataset.columns = String(columns);
    this.node.classList.toggle("compact", isCompact);
    this.node.dir = firstDirection(replay.text) ?? "ltr";
    fill(this.node, ...canvas.lines);
  }

  /** Show the role of each block. @param {View} view */
  #paint({ replay, k, next, selected, selectedAt = k, decoding, isPlayed = false, picked = null }) {
    const step = Math.max(0, k);
    this.node.dataset.scene = decoding ? "decoding" : k >= 0 ? "symbols" : k === THE_PRETOKENS ? "pretokens" : "text";
    this.node.classList.toggle("above", !decoding || decoding.shown === "text");
    this.node.classList.toggle("numbers", decoding?.shown === "ids");
    this.node.classList.toggle("done", !decoding && k === replay.steps);
    const chosen = selected === null || decoding || k < 0 ? null : this.#tokenAt(drawnSymbol(replay, selected), selectedAt);
    const at = { picked, k: step, next: next && k >= 0, chosen, special: replay.meta.special, decoding };
    for (const item of this.#items) {
      const classes = classesOf(item.block, at);
      if (classes !== item.classes) item.node.className = item.classes = classes;
    }
    this.#walking.update(isPlayed);
  }

  /** Block of the token that contains a symbol after k steps. @param {number} symbol @param {number} k */
  #tokenAt(symbol, k) {
    const contains = (/** @type {Item} */ { block }) => block.start <= symbol && symbol < block.end && roleOf(block, k) === "now";
    return this.#items.find(contains)?.block ?? null;
  }

  /** @param {Element} target */
  blockOf(target) {
    const node = target.closest(".block");
    return this.#items.find((each) => each.node === node)?.block ?? null;
  }

  /** The block of a token, or of an equal one that is drawn. @param {import("../model/replay.js").Replay} replay @param {import("../model/replay.js").Token} token */
  nodeOf(replay, { start, end }) {
    const first = drawnSymbol(replay, start);
    return this.#items.find(({ block }) => block.start === first && block.end - first === end - start)?.node;
  }

  /** @param {Event} event */
  #handleClick(event) {
    const block = this.blockOf(/** @type {Element} */ (event.target));
    if (block) this.#onPick(block);
  }
}

/** Where a block is, in pixels from the tower's top. @param {Fitted} fitted @param {Block} block */
function edgesOf({ tower, placement, row }, { start, end, depth }) {
  const top = (spanOf(tower, placement, start, end).y + depth) * row;
  return { top, bottom: top + row };
}

/** Notation of the labels: before the merges there is only text. @param {View} view @returns {import("../model/names.js").Writing} */
const writingIn = ({ k, writing, decoding }) => decoding?.shown ?? (k < 0 ? "text" : writing);

/**
 * Classes of a block after k steps.
 *
 * @param {Block} block
 * @param {object} at
 * @param {number} at.k
 * @param {boolean} at.next true to mark the pair that joins next
 * @param {Block | null} at.chosen the selected token
 * @param {number | null} [at.picked] first symbol of the token that was picked to be joined
 * @param {number[]} at.special ids of special tokens
 * @param {import("../decode/unmerging.js").Decoding | null} [at.decoding] what is shown while decoding, whatever the step
 */
export function classesOf(block, { k, next, chosen, picked = null, special, decoding = null }) {
  const role = decoding ? unmergedRoleOf(block, decoding) : roleOf(block, k);
  const classes = ["block", role];
  if (role === "later") return classes.join(" ");
  if (block.step < 0) classes.push("symbol");
  if (role === "now") {
    classes.push(`tint-${block.tint}`);
    if (decoding ? block.under === decoding.row + 1 && decoding.shown === "ids" : block.step === k - 1 && k > 0) classes.push("new");
    if (block.start === picked) classes.push("picked");
    if (next && !decoding && block.gone === k) classes.push("next", block.isLeft ? "join-l" : "join-r");
  }
  if (special.includes(block.id)) classes.push("control");
  if (block === chosen) classes.push("on");
  else if (chosen && block.id === chosen.id) classes.push("same");
  return classes.join(" ");
}
