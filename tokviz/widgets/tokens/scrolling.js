/**
 * Two panes beside each other that scroll together.
 */

import { MOVES } from "../shared/dom/scrolling.js";

/**
 * Scroll each of two panes as far as the reader scrolls the other, as a share of what there is to scroll.
 *
 * A pane that scrolls without the reader, say to show the caret's token, takes the other nowhere.
 *
 * @param {HTMLElement} one
 * @param {HTMLElement} other
 * @param {() => boolean} areLinked whether they show the same text
 * @param {AbortSignal} signal
 * @returns {{lead: (pane: HTMLElement) => void, align: () => void}} `lead`: a pane is about to be scrolled for the reader;
 *   `align`: view, size or text have changed, and the other follows the pane that the reader scrolled last
 */
export function scrollTogether(one, other, areLinked, signal) {
  const listening = { signal, passive: true };
  /** The pane that the reader touched last. @type {HTMLElement | null} */
  let leader = null;
  const lead = (/** @type {HTMLElement} */ pane) => void (leader = pane);
  const align = () => {
    if (!leader || !areLinked()) return;
    const follower = leader === one ? other : one;
    follower.scrollTop = scrolledAlike(leader, follower);
  };
  for (const pane of [one, other]) {
    for (const move of MOVES) pane.addEventListener(move, () => lead(pane), listening);
    pane.addEventListener("scroll", () => leader === pane && align(), listening);
  }
  const resizing = new ResizeObserver(align);
  for (const pane of [one, other]) resizing.observe(pane);
  signal.addEventListener("abort", () => resizing.disconnect());
  return { lead, align };
}

/** Maximum difference of how far two panes with the same lines scroll, in pixels: that of what is beneath their last lines. */
const ALIKE = 48;

/**
 * Return where a pane has to be scrolled to for showing the same lines as another, or where lines are of other heights, the
 * same share.
 *
 * @param {Pick<HTMLElement, "scrollTop" | "scrollHeight" | "clientHeight">} leader
 * @param {Pick<HTMLElement, "scrollHeight" | "clientHeight">} follower
 */
export function scrolledAlike(leader, follower) {
  const [range, other] = [leader, follower].map(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight);
  if (Math.abs(range - other) <= ALIKE && leader.scrollTop < range - 1) return leader.scrollTop;
  return range > 0 ? (leader.scrollTop / range) * other : 0;
}
