/**
 * The least scrolling that brings one of several places into sight.
 */

/** @typedef {{top: number, bottom: number}} Edges */

/**
 * How far to scroll down, or up if negative, so that at least one place is in sight: 0 if one is already. Of a place
 * that is higher than the room, the lower end is shown.
 *
 * @param {Edges[]} places
 * @param {Edges} room
 */
export function leastScroll(places, { top, bottom }) {
  const distances = places.map((place) => {
    if (place.bottom > bottom) return place.bottom - bottom;
    return place.top < top ? Math.max(place.top - top, place.bottom - bottom) : 0;
  });
  return distances.reduce((least, each) => (Math.abs(each) < Math.abs(least) ? each : least), distances[0] ?? 0);
}
