/**
 * Model of a replay: the merges of a text from its initial symbols to its tokens, with direct access to any state.
 *
 * The server sends, for each boundary between symbols, the step that removes it (`tokviz/widgets/replays.py` lists all
 * columns). The rest is computed here once: which token a removal makes, and in which step.
 *
 * Here, a symbol is an initial symbol, identified by its index. A token after k steps is identified by the index of its
 * first symbol. "Boundary i" is the boundary before symbol i.
 */

import { repeat, TINTS, tintSymbols } from "../../shared/text/tokenization.js";
import { PairTable } from "./pairtable.js";
import { readTower } from "../tower/tower.js";

/**
 * @typedef {object} Replay
 * @property {Record<string, any>} meta other data from the server: story, order, tokenizer, merges, branches, ...
 * @property {number} n number of symbols
 * @property {number} steps number of steps
 * @property {Int32Array} symbols their ids
 * @property {Int32Array} removedAt the step that removes boundary i, or `steps`
 * @property {Int32Array} joinedTo first symbol of the token made by removing boundary i; -1 if never removed
 * @property {Int32Array} pieceOf index of each symbol's pre-token
 * @property {Int32Array} pieceStarts first symbol of each pre-token, then n
 * @property {Uint8Array} branches for each pre-token, the pattern's branch that matched it, or `CUT_OUT`
 * @property {Int32Array} ranks for each step, as the columns up to `tied`
 * @property {Int32Array} lefts
 * @property {Int32Array} rights
 * @property {Int32Array} newIds
 * @property {Int32Array} places
 * @property {Int32Array | null} counts only when merges are learned
 * @property {Int32Array | null} tied
 * @property {Int32Array} tokenCounts tokens after each step; steps + 1 entries, the first before any step
 * @property {Int32Array} boundaries all boundaries that are removed, by step, then by position
 * @property {Int32Array} boundaryOffsets where each step begins in `boundaries`; steps + 1 entries
 * @property {Int32Array} madeSteps steps that make a token starting at a symbol, by symbol, then by step
 * @property {Int32Array} madeOffsets where each symbol begins in `madeSteps`; n + 1 entries
 * @property {(left: number, right: number) => number} rankOf rank of any pair that ever occurs; -1 if no merge joins it
 * @property {Uint8Array} data the text's bytes
 * @property {string} text
 * @property {Int32Array} byteOffsets start of each symbol in `data`, then its length; n + 1 entries
 * @property {Map<number, Uint8Array>} bytes vocabulary bytes by id
 * @property {Map<number, Uint8Array>} covered bytes of the text by symbol, where they differ from its vocabulary bytes
 * @property {Set<number>} endsWord ids of tokens that end in an end-of-word mark
 * @property {import("../tower/tower.js").Tower | null} tower null for a long text
 */

/** Value in `branches` for a special or added token, which no branch of the pattern matched. */
const CUT_OUT = 255;

/** @typedef {{start: number, end: number, id: number}} Token symbols from `start` up to, but excluding, `end` */

/**
 * @param {import("../../shared/net/columns.js").ReplayColumns} columns
 * @returns {Replay}
 */
