/**
 * The least scrolling that brings one of several places into sight.
 */

/** @typedef {{top: number, bottom: number}} Edges */
/** @typedef {Edges & {node: HTMLElement}} Place what stands there, whose edges may be counted from elsewhere than the node's */

/**
 * The place that is nearest, and how far to scroll down, or up if negative, so that it is in sight: 0 if it is already.
 * Of a place that is higher than the room, the lower end is shown.
 *
 * @template {Edges} P
 * @param {P[]} places at least one
 * @param {Edges} room
 */
export function nearestOf(places, { top, bottom }) {
  const found = places.map((place) => {
    if (place.bottom > bottom) return { place, by: place.bottom - bottom };
    return { place, by: place.top < top ? Math.max(place.top - top, place.bottom - bottom) : 0 };
  });
  return found.reduce((least, each) => (Math.abs(each.by) < Math.abs(least.by) ? each : least));
}
