/**
 * Elements of a tower: its blocks, the characters above the symbols, and the counts of words.
 */

import { element, number as count } from "../../shared/dom/elements.js";
import { sayingOf } from "../model/names.js";
import { LABEL_SHARE } from "./fitting.js";
import { idSize, labelOf, sizeOf } from "./labels.js";
import { spanOf, spansOf } from "./placement.js";

/** @typedef {import("../model/replay.js").Replay} Replay */
/** @typedef {import("./fitting.js").Fitted} Fitted */
/** @typedef {Fitted & {lines: HTMLElement[]}} Canvas a tower's sizes, and the elements of its lines, which get the others */

/** What decoders give for bytes that are no character. */
const BROKEN = "\ufffd";
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Largest heights of text, in rows, as in `tokviz/widgets/tower_svg.py`: where a block has the number of its merge, where
 * it has none, as a symbol, and where there is no room for these numbers.
 */
const MERGED = { label: 0.42, hex: 0.33, merge: 0.25, id: 0.3, count: 0.36 };
const SYMBOL = { ...MERGED, label: 0.5, hex: 0.42 };
const COMPACT = { label: 0.67, hex: 0.55, merge: 0, id: 0.45, count: 0.5 };
/** On a projector, with these numbers and without. */
const PROJECTED = { label: LABEL_SHARE, hex: LABEL_SHARE, merge: 0.26, id: 0.4, count: 0.5 };
const PROJECTED_COMPACT = { label: 0.8, hex: 0.7, merge: 0, id: 0.6, count: 0.6 };
/** Smallest size of letters beside an id, in pixels. */
const LEAST_ABREAST = 11;
/** Height of the row of characters above the symbols, and of a character. */
const [CHARACTER_ROW, CHARACTER] = [0.75, 0.7];
/** Room around a line for outlines, in pixels, as in tower.css. */
const MARGIN = 5;

/**
 * An element for each line of a tower. The browser draws those that are in sight.
 *
 * @param {Fitted} fitted
 * @returns {HTMLElement[]}
 */
export function lineNodes({ placement, row }) {
  return placement.tops.map((top, i) => {
    const node = element("div", { class: "line" });
    const end = placement.tops[i + 1] ?? placement.height;
    node.style.top = px((top - CHARACTER_ROW) * row - MARGIN);
    node.style.height = px((end - top + CHARACTER_ROW) * row + MARGIN);
    return node;
  });
}

/**
 * Largest height of a kind of text in pixels; on a projector, all have at least the least one.
 *
 * @param {Fitted} fitted
 * @param {keyof typeof MERGED} kind
 * @param {boolean} [isSymbol]
 */
function heightOf({ row, column, smallest, isCompact, isProjected }, kind, isSymbol = false) {
  const onScreen = isCompact ? COMPACT : isSymbol ? SYMBOL : MERGED;
  const shares = isProjected ? (isCompact ? PROJECTED_COMPACT : PROJECTED) : onScreen;
  return Math.max(shares[kind] * row, smallest * column);
}

/**
 * A block: its label, under it the number of its merge, or while decoding its letters under its id, or beside it in a low
 * block; and at the end its id.
 *
 * @param {Replay} replay
 * @param {Canvas} fitted
 * @param {import("./tower.js").Block} block
 * @param {import("../model/names.js").Writing} writing
 * @param {boolean} isDecoding
 */
