/**
 * A caption for each step, in one plain sentence, the figures beside it, and the list of notable steps.
 */

import { listed, number, plural } from "../../shared/dom/elements.js";
import { withSigns } from "../../shared/text/invisibles.js";
import { sayText } from "../../shared/text/speak.js";
import { boundariesOf, cutOutKind, firstPosition, idAt, isCutOut, isTakenWhole, madeIn, partName, THE_TEXT } from "../model/replay.js";
import { nameOf, sayingOf } from "../model/names.js";
import { hasOverlaps } from "../model/pairs.js";

/** @typedef {import("../model/replay.js").Replay} Replay */
/**
 * @typedef {object} Chip a symbol or a token in a sentence
 * @property {string} name
 * @property {string} said
 * @property {number} [tinted] first symbol of the token on the stage whose tint it has; none for a symbol
 */
/** @typedef {{figure: string}} Figure a number that decides */
/** @typedef {string | Figure | Chip} Part */
/** @typedef {import("../model/names.js").Writing} Writing */

export const TIE_RULES = /** @type {Record<string, string>} */ ({
  "first-seen": "the one seen first in the text wins",
  "lowest-ids": "the one with the lowest ids wins",
  "greatest-bytes": "the one whose bytes come last in the order of bytes wins",
});

const SYMBOLS = /** @type {Record<string, string>} */ ({ bytes: "byte", characters: "character" });

/** Maximum characters without a piece that a caption names. */
const MAX_NAMED = 3;

/**
 * Caption at position k: of a scene before the merges, of the next merge, or of the end.
 *
 * @param {Replay} replay
 * @param {number} k
 * @param {Writing} writing
 * @returns {Part[]}
 */
export function captionAt(replay, k, writing) {
  if (!replay.n) return ["There is no text yet: type one, or choose one."];
  if (k < 0) return sceneCaption(replay, k);
  const begin = k === 0 ? [...symbolsSentence(replay), " "] : [];
  if (k === replay.steps) return [...begin, ...endCaption(replay)];
  const [first] = boundariesOf(replay, k);
  const chips = {
    left: chipOf(replay, replay.joinedTo[first], k, writing),
    right: chipOf(replay, first, k, writing),
    joined: chipOf(replay, replay.joinedTo[first], k + 1, writing),
  };
  return [...begin, ...(replay.counts ? learnCaption(replay, k, chips) : applyCaption(replay, k, chips))];
}

/**
 * The token that begins with a symbol after k steps.
 *
 * @param {Replay} replay @param {number} start @param {number} k @param {Writing} writing
 * @returns {Chip}
 */
export function chipOf(replay, start, k, writing) {
  const id = idAt(replay, start, k);
  const chip = { name: nameOf(replay, id, writing), said: sayingOf(replay, id, writing) };
  return madeIn(replay, start, k) < 0 ? chip : { ...chip, tinted: start };
}

/** A part in plain text. @param {Part} part @returns {string} */
const sayPart = (part) => (typeof part === "string" ? part : "figure" in part ? part.figure : part.said);

/** Caption for screen readers. @param {Part[]} parts */
export const spokenOf = (parts) => parts.map(sayPart).join("");

/** Sentence that says what the symbols are before the first merge. @param {Replay} replay @returns {Part[]} */
function symbolsSentence(replay) {
  const { meta, symbols } = replay;
  const kindOf = (/** @type {number} */ i) => {
    if (isCutOut(replay, i)) return cutOutKind(replay, i);
    return isTakenWhole(replay, i) ? "pre-token that is taken whole" : SYMBOLS[meta.units];
  };
  const present = new Set(Array.from(symbols, (_, i) => kindOf(i)));
  const inOrder = [SYMBOLS[meta.units], "special token", "added token", "pre-token that is taken whole"];
  const [first, ...others] = inOrder.filter((kind) => present.has(kind));
  if (meta.end_of_word !== null) others.push("end of a word");
  const also = others.map((kind, i) => `${i ? ", and" : ", and so is"} each ${kind}`).join("");
  return [`Each ${first} is a symbol now${also}`, ...bytesClause(charactersInBytes(replay)), "."];
}

/**
 * The different characters that have no piece, so that a symbol stands for each of their bytes, in the text's order.
 *
 * @param {Pick<Replay, "meta" | "symbols" | "byteOffsets" | "data">} replay
 */
