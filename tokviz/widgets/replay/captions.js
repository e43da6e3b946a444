/**
 * Each step in one plain sentence, and the steps worth a jump.
 */

import { number, plural } from "../shared/elements.js";
import { scenesBefore } from "./model.js";
import { nameOf, sayingOf } from "./names.js";
import { hasOverlaps } from "./pairs.js";

/** @typedef {import("./model.js").Replay} Replay */
/** @typedef {{name: string, said: string, fresh?: boolean}} Chip a symbol in a sentence; `fresh`: the new one */
/** @typedef {string | Chip} Part */
/** @typedef {import("./names.js").Writing} Writing */

export const TIE_RULES = /** @type {Record<string, string>} */ ({
  "first-seen": "the one seen first in the text wins",
  "lowest-ids": "the one with the lowest ids wins",
  "greatest-bytes": "the one whose bytes come last in the order of bytes wins",
});

const SYMBOLS = /** @type {Record<string, string>} */ ({ bytes: "byte", characters: "character" });

/**
 * What is to be said at position k: of a scene before the merges, of the merge that comes next, or of the end.
 *
 * @param {Replay} replay
 * @param {number} k
 * @param {Writing} writing
 * @returns {Part[]}
 */
export function captionAt(replay, k, writing) {
  if (!replay.n) return ["There is no text yet."];
  if (k < 0) return sceneCaption(replay, k);
  const begin = k === 0 ? [`${symbolsSentence(replay)} `] : [];
  if (k === replay.steps) return [...begin, ...endCaption(replay)];
  const chip = (/** @type {number} */ id) => ({
    name: nameOf(replay, id, writing),
    said: sayingOf(replay, id, writing),
  });
  const chips = {
    left: chip(replay.lefts[k]),
    right: chip(replay.rights[k]),
    joined: { ...chip(replay.newIds[k]), fresh: true },
  };
  return [...begin, ...(replay.counts ? learnCaption(replay, k, chips) : applyCaption(replay, k, chips))];
}

/** @param {Part[]} parts the sentence as it is said aloud */
export const spokenOf = (parts) => parts.map((part) => (typeof part === "string" ? part : part.said)).join("");

/** The branch of a special token, which no pattern cuts out. */
const NO_BRANCH = 255;

/** What no pattern cuts out: special tokens, or others that were added. @param {Replay} replay */
const cutOut = ({ meta }) => (meta.added?.length && !meta.special?.length ? "added token" : "special token");

/** What a symbol is before the first merge. @param {Replay} replay */
function symbolsSentence(replay) {
  const { meta, branches, symbols, pieceOf, bytes } = replay;
  const isTakenWhole = (/** @type {number} */ id, /** @type {number} */ i) =>
    meta.units === "bytes" && branches[pieceOf[i]] !== NO_BRANCH && /** @type {Uint8Array} */ (bytes.get(id)).length > 1;
  const others = [
    branches.includes(NO_BRANCH) ? `each ${cutOut(replay)}` : "",
    symbols.some(isTakenWhole) ? "each pre-token that is taken whole" : "",
    meta.end_of_word === null ? "" : "each end of a word",
  ].filter(Boolean);
  return `Each ${SYMBOLS[meta.units]} is a symbol now${others.length ? `, and so is ${others.join(", and ")}` : ""}.`;
}

/** @param {Replay} replay @param {number} k @returns {Part[]} */
function sceneCaption(replay, k) {
  const { meta, text, data, branches } = replay;
  const characters = Array.from(new Intl.Segmenter("en", { granularity: "grapheme" }).segment(text)).length;
  const are = characters === 1 ? "is" : "are";
  if (k < -1) {
    const begin = meta.rewriting?.length ? `This tokenizer first ${meta.rewriting.join(" and ")}. Then the text is` : "This is the text:";
    return [`${begin} ${plural(characters, "character")}, which ${are} ${plural(data.length, "byte")} in UTF-8.`];
  }
  if (branches.length === 1 && branches[0] === NO_BRANCH)
    return [`This text is one ${cutOut(replay)}: it is found before the text is cut, and no merge touches it.`];
  if (!meta.split) return ["This tokenizer doesn't cut the text first: merges may go anywhere."];
  if (branches.length === 1) return ["The split pattern leaves this text in one piece, called a pre-token."];
  return [`First the text is cut into ${plural(branches.length, "piece")}, called pre-tokens. No merge crosses a cut.`];
}

/** @typedef {{left: Chip, right: Chip, joined: Chip}} Chips */

/** @param {Replay} replay @param {number} k @param {Chips} chips @returns {Part[]} */
function learnCaption({ counts, tied, places, newIds }, k, { left, right, joined }) {
  const count = /** @type {Int32Array} */ (counts)[k];
  const ties = /** @type {Int32Array} */ (tied)[k];
  const others = ties
    ? `; ${ties === 1 ? "one other pair does" : `${number(ties)} other pairs do`} so as often, no pair more often. `
    : "; no pair does so more often. ";
  const together =
    left.name === right.name
      ? ["Two ", left, " stand side by side ", plural(count, "time"), others]
      : [left, " and ", right, " stand together ", plural(count, "time"), others];
  const overlaps = count > places[k] ? ` Because some overlap, ${plural(places[k], "place")} can be joined.` : "";
  return [...together, "They become ", joined, `, token ${newIds[k]}.${overlaps}`];
}

