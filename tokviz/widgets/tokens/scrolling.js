/**
 * Two panes beside each other that scroll together.
 */

/** What readers do to a pane before it scrolls at their wish: turn a wheel, touch, drag the bar, press a key. */
const WISHES = ["wheel", "touchstart", "pointerdown", "keydown"];

/**
 * Scroll each of two panes as far as the reader scrolls the other, as a share of what there is to scroll.
 *
 * A pane that scrolls without the reader, say to show the caret's token, takes the other nowhere.
 *
 * @param {HTMLElement} one
 * @param {HTMLElement} other
 * @param {() => boolean} areLinked whether they show the same text
 * @param {AbortSignal} signal
 */
export function scrollTogether(one, other, areLinked, signal) {
  const listening = { signal, passive: true };
  /** The pane that the reader touched last. @type {HTMLElement | null} */
  let leader = null;
  for (const [pane, follower] of [[one, other], [other, one]]) {
    for (const wish of WISHES) pane.addEventListener(wish, () => (leader = pane), listening);
    const follow = () => {
      if (leader === pane && areLinked()) follower.scrollTop = scrolledAlike(pane, follower);
    };
    pane.addEventListener("scroll", follow, listening);
  }
}

/**
 * Return where a pane has to be scrolled to for showing the same share as another.
 *
 * @param {Pick<HTMLElement, "scrollTop" | "scrollHeight" | "clientHeight">} leader
 * @param {Pick<HTMLElement, "scrollHeight" | "clientHeight">} follower
 */
export function scrolledAlike(leader, follower) {
  const range = leader.scrollHeight - leader.clientHeight;
  return range > 0 ? (leader.scrollTop / range) * (follower.scrollHeight - follower.clientHeight) : 0;
}
