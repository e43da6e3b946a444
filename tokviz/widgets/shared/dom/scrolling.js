/**
 * Scroll positions.
 */

/** @param {Element} start @param {() => void} work after which ancestors of `start` scroll back */
export function keepingScroll(start, work) {
  /** @type {[Element, number][]} */
  const scrollTops = [];
  for (let node = parentOf(start); node; node = parentOf(node)) scrollTops.push([node, node.scrollTop]);
  work();
  for (const [node, top] of scrollTops) node.scrollTop = top;
}

/** @param {Element} node @returns {Element | null} the parent element, also out of a shadow root */
function parentOf(node) {
  const root = node.getRootNode();
  return node.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
}