/** @param {Replay} replay @param {number} k @param {Chips} chips @returns {Part[]} */
function applyCaption(replay, k, { left, right, joined }) {
  const { ranks, places, newIds, meta } = replay;
  const where = meta.order === "pretoken" ? "Of the pairs in this pre-token" : "Of all pairs here";
  const inPlaces = places[k] === 1 ? "" : `, in ${number(places[k])} places`;
  return [
    ...[
      `${where}, `,
      left,
      " + ",
      right,
      ` was learned first: merge ${number(ranks[k] + 1)} of ${number(meta.merges)}. `,
    ],
    ...["They become ", joined, `, token ${newIds[k]}${inPlaces}.`],
    hasOverlaps(replay, k) ? " Where pairs overlap, they are joined from the left." : "",
  ];
}

/** @param {Replay} replay @returns {Part[]} */
function endCaption({ meta, steps, tokenCounts }) {
  const left = plural(tokenCounts[steps], "token");
  if (meta.story === "apply")
    return [`No pair that is left has a merge. ${left}: this is how the model gets the text.`];
  const learned = plural(steps, "merge");
  if (meta.stopped === "size") return [`The ${learned} asked for ${steps === 1 ? "is" : "are"} learned. ${left} left.`];
  return [`No pair stands together twice any more, so learning stops after ${learned}. ${left} left.`];
}

/** For fast playing: where things are, in few words. @param {Replay} replay @param {number} k */
export function summaryAt(replay, k) {
  const { steps, tokenCounts } = replay;
  return `Step ${number(Math.max(0, k))} of ${number(steps)}: ${plural(tokenCounts[Math.max(0, k)], "token")}.`;
}

/** @typedef {{k: number, label: string}} Notable */

const MOST_PRETOKENS = 30;

/**
 * The steps worth a jump.
 *
 * @param {Replay} replay
 * @returns {Notable[]} in their order
 */
export function notableSteps(replay) {
  const { steps, meta } = replay;
  const found = /** @type {Notable[]} */ ([]);
  for (let k = -scenesBefore(replay); k < 0; k++) found.push({ k, label: k < -1 ? "the text" : "the pre-tokens" });
  found.push({ k: 0, label: meta.units === "characters" ? "characters" : "bytes" });
  found.push(...(meta.order === "pretoken" ? beginnings(replay) : firsts(replay)));
  if (steps) found.push({ k: steps, label: "the end" });
  return found;
}

/** Where a pre-token's merges begin. @param {Replay} replay */
function beginnings(replay) {
  const { steps, boundaries, boundaryOffsets, pieceOf } = replay;
  const found = /** @type {Notable[]} */ ([]);
  let last = -1;
  for (let k = 0; k < steps && found.length < MOST_PRETOKENS; k++) {
    const piece = pieceOf[boundaries[boundaryOffsets[k]]];
    if (piece !== last && k > 0) found.push({ k, label: `pre-token ${number(piece + 1)}` });
    last = piece;
  }
  return found;
}

/** The first tokens that are so long, and the first whole pre-token. @param {Replay} replay */
function firsts(replay) {
  const { steps, newIds, bytes, n, tokenCounts } = replay;
  const found = /** @type {Map<number, string>} */ (new Map());
  let longest = 2;
  let halved = false;
  for (let k = 0; k < steps; k++) {
    const length = bytes.get(newIds[k])?.length ?? 0;
    if (length > longest) {
      while (longest * 2 <= length) longest *= 2;
      found.set(k + 1, `${nameOf(replay, newIds[k])}, ${length} bytes long`);
      longest = Math.max(longest, length);
    }
    if (!halved && tokenCounts[k + 1] * 2 <= n) {
      halved = true;
      found.set(k + 1, "half the symbols left");
    }
  }
  const whole = firstWhole(replay);
  if (whole) found.set(whole.k, whole.label);
  const notable = [...found].map(([k, label]) => ({ k, label })).filter(({ k }) => k < steps);
  return notable.sort((one, other) => one.k - other.k);
}

/** The first step that leaves a pre-token of three symbols or more in one piece. @param {Replay} replay */
function firstWhole(replay) {
  const { removedAt, pieceStarts, steps, newIds } = replay;
  let first = steps;
  for (let piece = 0; piece + 1 < pieceStarts.length; piece++) {
    const [from, to] = [pieceStarts[piece], pieceStarts[piece + 1]];
    if (to - from < 3) continue;
    let last = 0;
    for (let i = from + 1; i < to; i++) last = Math.max(last, removedAt[i]);
    first = Math.min(first, last);
  }
  return first < steps ? { k: first + 1, label: `first whole pre-token, ${nameOf(replay, newIds[first])}` } : null;
}
