/**
 * The scale of merges from none to all: by powers of ten, with a place for none at its start, as in the chart of what
 * merges buy (`tokviz/charts/axes.py`).
 */

/** Place of 0 on a logarithmic axis. */
export const ZERO = 0.4;
/** Below this, a place on the scale means no merge at all. */
const LEAST = Math.sqrt(ZERO);

/** @param {number} k */
const logOf = (k) => Math.log10(Math.max(k, ZERO));

/** How far along the scale a number of merges is, from 0 to 1. @param {number} k @param {number} merges all of them */
export function placeOf(k, merges) {
  return merges ? (logOf(k) - logOf(0)) / (logOf(merges) - logOf(0)) : 0;
}

/** The number of merges at a place. @param {number} place from 0 to 1 @param {number} merges all of them */
export function mergesAt(place, merges) {
  if (place >= 1) return merges;
  const value = 10 ** (logOf(0) + Math.max(0, place) * (logOf(merges) - logOf(0)));
  return value < LEAST ? 0 : Math.min(merges, Math.max(1, Math.round(value)));
}
