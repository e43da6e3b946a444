/**
 * Why switches of the player are disabled, in a few words beside them and as their tooltips.
 */

/**
 * @typedef {object} State
 * @property {boolean} canDraw true if the text can be drawn as a tower
 * @property {boolean} isTower true if it is
 * @property {boolean} canUnmerge true if the tower is of the whole text
 * @property {number} most maximum symbols of a text that is asked about
 * @property {boolean} canPredict
 * @property {boolean} isSecret true while a class guesses
 */

/**
 * @param {State} state
 * @returns {{tower: string, decode: string, "be the tokenizer": string}} empty for what is enabled
 */
export function whyDisabled({ canDraw, isTower, canUnmerge, most, canPredict, isSecret }) {
  return {
    tower: canDraw ? "" : "for shorter texts and tokens",
    decode: isTower ? (canUnmerge ? (isSecret ? "after the last question" : "") : "not while equal words are drawn once") : "only with the tower",
    "be the tokenizer": canPredict ? "" : `for texts of up to ${most} symbols`,
  };
}

/** One line for all of them. @param {Record<string, string>} reasons */
export const lineOf = (reasons) =>
  Object.entries(reasons)
    .filter(([, reason]) => reason)
    .map(([name, reason]) => `${name}: ${reason}`)
    .join("; ");
