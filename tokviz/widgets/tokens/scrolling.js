/**
 * Two panes beside each other that scroll together.
 */

/**
 * Scroll each of two panes as far as the other is scrolled, as a share of what there is to scroll.
 *
 * @param {HTMLElement} one
 * @param {HTMLElement} other
 * @param {() => boolean} areLinked whether they show the same text
 * @param {AbortSignal} signal
 */
export function scrollTogether(one, other, areLinked, signal) {
  /** The pane that was scrolled here, whose next event is no one's wish. @type {HTMLElement | null} */
  let following = null;
  for (const [leader, follower] of [[one, other], [other, one]]) {
    const follow = () => {
      if (following === leader) return void (following = null);
      const place = scrolledAlike(leader, follower);
      if (!areLinked() || Math.abs(place - follower.scrollTop) < 1) return;
      following = follower;
      follower.scrollTop = place;
    };
    leader.addEventListener("scroll", follow, { signal, passive: true });
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
