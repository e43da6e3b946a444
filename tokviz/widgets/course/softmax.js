/**
 * Chances from scores, as at the end of a language model.
 */

/** @param {ArrayLike<number>} a @param {ArrayLike<number>} b */
export const dot = (a, b) => Array.from(a).reduce((sum, each, i) => sum + each * b[i], 0);

/** The score of each row for a vector, e to the power of each score, and the chance: its share of all of these. @param {number[][]} rows @param {number[]} vector */
export function chancesOf(rows, vector) {
  const scores = rows.map((row) => dot(row, vector));
  const powers = scores.map(Math.exp);
  const all = powers.reduce((sum, each) => sum + each, 0);
  return { scores, powers, chances: powers.map((power) => power / all) };
}