export function makeReplay(columns) {
  const { meta, symbols, removed_at: removedAt, places, lefts, rights, ranks, branches } = columns;
  const newIds = columns.new_ids;
  const n = symbols.length;
  const steps = ranks.length;
  const bytes = bytesById(columns.token_ids, columns.token_lengths, columns.token_bytes);
  const pieceStarts = startsOf(columns.pretoken_symbols);
  const covered = coveredBySymbol(columns, pieceStarts, bytes);
  const { data, byteOffsets } = concatenateBytes(symbols, bytes, covered);
  const joinedTo = findJoined(removedAt, steps);
  const boundaryOffsets = startsOf(places);
  const boundaries = sortByStep(removedAt, boundaryOffsets, steps);
  return {
    meta,
    n,
    steps,
    symbols,
    removedAt,
    joinedTo,
    pieceOf: repeat(columns.pretoken_symbols, n),
    pieceStarts,
    branches,
    ranks,
    lefts,
    rights,
    newIds,
    places,
    counts: columns.counts ?? null,
    tied: columns.tied ?? null,
    tokenCounts: countTokens(n, places),
    boundaries,
    boundaryOffsets,
    ...findMadeSteps(n, boundaries, joinedTo, removedAt),
    rankOf: ranksOfPairs(columns),
    data,
    text: new TextDecoder("utf-8", { ignoreBOM: true }).decode(data),
    byteOffsets,
    bytes,
    covered,
    endsWord: findWordEnds(meta.endings, rights, newIds),
    tower: readTower(columns),
  };
}

/** @param {Int32Array} ids @param {Int32Array} lengths @param {Uint8Array} all */
function bytesById(ids, lengths, all) {
  const found = /** @type {Map<number, Uint8Array>} */ (new Map());
  let at = 0;
  ids.forEach((id, i) => found.set(id, all.subarray(at, (at += lengths[i]))));
  return found;
}

/**
 * Bytes covered by added tokens whose match includes adjacent white space, by symbol.
 *
 * @param {import("../../shared/net/columns.js").ReplayColumns} columns @param {Int32Array} pieceStarts
 * @param {Map<number, Uint8Array>} bytes
 */
function coveredBySymbol({ symbols, branches, cut_out_lengths, cut_out_bytes }, pieceStarts, bytes) {
  const covered = /** @type {Replay["covered"]} */ (new Map());
  let [number, at] = [0, 0];
  for (let piece = 0; piece < branches.length && number < cut_out_lengths.length; piece++) {
    if (branches[piece] !== CUT_OUT) continue;
    const match = cut_out_bytes.subarray(at, (at += cut_out_lengths[number++]));
    const vocabularyBytes = /** @type {Uint8Array} */ (bytes.get(symbols[pieceStarts[piece]]));
    if (match.length !== vocabularyBytes.length) covered.set(pieceStarts[piece], match);
  }
  return covered;
}

/**
 * Concatenate the bytes of all symbols.
 *
 * @param {Int32Array} symbols
 * @param {Map<number, Uint8Array>} bytes
 * @param {Map<number, Uint8Array>} covered
 */
function concatenateBytes(symbols, bytes, covered) {
  const bytesAt = (/** @type {number} */ i) => /** @type {Uint8Array} */ (covered.get(i) ?? bytes.get(symbols[i]));
  const byteOffsets = new Int32Array(symbols.length + 1);
  symbols.forEach((_, i) => (byteOffsets[i + 1] = byteOffsets[i] + bytesAt(i).length));
  const data = new Uint8Array(byteOffsets[symbols.length]);
  symbols.forEach((_, i) => data.set(bytesAt(i), byteOffsets[i]));
  return { data, byteOffsets };
}

/** @param {import("../../shared/net/columns.js").ReplayColumns} columns @returns {Replay["rankOf"]} */
function ranksOfPairs({ pair_lefts: lefts, pair_rights: rights, pair_ranks: ranks }) {
  const table = new PairTable(ranks.length);
  ranks.forEach((rank, i) => (table.values[table.add(lefts[i], rights[i])] = rank));
  return (left, right) => table.values[table.find(left, right)] ?? -1;
}

/** Start of each of a row of stretches of these lengths, and the end of the last. @param {Int32Array} lengths */
function startsOf(lengths) {
  const starts = new Int32Array(lengths.length + 1);
  lengths.forEach((length, i) => (starts[i + 1] = starts[i] + length));
  return starts;
}

/**
 * For each removed boundary, the first symbol of the left token: the nearest earlier boundary not removed before it.
 *
 * @param {Int32Array} removedAt
 * @param {number} steps
 */
