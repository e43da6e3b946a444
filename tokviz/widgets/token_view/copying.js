/**
 * Copying from the colored text: the text itself, without the blocks and marks that are drawn around it.
 */

/** @typedef {import("./chunks.js").Chunks} Chunks */

/**
 * Put the selected text on the clipboard, unless the selection reaches outside.
 *
 * @param {Chunks} chunks
 * @param {ClipboardEvent} event
 */
export function copySelected(chunks, event) {
  const range = selectedRange(chunks.content);
  if (!range || range.collapsed || !event.clipboardData || !chunks.model) return;
  const from = offsetOf(chunks, range.startContainer, range.startOffset);
  const to = offsetOf(chunks, range.endContainer, range.endOffset);
  if (from === null || to === null) return;
  event.clipboardData.setData("text/plain", chunks.model.text.slice(from, to));
  event.preventDefault();
}

/** Whether the reader has selected text. @param {Node} node in the same document or shadow root */
export function hasSelectedText(node) {
  const range = selectedRange(node);
  return range !== null && !range.collapsed;
}

/**
 * Map a DOM position to an offset in the text; null if it is outside.
 *
 * @param {Chunks} chunks
 * @param {Node} node
 * @param {number} offset
 */
function offsetOf({ content }, node, offset) {
  if (!content.contains(node)) return null;
  const before = document.createRange();
  before.setStart(content, 0);
  before.setEnd(node, offset);
  return before.toString().length;
}

/**
 * Return the selected range, also inside a shadow root.
 *
 * @param {Node} node
 * @returns {StaticRange | Range | null}
 */
function selectedRange(node) {
  const selection = document.getSelection();
  if (!selection?.rangeCount) return null;
  const root = node.getRootNode();
  if (!(root instanceof ShadowRoot)) return selection.getRangeAt(0);
  if (selection.getComposedRanges) return selection.getComposedRanges({ shadowRoots: [root] })[0] ?? null;
  const own = /** @type {any} */ (root).getSelection?.() ?? selection;
  return own.rangeCount ? own.getRangeAt(0) : null;
}