export function charactersInBytes({ meta, symbols, byteOffsets, data }) {
  if (!meta.byte_ids?.length) return [];
  const byteIds = new Set(/** @type {number[]} */ (meta.byte_ids));
  const found = /** @type {Set<string>} */ (new Set());
  for (let i = 0; i < symbols.length; i++) {
    const start = i;
    while (i < symbols.length && byteIds.has(symbols[i])) i++;
    const run = data.subarray(byteOffsets[start], byteOffsets[i]);
    for (const character of new TextDecoder("utf-8", { ignoreBOM: true }).decode(run)) found.add(character);
  }
  return [...found];
}

/** Say that characters are bytes. @param {string[]} characters @returns {Part[]} */
function bytesClause(characters) {
  if (!characters.length) return [];
  const chips = characters.slice(0, MAX_NAMED).map((character) => ({ name: withSigns(character), said: sayText(character) }));
  if (characters.length === 1) {
    const { length } = new TextEncoder().encode(characters[0]);
    return ["; ", ...chips, ` has no piece, so it is ${plural(length, "byte")}`];
  }
  const more = characters.length - chips.length;
  const named = chips.flatMap((chip, i) => [i === 0 ? "" : i === chips.length - 1 && !more ? " and " : ", ", chip]);
  return ["; ", ...named, more ? ` and ${number(more)} more have no piece, so they are bytes` : " have no piece, so they are bytes"];
}

/** @param {Replay} replay @param {number} k @returns {Part[]} */
function sceneCaption(replay, k) {
  const { meta, text, data, branches, symbols } = replay;
  if (k === THE_TEXT) {
    const characters = meta.size?.[0] ?? Array.from(new Intl.Segmenter("en", { granularity: "grapheme" }).segment(text)).length;
    const are = characters === 1 ? "is" : "are";
    const rewriting = meta.rewriting?.length ? `This tokenizer first ${listed(meta.rewriting)}. ` : "";
    const begin = rewriting ? `${rewriting}Then the text is` : "This is the text:";
    return [`${begin} ${plural(characters, "character")}, which ${are} ${plural(meta.size?.[1] ?? data.length, "byte")} in UTF-8.`];
  }
  const hasCutOut = symbols.some((_, i) => isCutOut(replay, i));
  if (branches.length === 1 && hasCutOut)
    return [`This text is one ${cutOutKind(replay, 0)}: it is found before the text is cut, and no merge touches it.`];
  if (meta.words)
    return [`This tokenizer doesn't cut the text first. Still, no piece goes across the start of a word, so the ${plural(branches.length, "word")} are merged separately.`];
  if (!meta.split && hasCutOut)
    return ["This tokenizer only cuts special and added tokens out of the text: merges may go anywhere between them."];
  if (!meta.split) return ["This tokenizer doesn't cut the text first: merges may go anywhere."];
  if (branches.length === 1) return ["The split pattern leaves this text in one piece, called a pre-token."];
  return [`First the text is cut into ${plural(branches.length, "piece")}, called pre-tokens. No merge crosses a cut.`];
}

/**
 * True if the text has several pre-tokens or words: pairs across their borders are not counted.
 *
 * @param {Replay} replay
 */
const isCut = ({ branches }) => branches.length > 1;

/** @typedef {{left: Chip, right: Chip, joined: Chip}} Chips */

/** @param {Replay} replay @param {number} k @param {Chips} chips @returns {Part[]} */
function learnCaption(replay, k, { left, right, joined }) {
  const { counts, tied, places, newIds } = replay;
  const count = /** @type {Int32Array} */ (counts)[k];
  const ties = /** @type {Int32Array} */ (tied)[k];
  const within = isCut(replay) ? ` within ${partName(replay)}s` : "";
  const others = ties
    ? `${within}; ${ties === 1 ? "one other pair does" : `${number(ties)} other pairs do`} so equally often, no pair more often: ${TIE_RULES[replay.meta.ties]}. `
    : `${within}; no pair does so more often. `;
  const times = { figure: plural(count, "time") };
  const together =
    left.name === right.name
      ? ["Two ", left, " stand side by side ", times, others]
      : [left, " and ", right, " stand together ", times, others];
  const overlaps = count > places[k] ? ` Because some overlap, ${plural(places[k], "place")} can be joined.` : "";
  return [...together, "They become ", joined, `, token ${newIds[k]}.${overlaps}`];
}

/** @param {Replay} replay @param {number} k @param {Chips} chips @returns {Part[]} */
function applyCaption(replay, k, { left, right, joined }) {
  const { ranks, places, meta } = replay;
  const where = meta.order === "pretoken" ? `in this ${partName(replay)}` : isCut(replay) ? "that may join" : "here";
  const inPlaces = places[k] === 1 ? "" : `, in ${number(places[k])} places`;
  return [
    ...[`Of all pairs ${where}, `, left, " + ", right, " was learned earliest: ", { figure: `merge ${number(ranks[k] + 1)}` }, ". "],
    ...["They become ", joined, `${inPlaces}.`],
    hasOverlaps(replay, k) ? " Where pairs overlap, they are joined from the left." : "",
  ];
}

