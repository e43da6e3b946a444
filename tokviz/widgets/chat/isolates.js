/**
 * The direction of a prompt's lines: as what is said in them runs, not as the template's words around it do.
 */

import { firstDirection, hasRightToLeft } from "../shared/text/direction.js";

/** @typedef {import("../shared/text/direction.js").Isolate} Isolate */
/** @typedef {{to: number, isSaid: boolean}} Part a part of a text up to an offset; whether somebody said it, or a template wrote it */

/**
 * Find what is ordered by itself. A line runs as the first words in it do. What a template writes there runs from left to
 * right, and so do words of other messages if they are of another direction.
 *
 * @param {string} text
 * @param {Part[]} parts that cover it, in order
 * @returns {import("../shared/text/direction.js").Isolates | null} null for a text without letters that run from right to left
 */
export function isolate(text, parts) {
  if (!hasRightToLeft(text)) return null;
  /** @type {Isolate[]} */
  const inside = [];
  /** @type {string | null} */
  let line = null;
  let at = 0;
  for (const { to, isSaid } of parts) {
    for (const [k, piece] of text.slice(at, to).split("\n").entries()) {
      if (k) [at, line] = [at + 1, null];
      const dir = isSaid ? firstDirection(piece) : "ltr";
      const isOther = isSaid ? line !== null && dir !== null && dir !== line : piece !== "";
      if (isOther && dir) inside.push({ from: at, to: at + piece.length, dir });
      if (isSaid) line ??= dir;
      at += piece.length;
    }
  }
  return { inside, outside: withoutIsolates(text, inside) };
}

/** @param {string} text @param {Isolate[]} inside */
function withoutIsolates(text, inside) {
  let [at, outside] = [0, ""];
  for (const { from, to } of inside) {
    outside += text.slice(at, from) + " ".repeat(to - from);
    at = to;
  }
  return outside + text.slice(at);
}