export function blockNode(replay, fitted, block, writing, isDecoding) {
  const { placement, column, isCompact } = fitted;
  const isSymbol = block.step < 0;
  const { x, y, width } = spanOf(fitted.tower, placement, block.start, block.end);
  const { text, hasHex, size } = labelOf(replay, block, writing, width, fitted);
  const label = element("bdi", { class: "label" }, text);
  const number = isSymbol ? "" : count(replay.ranks[block.step] + 1);
  const letters = isDecoding && writing === "ids" ? labelOf(replay, block, "text", width, fitted).text : "";
  const abreast = column * sizeOf(`${text} ${letters} `, width); // with room at its sides
  const isAbreast = isCompact && letters !== "" && abreast >= LEAST_ABREAST;
  const beneath = isAbreast ? letters : isCompact ? "" : isDecoding ? letters : number;
  label.style.fontSize = px(Math.min(isAbreast ? abreast : column * size, heightOf(fitted, hasHex ? "hex" : "label", isSymbol && !beneath)));
  const small = beneath ? element("small", {}, beneath) : null;
  if (small) small.style.fontSize = isAbreast ? "1em" : px(Math.min(isDecoding ? column * sizeOf(beneath, width) : Infinity, heightOf(fitted, "merge")));
  if (isAbreast) label.append(" ", small ?? "");
  const id = block.gone < Infinity ? null : element("b", {}, String(block.id));
  if (id) id.style.fontSize = px(Math.min(column * idSize(block.id, width), heightOf(fitted, "id")));
  const says = `${sayingOf(replay, block.id, writing)}${isSymbol ? "" : `, merge ${number}`}`;
  const properties = { role: "button", tabindex: -1, "aria-label": says, "data-at": block.start, "data-id": block.id };
  return put(element("div", properties, label, isAbreast ? null : small, id), fitted, { x, y: y + block.depth, width });
}

/**
 * A character above its symbols, and again in each line where they go on. Of one whose last bytes are missing, what
 * programs show instead.
 *
 * @param {Replay} replay
 * @param {Canvas} fitted
 * @param {{start: number, end: number}} character
 * @param {number} last symbols from here on are missing
 */
export function characterNodes({ data, byteOffsets }, fitted, { start, end }, last) {
  const to = Math.min(end, last);
  if (start >= to) return [];
  const text = decoder.decode(data.subarray(byteOffsets[start], byteOffsets[to]));
  const shown = /^\p{M}/u.test(text) ? `◌${text}` : text; // a mark that was cut off its letter
  const name = text.includes(BROKEN) ? "character broken" : "character";
  return spansOf(fitted.tower, fitted.placement, start, to).map((span, i) => {
    const node = element("div", { class: name, "aria-hidden": "true" }, element("bdi", {}, i ? `…${shown}` : shown));
    const [size, letter] = [heightOf(fitted, "label"), Math.min(fitted.column * fitted.largest, heightOf(fitted, "label", true))];
    node.style.fontSize = px(size);
    node.style.setProperty("--as-letter", (letter / size).toFixed(3));
    return put(node, fitted, { ...span, y: span.y - CHARACTER_ROW }, CHARACTER);
  });
}

/** A pre-token behind its symbols, with the branch of the pattern that matched it as a tooltip. */
export function pretokenNodes(
  /** @type {Replay} */ { pieceOf, branches, meta },
  /** @type {Canvas} */ fitted,
  /** @type {{start: number, end: number}} */ { start, end },
  /** @type {number} */ number,
) {
  const title = meta.split ? meta.branches[branches[pieceOf[start]]] : null;
  return spansOf(fitted.tower, fitted.placement, start, end).map((span) => {
    const node = element("div", { class: `pretoken tint-${number % 4}`, title, "aria-hidden": "true" });
    return put(node, fitted, span);
  });
}

/** How often a word is in the text, after its last symbol. @param {Canvas} fitted */
export function countNode(fitted, /** @type {{end: number, count: number}} */ { end, count: times }) {
  const { x, y, width } = spanOf(fitted.tower, fitted.placement, end - 1, end);
  const node = element("div", { class: "count" }, element("span", { class: "text" }, `×${count(times)}`));
  node.style.fontSize = px(heightOf(fitted, "count"));
  return put(node, fitted, { x: x + width, y, width: 1 });
}

/**
 * Put an element into its place in its line, in columns and rows.
 *
 * @param {HTMLElement} node
 * @param {Canvas} canvas
 * @param {import("./placement.js").Span} span
 * @param {number} [height] in rows
 */
function put(node, { column, row, lines, placement }, { x, y, width }, height = 1) {
  const line = placement.tops.findLastIndex((top) => top - CHARACTER_ROW <= y + ROUNDING);
  const [insetInlineStart, top] = [px(x * column + MARGIN), px((y - placement.tops[line] + CHARACTER_ROW) * row + MARGIN)];
  Object.assign(node.style, { insetInlineStart, top, width: px(width * column), height: px(height * row) });
  lines[line].append(node);
  return node;
}

/** Of a sum of heights, in rows. */
const ROUNDING = 1e-6;

/** @param {number} value */
const px = (value) => `${value.toFixed(2)}px`;
