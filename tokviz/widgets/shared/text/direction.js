/**
 * The direction in which a text is written.
 */

/** Direction of a text's first letter. @param {string} text @returns {"ltr" | "rtl"} */
export function directionOf(text) {
  const [letter] = text.match(/\p{L}/u) ?? [""];
  return /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/.test(letter) ? "rtl" : "ltr";
}