/**
 * Caption at the end. It speaks of the tokenizer only, because a model may get more tokens: special tokens around the
 * text.
 *
 * @param {Replay} replay @returns {Part[]}
 */
function endCaption(replay) {
  const { meta, steps, tokenCounts } = replay;
  const left = plural(tokenCounts[steps], "token");
  const within = isCut(replay) ? ` within a ${partName(replay)}` : "";
  if (meta.story === "apply") {
    const none = `Nothing is left to join: no merge joins two neighbors${within}.`;
    return [`${none} ${left}: that is what this tokenizer makes of the text.`];
  }
  const learned = plural(steps, "merge");
  if (meta.stopped === "size") return [`The ${learned} asked for ${steps === 1 ? "is" : "are"} learned. ${left} left.`];
  return [`No pair stands together twice any more${within}, so learning stops after ${learned}. ${left} left.`];
}

/** Short summary of a position, for fast playback. @param {Replay} replay @param {number} k */
export function summaryAt(replay, k) {
  const { steps, tokenCounts } = replay;
  return `Step ${number(Math.max(0, k))} of ${number(steps)}: ${plural(tokenCounts[Math.max(0, k)], "token")}.`;
}

/**
 * Figures of a position, by name. The scenes before the merges have no tokens to count.
 *
 * @param {Replay} replay
 * @param {number} k
 * @returns {[name: string, value: string][]}
 */
export function figuresAt({ tokenCounts, data, meta }, k) {
  const tokens = k < 0 ? 0 : tokenCounts[k];
  const figures = /** @type {[string, string][]} */ ([]);
  if (tokens) figures.push(["tokens left", number(tokens)], ["bytes per token", ((meta.size?.[1] ?? data.length) / tokens).toFixed(2)]);
  if (meta.story === "learn") figures.push(["in the vocabulary", number(meta.alphabet + Math.max(0, k))]);
  return figures;
}

/** @typedef {{k: number, label: string}} Notable */

/** Maximum pre-tokens listed as notable steps. */
const MAX_PRETOKENS = 30;

/**
 * List the notable steps, which the player can jump to.
 *
 * @param {Replay} replay
 * @returns {Notable[]} in the order of the steps
 */
export function notableSteps(replay) {
  const { steps, meta } = replay;
  const found = /** @type {Notable[]} */ ([]);
  for (let k = firstPosition(replay); k < 0; k++) found.push({ k, label: sceneName(replay, k) });
  found.push({ k: 0, label: meta.units === "characters" ? "characters" : "bytes" });
  found.push(...(meta.order === "pretoken" ? pretokenSteps(replay) : milestones(replay)));
  if (steps) found.push({ k: steps, label: "the end" });
  return found;
}

/** Name of a scene before the merges. @param {Pick<Replay, "meta">} replay @param {number} k below 0 */
export const sceneName = (replay, k) => (k === THE_TEXT ? "the text" : `the ${partName(replay)}s`);

/** Steps at which the merges of a new pre-token begin. @param {Replay} replay */
function pretokenSteps(replay) {
  const { steps, boundaries, boundaryOffsets, pieceOf } = replay;
  const found = /** @type {Notable[]} */ ([]);
  let last = -1;
  for (let k = 0; k < steps && found.length < MAX_PRETOKENS; k++) {
    const piece = pieceOf[boundaries[boundaryOffsets[k]]];
    if (piece !== last && k > 0) found.push({ k, label: `${partName(replay)} ${number(piece + 1)}` });
    last = piece;
  }
  return found;
}

/** Steps that first reach a longer token, half of the symbols, or a whole pre-token. @param {Replay} replay */
function milestones(replay) {
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
      found.set(k + 1, "at most half of the symbols left");
    }
  }
  const whole = firstWhole(replay);
  if (whole) found.set(whole.k, whole.label);
  const notable = [...found].map(([k, label]) => ({ k, label })).filter(({ k }) => k < steps);
  return notable.sort((one, other) => one.k - other.k);
}

/** First step that completes a pre-token of three symbols or more. @param {Replay} replay */
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
  if (first === steps) return null;
  return { k: first + 1, label: `first whole ${partName(replay)} of 3 symbols or more, ${nameOf(replay, newIds[first])}` };
}
