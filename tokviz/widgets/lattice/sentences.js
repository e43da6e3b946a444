/**
 * Sentences about a lattice: why its best path is the best, and why a piece is not in it.
 */

import { differencesOf, pathThrough, scoreText, timesLess } from "./model.js";

/** @typedef {import("./model.js").Lattice} Lattice */
/** @typedef {string | {pieces: number[]}} Part plain text, or pieces to be shown, written one + another */

/** Most differing stretches that are spelled out. */
const MAX_SPELLED = 1;

/** Say why the best path is the best. @param {Lattice} lattice @returns {Part[]} */
export function whyBest(lattice) {
  const [best, second] = lattice.paths;
  if (!best?.pieces.length) return ["There is nothing to write as pieces."];
  const total = `The best way to write this text scores ${scoreText(best.score)}, the sum of its pieces' scores.`;
  if (!second) return [total, " There is no other way."];
  return [total, " ", ...compare(lattice, second.pieces, "The next best has ")];
}

/** Say how another path differs from the best one. @param {Lattice} lattice @param {number} number from 1 @returns {Part[]} */
export function whyNotPath(lattice, number) {
  return compare(lattice, lattice.paths[number].pieces, `Way ${number + 1} has `);
}

/** Say what a piece would cost, or that it is chosen. @param {Lattice} lattice @param {number} piece @returns {Part[]} */
export function whyPiece(lattice, piece) {
  const { kind, score, text } = lattice.pieces[piece];
  const [best] = lattice.paths;
  /** @type {Part[]} */
  const begin = [{ pieces: [piece] }, ` scores ${scoreText(score)}`];
  if (kind === "special") return [{ pieces: [piece] }, " is a special token: it is cut out before anything is scored."];
  if (kind === "unknown") begin.push(lattice.data.bytes ? `: no piece has it, so its bytes are written, ${hex(text)}` : ": no piece has it, so it is unknown");
  if (best.tints.has(piece)) return [...begin, ", and is in the best way."];
  return [...begin, ". ", ...compare(lattice, pathThrough(lattice, piece), "With it, the best way has ")];
}

/** @param {Lattice} lattice @param {number[]} other pieces @param {string} begin @returns {Part[]} */
function compare(lattice, other, begin) {
  const [best] = lattice.paths;
  const differences = differencesOf(lattice, best.pieces, other);
  const by = sum(lattice, best.pieces) - sum(lattice, other);
  const end = by < 0.005 ? "Both score the same; the first found is taken." : `That is ${scoreText(by)} lower, ${timesLess(by)}.`;
  const spelled = differences.slice(0, MAX_SPELLED).flatMap((difference) => [
    { pieces: difference.other },
    ` (${scoreText(sum(lattice, difference.other))}) instead of `,
    { pieces: difference.best },
    ` (${scoreText(sum(lattice, difference.best))})`,
  ]);
  const more = differences.length - MAX_SPELLED;
  return [begin, ...spelled, more > 0 ? `, and differs in ${more} more ${more === 1 ? "place" : "places"}. ${end}` : `. ${end}`];
}

/** @param {Lattice} lattice @param {number[]} pieces */
const sum = (lattice, pieces) => pieces.reduce((total, piece) => total + lattice.pieces[piece].score, 0);

/** The bytes of a text in hex. @param {string} text */
export const hex = (text) => Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, "0")).join(" ");