function findJoined(removedAt, steps) {
  const joinedTo = new Int32Array(removedAt.length).fill(-1);
  const standing = new Int32Array(removedAt.length);
  let top = -1;
  removedAt.forEach((step, i) => {
    while (top >= 0 && removedAt[standing[top]] < step) top--;
    if (step < steps) joinedTo[i] = standing[top];
    standing[++top] = i;
  });
  return joinedTo;
}

/**
 * Removed boundaries, sorted by step.
 *
 * @param {Int32Array} removedAt
 * @param {Int32Array} offsets
 * @param {number} steps
 */
function sortByStep(removedAt, offsets, steps) {
  const sorted = new Int32Array(offsets[steps]);
  const next = offsets.slice();
  removedAt.forEach((step, i) => {
    if (step < steps) sorted[next[step]++] = i;
  });
  return sorted;
}

/** Tints of tokens by their first symbols: at the end they take turns, and at no step do two neighbors have the same. @param {Replay} replay */
export function tintsOf({ removedAt, boundaries, steps, n }) {
  const tints = new Uint8Array(n);
  let turn = 0;
  removedAt.forEach((step, i) => step === steps && (tints[i] = turn++ % TINTS));
  return tintSymbols(tints, boundaries);
}

/** Tokens left after each step. @param {number} n @param {Int32Array} places */
function countTokens(n, places) {
  const counts = new Int32Array(places.length + 1).fill(n);
  places.forEach((joined, step) => (counts[step + 1] = counts[step] - joined));
  return counts;
}

/**
 * Steps that make a token at each symbol.
 *
 * @param {number} n
 * @param {Int32Array} boundaries
 * @param {Int32Array} joinedTo
 * @param {Int32Array} removedAt
 */
function findMadeSteps(n, boundaries, joinedTo, removedAt) {
  const madeOffsets = new Int32Array(n + 1);
  for (const boundary of boundaries) madeOffsets[joinedTo[boundary] + 1]++;
  for (let i = 0; i < n; i++) madeOffsets[i + 1] += madeOffsets[i];
  const next = madeOffsets.slice();
  const madeSteps = new Int32Array(boundaries.length);
  for (const boundary of boundaries) madeSteps[next[joinedTo[boundary]]++] = removedAt[boundary];
  return { madeSteps, madeOffsets };
}

/**
 * Ids of tokens that end in the end-of-word mark, a symbol of its own or glued to characters.
 *
 * @param {number[]} endings ids of the symbols that end words
 * @param {Int32Array} rights
 * @param {Int32Array} newIds
 */
function findWordEnds(endings, rights, newIds) {
  const found = new Set(endings);
  rights.forEach((right, step) => found.has(right) && found.add(newIds[step]));
  return found;
}

/** True if a symbol is a special or added token, cut out before the split. @param {Replay} replay @param {number} i */
export const isCutOut = ({ branches, pieceOf }, i) => branches[pieceOf[i]] === CUT_OUT;

/** @param {Replay} replay @param {number} i a symbol for which `isCutOut` is true */
export const cutOutKind = ({ meta, symbols }, i) => (meta.added.includes(symbols[i]) ? "added token" : "special token");

/** What the parts are called that no merge crosses. @param {Pick<Replay, "meta">} replay */
export const partName = ({ meta }) => (meta.words ? "word" : "pre-token");

/**
 * True if a symbol of several bytes is a token from the start: the vocabulary contains its whole pre-token, and the
 * merges would not make it.
 *
 * @param {Replay} replay @param {number} i
 */
export function isTakenWhole(replay, i) {
  const bytes = /** @type {Uint8Array} */ (replay.bytes.get(replay.symbols[i]));
  return replay.meta.units === "bytes" && bytes.length > 1 && !isCutOut(replay, i);
}

/** True if a token begins at symbol i after k steps. @param {Replay} replay @param {number} i @param {number} k */
export const stands = ({ removedAt }, i, k) => removedAt[i] >= k;

