/**
 * Sentences that differ only in what they quote, said once: the table of differences has a heading for each, and what
 * stands for its gaps in each row.
 */

/** What a sentence quotes, with the number of a merge, if it is one. */
const QUOTED = /“[^”]*”(?: \(merge [\d,]+ of [\d,]+\))?/g;
const GAP = "“…”";

/** What sentences of the same kind have in common. @param {string} sentence */
export const frameOf = (sentence) => sentence.replace(QUOTED, GAP);

/**
 * Write sentences of one frame as one, with gaps for what differs among them.
 *
 * @param {string[]} sentences at least one
 * @returns {{sentence: string, fillings: string[][]}} for each sentence, what fills the gaps, in their order
 */
export function sayOnce(sentences) {
  const quoted = sentences.map((sentence) => sentence.match(QUOTED) ?? []);
  const isShared = (/** @type {number} */ gap) => quoted.every((each) => each[gap] === quoted[0][gap]);
  let gap = 0;
  const sentence = sentences[0].replace(QUOTED, (filling) => (isShared(gap++) ? filling : GAP));
  return { sentence, fillings: quoted.map((each) => each.filter((_, k) => !isShared(k))) };
}
