/**
 * Which part of a long text is in the page: as many symbols as fill the stage, each reckoned to be a column wide.
 */

/** @typedef {import("./model.js").Replay} Replay */
/** @typedef {{columns: number, rows: number}} Room how many characters fit in a row, and how many rows */

/** A text of so many symbols is in the page whole; of a longer one no more than that. */
export const MOST = 700;
/** Rows that stand before the symbol that a window is to show. */
const ROWS_BEFORE = 2;
const LINE_END = 0x0a;

/**
 * @param {Replay} replay
 * @param {number} symbol the first that is wanted in the window
 * @param {Room} room
 */
export function windowFrom(replay, symbol, room) {
  const last = Math.max(replay.n - MOST, rowsBefore(replay, replay.n, room, room.rows - 1));
  const from = lineStart(replay, Math.max(0, Math.min(last, Math.round(symbol))), room);
  return { from, to: Math.min(from + MOST, rowsAfter(replay, from, room)) };
}

/**
 * The window that shows a symbol a few rows below its top.
 *
 * @param {Replay} replay
 * @param {number} symbol
 * @param {Room} room
 */
export function windowAround(replay, symbol, room) {
  const found = windowFrom(replay, rowsBefore(replay, symbol, room, ROWS_BEFORE), room);
  return symbol < found.to ? found : windowFrom(replay, symbol, room);
}

/** Where the rows end that begin at a symbol. @param {Replay} replay @param {number} from @param {Room} room */
function rowsAfter(replay, from, { columns, rows }) {
  let at = from;
  for (let row = 0, column = 0; row < rows && at < replay.n; at++) {
    if (!endsRow(replay, at, ++column, columns)) continue;
    row++;
    column = 0;
  }
  return at;
}

/** @param {Replay} replay @param {number} symbol @param {Room} room @param {number} rows so many before it */
function rowsBefore(replay, symbol, { columns }, rows) {
  let at = symbol;
  for (let row = 0, column = 0; row < rows && at > 0; at--) {
    if (!endsRow(replay, at - 1, ++column, columns)) continue;
    row++;
    column = 0;
  }
  return at;
}

/** @param {Replay} replay @param {number} symbol @param {number} column its own, from 1 @param {number} columns */
function endsRow({ data, byteOffsets }, symbol, column, columns) {
  return column === columns || data[byteOffsets[symbol]] === LINE_END;
}

/**
 * A window that begins near a symbol begins at a pre-token, if there is one near.
 *
 * @param {Replay} replay
 * @param {number} symbol
 * @param {Room} room
 */
function lineStart({ pieceOf, pieceStarts, n }, symbol, { columns }) {
  if (symbol >= n) return symbol;
  const start = pieceStarts[pieceOf[symbol]];
  return symbol - start < columns ? start : symbol;
}
