/**
 * Scroll positions.
 */

/** Events before a page or a pane scrolls at its reader's wish: a wheel turns, a bar is dragged, a key is pressed. */
export const MOVES = ["wheel", "touchstart", "pointerdown", "keydown"];

/**
 * Scroll to a place, and again whenever a part changes its size, until the reader moves the page.
 *
 * @param {Iterable<Element>} parts @param {() => void} scroll @param {AbortSignal} signal
 */
export function stayThere(parts, scroll, signal) {
  const resizing = new ResizeObserver(scroll);
  for (const part of parts) resizing.observe(part);
  const stop = () => resizing.disconnect();
  for (const move of MOVES) window.addEventListener(move, stop, { signal, capture: true, passive: true });
  signal.addEventListener("abort", stop);
  scroll();
}

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
