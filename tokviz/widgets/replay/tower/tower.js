/**
 * The tower of a replay: a block for every symbol, and, beneath its two parts, one for every token that a merge makes.
 *
 * The server sends what is drawn (`tokviz/widgets/tower_layout.py`). At each step, every block has a role.
 */

/**
 * @typedef {object} Block
 * @property {number} start its first symbol
 * @property {number} end after its last symbol
 * @property {number} id
 * @property {number} step the step that makes it, or -1 for a symbol
 * @property {number} gone the step that joins it to another block, or Infinity
 * @property {number} depth its row, 0 for a symbol
 * @property {number} under the row of the token that it becomes part of, or Infinity
 * @property {boolean} isLeft true if it is the left part of that
 * @property {number} tint
 */

/**
 * @typedef {object} Tower
 * @property {{start: number, end: number, count: number}[]} pretokens those drawn, and how often each is in the text
 * @property {number[]} symbols those drawn, in order
 * @property {Uint8Array} widths of these, in columns
 * @property {Uint8Array} opens what begins with each of these: 2 (`OPENS_PRETOKEN`), 1 for a token of the end, or 0
 * @property {Map<number, number>} places their indices
 * @property {Block[]} blocks first all symbols, then the merged ones by step
 * @property {{start: number, end: number}[]} characters of several symbols
 */

/** @typedef {"later" | "past" | "now"} Role not there yet; part of a token; a token of the moment */

/** A pre-token begins with a symbol. */
export const OPENS_PRETOKEN = 2;

/** @param {import("../../shared/net/columns.js").ReplayColumns} columns @returns {Tower | null} */
export function readTower(columns) {
  const { tower_widths: widths, tower_opens: opens, tower_counts: counts } = columns;
  if (!widths || !opens || !counts) return null;
  const blocks = readBlocks(columns);
  const symbols = blocks.slice(0, widths.length).map(({ start }) => start);
  return {
    pretokens: readPretokens(symbols, opens, counts),
    symbols,
    widths,
    opens,
    places: new Map(symbols.map((symbol, place) => [symbol, place])),
    blocks,
    characters: Array.from(column(columns, "character_starts"), (start, i) => {
      return { start, end: column(columns, "character_ends")[i] };
    }),
  };
}

/** @param {number[]} symbols @param {Uint8Array} opens @param {Int32Array} counts */
function readPretokens(symbols, opens, counts) {
  const first = symbols.flatMap((_, place) => (opens[place] === OPENS_PRETOKEN ? [place] : []));
  return first.map((place, i) => {
    const last = (first[i + 1] ?? symbols.length) - 1;
    return { start: symbols[place], end: symbols[last] + 1, count: counts[i] };
  });
}

/** @param {import("../../shared/net/columns.js").ReplayColumns} columns @returns {Block[]} */
function readBlocks(columns) {
  const [starts, middles, ends] = ["starts", "middles", "ends"].map((name) => column(columns, `block_${name}`));
  const [steps, depths, ids, tints] = ["steps", "depths", "ids", "tints"].map((name) => column(columns, `block_${name}`));
  const blocks = Array.from(starts, (start, i) => {
    const at = { start, end: ends[i], id: ids[i], step: steps[i], depth: depths[i], tint: tints[i] };
    return { ...at, gone: Infinity, under: Infinity, isLeft: false };
  });
  const numbers = new Map(blocks.map(({ start, end }, i) => [`${start} ${end}`, i]));
  blocks.forEach(({ start, end, step }, i) => {
    if (step < 0) return;
    for (const [from, to] of [[start, middles[i]], [middles[i], end]])
      Object.assign(blocks[/** @type {number} */ (numbers.get(`${from} ${to}`))], { gone: step, under: depths[i], isLeft: from === start });
  });
  return blocks;
}

/** Letters that join with their neighbors. */
const JOINING = /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Nko}\p{Script=Mandaic}\p{Script=Adlam}]/u;

/**
 * True if a text may be drawn letter by letter: no letters join, and no pre-token begins within a character.
 *
 * @param {Pick<import("../model/replay.js").Replay, "text" | "data" | "byteOffsets" | "pieceStarts">} replay
 */
export function isSeparable({ text, data, byteOffsets, pieceStarts }) {
  if (JOINING.test(text)) return false;
  const encoder = new TextEncoder();
  const borders = new Set([0]);
  let at = 0;
  for (const { segment } of new Intl.Segmenter("en", { granularity: "grapheme" }).segment(text)) borders.add((at += encoder.encode(segment).length));
  return at === data.length && pieceStarts.every((symbol) => borders.has(byteOffsets[symbol]));
}

/** @param {any} columns @param {string} name @returns {Int32Array} */
const column = (columns, name) => columns[name];

/** Role of a block after k steps. @param {Block} block @param {number} k @returns {Role} */
export function roleOf({ step, gone }, k) {
  if (step >= k) return "later";
  return gone < k ? "past" : "now";
}

/**
 * Role of a block while tokens are taken apart again, row by row from below.
 *
 * @param {Block} block
 * @param {{row: number, end: number}} at tokens lower than this row are taken apart; those from symbol `end` on are missing
 * @returns {Role}
 */
export function unmergedRoleOf(block, { row, end }) {
  if (block.end > end) return "later";
  if (block.depth > row) return "past";
  return block.under > row ? "now" : "later";
}

/**
 * Symbol of an equal pre-token that is drawn, for a symbol of one that is not.
 *
 * @param {import("../model/replay.js").Replay} replay with a tower
 * @param {number} symbol
 */
export function drawnSymbol({ tower, symbols, pieceOf, pieceStarts }, symbol) {
  const { pretokens, places } = /** @type {Tower} */ (tower);
  if (places.has(symbol)) return symbol;
  const start = pieceStarts[pieceOf[symbol]];
  const length = pieceStarts[pieceOf[symbol] + 1] - start;
  const isEqual = (/** @type {{start: number, end: number}} */ drawn) =>
    drawn.end - drawn.start === length && symbols.subarray(start, start + length).every((id, i) => id === symbols[drawn.start + i]);
  return /** @type {{start: number}} */ (pretokens.find(isEqual)).start + symbol - start;
}
