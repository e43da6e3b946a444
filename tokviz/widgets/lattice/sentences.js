/**
 * Sentences about a lattice: why its best path is the best, and why a piece is not in it.
 */

import { hex } from "../shared/text/tokenization.js";
import { differencesOf, pathThrough, scoreText, timesLess, unknownOf } from "./model.js";

/** @typedef {import("./model.js").Lattice} Lattice */
/** @typedef {string | {pieces: number[]}} Part plain text, or pieces to be shown, written one + another */

/** Most differing stretches that are spelled out. */
const MAX_SPELLED = 1;
/** Most unknown characters that are named. */
const MAX_NAMED = 3;

/** Say why the best path is the best. @param {Lattice} lattice @returns {Part[]} */
export function whyBest(lattice) {
  const [best, second] = lattice.paths;
  if (!best?.pieces.length) return ["There is nothing to write as pieces."];
  const total = `The best way to write this text scores ${scoreText(best.score)}, the sum of its pieces' scores.`;
  const unknown = best.pieces.find((piece) => lattice.pieces[piece].kind === "unknown");
  const lost = unknown === undefined ? "" : ` ${sayUnknown(lattice)}, with a penalty as the score: ${scoreText(lattice.pieces[unknown].score)}.`;
  if (!second) return [total, lost, " There is no other way."];
  return [total, lost, " ", ...compare(lattice, second.pieces, "The next best has ")];
}

/** Say what becomes of the characters that are in no piece. @param {Lattice} lattice */
function sayUnknown(lattice) {
  const { bytes, unknown_token: token } = lattice.data;
  const characters = unknownOf(lattice);
  if (characters.length === 1) return `${characters[0]} is in no piece, so ${bytes ? `its bytes stand for it, ${hexOf(characters[0])}` : `${token} stands for it`}`;
  return `${namesOf(characters)} are in no piece, so ${bytes ? "their bytes stand for them" : `${token} stands for each`}`;
}

/** @param {string[]} characters */
function namesOf(characters) {
  const more = characters.length - MAX_NAMED;
  return more > 0 ? `${characters.slice(0, MAX_NAMED).join(", ")} and ${more} more` : characters.join(" and ");
}

/** Say how many ways there are. @param {Lattice} lattice */
export function sayWays(lattice) {
  const { ways, bytes, unknown_token: token } = lattice.data;
  const characters = unknownOf(lattice);
  const counting = characters.length ? `, counting ${bytes ? `the bytes of ${namesOf(characters)}` : `${token} for ${namesOf(characters)}`} as a piece` : "";
  return ways === "1" ? `There is only one way to write this text${counting}.` : `There are ${ways} ways to write this text as pieces${counting}.`;
}

/** Explain the blocks of the figure. @param {Lattice} lattice */
export function sayBlocks(lattice) {
  const { bytes, unknown_token: token } = lattice.data;
  const unknown = unknownOf(lattice).length
    ? ` A dashed block is a character that is in no piece: ${bytes ? "its bytes stand" : `${token} stands`} for it, and its score is a penalty, lower than that of any piece.`
    : "";
  return `Each block is a piece that fits, with its score: the logarithm of how likely it is.${unknown} The colored blocks are one way to write the text: the best one, until you choose another.`;
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
  const { bytes, unknown_token: token } = lattice.data;
  if (kind === "special") return [{ pieces: [piece] }, " is a special token: it is cut out before anything is scored."];
  if (kind === "unknown") begin.push(`, a penalty: ${bytes ? `${text} is in no piece, so its bytes stand for it` : `it is in no piece, so ${token} stands for it`}`);
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
export const hexOf = (text) => hex(new TextEncoder().encode(text));