/**
 * Id of the token that begins at symbol `start` after k steps.
 *
 * @param {Replay} replay
 * @param {number} start
 * @param {number} k
 */
export function idAt(replay, start, k) {
  const step = madeIn(replay, start, k);
  return step < 0 ? replay.symbols[start] : replay.newIds[step];
}

/**
 * Step that made the token at symbol `start` after k steps, or -1 if it is an initial symbol.
 *
 * @param {Replay} replay
 * @param {number} start
 * @param {number} k
 */
export function madeIn({ madeSteps, madeOffsets }, start, k) {
  let at = madeOffsets[start + 1] - 1;
  while (at >= madeOffsets[start] && madeSteps[at] >= k) at--;
  return at < madeOffsets[start] ? -1 : madeSteps[at];
}

/**
 * Tokens after k steps that have a symbol in a stretch of the text.
 *
 * @param {Replay} replay
 * @param {number} k
 * @param {number} [from] a symbol
 * @param {number} [to]
 * @returns {Token[]}
 */
export function tokensAt(replay, k, from = 0, to = replay.n) {
  const tokens = /** @type {Token[]} */ ([]);
  for (let start = tokenAt(replay, from, k); start < to;) {
    const end = endOf(replay, start, k);
    tokens.push({ start, end, id: idAt(replay, start, k) });
    start = end;
  }
  return tokens;
}

/**
 * First symbol of the token that contains symbol i after k steps.
 *
 * @param {Replay} replay
 * @param {number} i
 * @param {number} k
 */
export function tokenAt({ removedAt }, i, k) {
  while (i > 0 && removedAt[i] < k) i--;
  return i;
}

/**
 * End of the token at symbol `start` after k steps: one past its last symbol.
 *
 * @param {Replay} replay
 * @param {number} start
 * @param {number} k
 */
export function endOf({ removedAt, n }, start, k) {
  let end = start + 1;
  while (end < n && removedAt[end] < k) end++;
  return end;
}

/** Boundaries that a step removes, in the order of the text. @param {Replay} replay @param {number} step */
export function boundariesOf({ boundaries, boundaryOffsets }, step) {
  return boundaries.subarray(boundaryOffsets[step], boundaryOffsets[step + 1]);
}

/**
 * @typedef {object} TreeNode a token and the two tokens it was merged from
 * @property {number} start
 * @property {number} end
 * @property {number} id
 * @property {number} step the step that made it; -1 for an initial symbol
 * @property {TreeNode[]} children two, or none
 */

/**
 * Merge tree of one token of the text.
 *
 * @param {Replay} replay
 * @param {number} start
 * @param {number} k number of steps done
 * @returns {TreeNode}
 */
export function treeOf(replay, start, k) {
  return growTree(replay, start, endOf(replay, start, k), k);
}

/** @param {Replay} replay @param {number} start @param {number} end @param {number} k @returns {TreeNode} */
function growTree(replay, start, end, k) {
  const id = idAt(replay, start, k);
  if (end - start === 1) return { start, end, id, step: -1, children: [] };
  let last = start + 1;
  for (let i = start + 2; i < end; i++) if (replay.removedAt[i] > replay.removedAt[last]) last = i;
  const step = replay.removedAt[last];
  const children = [growTree(replay, start, last, step), growTree(replay, last, end, step)];
  return { start, end, id, step, children };
}

/** Positions of the scenes before the merges: the text as a whole, and its pre-tokens. */
export const [THE_TEXT, THE_PRETOKENS] = [-2, -1];

/**
 * First position of a replay: 0, before the first merge, or a scene before it.
 *
 * @param {Pick<Replay, "meta" | "n">} replay
 */
export function firstPosition({ meta, n }) {
  if (!n) return 0;
  if (meta.story === "apply") return THE_TEXT;
  return meta.split ? THE_PRETOKENS : 0;
}
