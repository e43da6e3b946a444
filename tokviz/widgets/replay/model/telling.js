/**
 * The step that shows what merging is: a merge of what merges have made.
 */

/** @typedef {Pick<import("./replay.js").Replay, "steps" | "lefts" | "rights" | "newIds">} Merges */

/**
 * Return the position before a merge whose parts were both made by merges, the nearest to the middle; or else before
 * one of which one part was made; or else the middle.
 *
 * @param {Merges} replay
 */
export function tellingStep({ steps, lefts, rights, newIds }) {
  const middle = Math.floor(steps / 2);
  const made = new Set();
  let [best, most] = [middle, 0];
  for (let k = 0; k < steps; k++) {
    const parts = Number(made.has(lefts[k])) + Number(made.has(rights[k]));
    const isNearer = Math.abs(k - middle) < Math.abs(best - middle);
    if (parts > most || (parts === most && parts && isNearer)) [best, most] = [k, parts];
    made.add(newIds[k]);
  }
  return best;
}
