/**
 * Drawing of a token's merge tree: the token on top, its two parts below it, down to single bytes, or to single
 * characters for an alphabet of characters. Each is a block as wide as its symbols, so that no line need lead to it.
 */

import { element, number } from "../shared/dom/elements.js";
import { withSigns } from "../shared/text/invisibles.js";

/** @typedef {{id: number, hex: string, text: string | null}} Spelled a token; `text` is null if its bytes are not text */
/** @typedef {Spelled & {rank: number | null, children: TreeNode[], more?: boolean}} TreeNode */

/**
 * Draw a merge tree. A large one scrolls in its box.
 *
 * @param {TreeNode} root
 * @returns {HTMLElement}
 */
export function drawTree(root) {
  const drawing = element("div", { class: "blocks", role: "img", "aria-label": sayTree(root) });
  drawBlocks(drawing, root, 1, 1);
  // A scrollable box must be reachable by keyboard.
  return element("div", { class: "merge-tree", tabindex: 0, role: "group", "aria-label": "Merge tree" }, drawing);
}

/**
 * @param {Element} drawing
 * @param {TreeNode} node
 * @param {number} row
 * @param {number} column of its first symbol
 * @returns {number} the column after its last symbol
 */
function drawBlocks(drawing, node, row, column) {
  const block = element("span", {}, element("bdi", {}, labelOf(node)), element("small", {}, noteOf(node)));
  drawing.append(block);
  const parts = node.children.reduce((at, child) => drawBlocks(drawing, child, row + 1, at), column);
  const end = Math.max(column + 1, parts);
  block.style.gridArea = `${row} / ${column} / auto / ${end}`;
  return end;
}

/** A token's text, or its bytes if they are no text; an end-of-word mark is named. @param {Spelled} node */
export function labelOf(node) {
  if (node.text === "") return "end of word";
  return node.text === null ? node.hex : withSigns(node.text);
}

/** @param {TreeNode} node */
function noteOf(node) {
  if (node.more) return "… more";
  return node.rank === null ? "" : number(node.rank + 1);
}

/**
 * @param {TreeNode} node
 * @returns {string}
 */
function sayTree(node) {
  if (!node.children.length) return sayLeaf(node);
  return `${labelOf(node)} = ${node.children.map(labelOf).join(" + ")}`;
}

/** Special tokens and end-of-word marks are neither a byte nor a character. @param {TreeNode} leaf */
function sayLeaf(leaf) {
  if (leaf.hex.length === 2) return `${labelOf(leaf)}: a single byte`;
  const isCharacter = leaf.hex !== "" && Array.from(leaf.text ?? "").length === 1;
  return isCharacter ? `${labelOf(leaf)}: a single character` : labelOf(leaf);
}
