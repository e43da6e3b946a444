/**
 * How a text is shown by its size: in large type if it is short, and from a number of lines on with ids beneath one line
 * only. Typing changes neither.
 */

/** Characters that a row of large type has room for, about. */
const COLUMNS = 34;
/** Maximum rows of large type of a short text, and of any text whose lines all have ids. */
const [SHORT, FEW] = [6, 12];
/** Length of a text that surely has more rows, in UTF-16 units. */
const LONG = COLUMNS * FEW * 4;

/** @typedef {{type: "short" | "long", ids: "all" | "line"}} TextSize `ids`: beneath all lines, or beneath one */

/** @param {string} text @returns {TextSize} */
export function sizeOf(text) {
  const rows = text.length > LONG ? Infinity : rowsOf(text);
  return { type: rows > SHORT ? "long" : "short", ids: rows > FEW ? "line" : "all" };
}

/** @param {string} text */
const rowsOf = (text) => text.replace(/\n$/, "").split("\n").reduce((rows, line) => rows + Math.max(1, Math.ceil(Array.from(line).length / COLUMNS)), 0);
