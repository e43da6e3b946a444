/**
 * Drawing of a token's merge tree: the token on top, its two parts below it, down to single bytes, or to single
 * characters for an alphabet of characters.
 */

import { element, number } from "../shared/dom/elements.js";
import { svg } from "../shared/dom/svg.js";
import { withSigns } from "../shared/text/invisibles.js";

/** @typedef {{id: number, hex: string, text: string | null}} Spelled a token; `text` is null if its bytes are not text */
/** @typedef {Spelled & {rank: number | null, children: TreeNode[], more?: boolean}} TreeNode */
/** @typedef {{node: TreeNode, x: number, depth: number, width: number, children: Placed[]}} Placed */

const ROW = 62;
const BOX = 28;
const GAP = 6;
const CHARACTER = 9.1;

/**
 * Draw a merge tree. A large one scrolls in its box.
 *
 * @param {TreeNode} root
 * @returns {HTMLElement}
 */
export function drawTree(root) {
  const { placed, width, depth } = place(root);
  const height = (depth + 1) * ROW + 2;
  const size = { width, height, viewBox: `0 0 ${width} ${height}` };
  const drawing = svg("svg", { ...size, role: "img", "aria-label": sayTree(root) });
  drawLines(drawing, placed);
  drawBoxes(drawing, placed);
  // A scrollable box must be reachable by keyboard.
  return element("div", { class: "merge-tree", tabindex: 0, role: "group", "aria-label": "Merge tree" }, drawing);
}

/**
 * Scroll a drawn tree so that its root is centered. It must be in the document.
 *
 * @param {HTMLElement} box
 */
export function centerTree(box) {
  const top = /** @type {Element} */ (box.querySelector(".whole rect"));
  const [root, around] = [top, box].map((part) => part.getBoundingClientRect());
  box.scrollLeft += root.left + root.width / 2 - around.left - around.width / 2;
}

/**
 * Lay out a tree: leaves side by side, each parent above the middle of its parts.
 *
 * @param {TreeNode} root
 */
function place(root) {
  let right = GAP;
  let deepest = 0;
  const placeNode = (/** @type {TreeNode} */ node, /** @type {number} */ depth) => {
    deepest = Math.max(deepest, depth);
    const width = Math.max(26, labelOf(node).length * CHARACTER + 12);
    const left = right;
    /** @type {Placed[]} */
    const children = node.children.map((child) => placeNode(child, depth + 1));
    if (right < left + width) {
      // The parent is wider than all of its parts, so center them below it.
      const slack = left + width - (children.length ? right - GAP : left);
      for (const child of children) shift(child, slack / 2);
      right = left + width + GAP;
    }
    const x = children.length ? (children[0].x + children[children.length - 1].x) / 2 : left + width / 2;
    return { node, x: Math.max(x, left + width / 2), depth, width, children };
  };
  const placed = placeNode(root, 0);
  return { placed, width: Math.ceil(right), depth: deepest };
}

/**
 * @param {Placed} placed
 * @param {number} by
 */
function shift(placed, by) {
  placed.x += by;
  for (const child of placed.children) shift(child, by);
}

/**
 * @param {Element} drawing
 * @param {Placed} placed
 */
function drawLines(drawing, placed) {
  for (const child of placed.children) {
    const [y1, y2] = [placed.depth * ROW + BOX, child.depth * ROW + 1];
    drawing.append(svg("line", { x1: placed.x, y1, x2: child.x, y2 }));
    drawLines(drawing, child);
  }
}

/**
 * @param {Element} drawing
 * @param {Placed} placed
 */
function drawBoxes(drawing, { node, x, depth, width, children }) {
  const y = depth * ROW + 1;
  const group = svg(
    "g",
    depth === 0 ? { class: "whole" } : {},
    svg("rect", { x: x - width / 2, y, width, height: BOX, rx: 6 }),
    svg("text", { x, y: y + 19.5 }, labelOf(node)),
    svg("text", { x, y: y + BOX + 14, class: "rank" }, noteOf(node)),
  );
  drawing.append(group);
  for (const child of children) drawBoxes(drawing, child);
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
