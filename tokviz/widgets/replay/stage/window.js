/**
 * The window of a long text that is in the page: enough symbols to fill the stage, estimated at one column each.
 */

/** @typedef {import("../model/replay.js").Replay} Replay */
/** @typedef {{columns: number, rows: number}} Room size of the stage: characters per row, and rows */

/** Maximum symbols in the page; a longer text is windowed. */
export const MAX_SYMBOLS = 1_200;
/** Rows shown before the symbol that a window is placed around. */
const ROWS_BEFORE = 2;
const LINE_END = 0x0a;

/**
 * The window that begins near a symbol, but not so late that the stage would not be filled.
 *
 * @param {Replay} replay
 * @param {number} symbol the first symbol wanted in the window
 * @param {Room} room
 */
export function windowFrom(replay, symbol, room) {
  // A row is left for the way back to the start of a pre-token.
  const last = Math.max(replay.n - MAX_SYMBOLS + room.columns, rowsBefore(replay, replay.n, room, room.rows - 1));
  const from = windowStart(replay, Math.max(0, Math.min(last, Math.round(symbol))), room);
  return { from, to: Math.min(from + MAX_SYMBOLS, rowsAfter(replay, from, room)) };
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

/** End of the rows that begin at a symbol. @param {Replay} replay @param {number} from @param {Room} room */
function rowsAfter(replay, from, { columns, rows }) {
  let at = from;
  for (let row = 0, column = 0; row < rows && at < replay.n; at++) {
    if (!endsRow(replay, at, ++column, columns)) continue;
    row++;
    column = 0;
  }
  return at;
}

/**
 * Start of the rows before a symbol.
 *
 * @param {Replay} replay
 * @param {number} symbol
 * @param {Room} room
 * @param {number} rows number of rows
 */
function rowsBefore(replay, symbol, { columns }, rows) {
  let at = symbol;
  for (let row = 0, column = 0; row < rows && at > 0; at--) {
    if (!endsRow(replay, at - 1, ++column, columns)) continue;
    row++;
    column = 0;
  }
  return at;
}

/**
 * True if a row ends with a symbol.
 *
 * @param {Replay} replay
 * @param {number} symbol
 * @param {number} column its column, from 1
 * @param {number} columns
 */
function endsRow({ data, byteOffsets }, symbol, column, columns) {
  return column === columns || data[byteOffsets[symbol]] === LINE_END;
}

/**
 * Start of the window near a symbol: the start of its pre-token, if that is less than a row away.
 *
 * @param {Replay} replay
 * @param {number} symbol
 * @param {Room} room
 */
function windowStart({ pieceOf, pieceStarts, n }, symbol, { columns }) {
  if (symbol >= n) return symbol;
  const start = pieceStarts[pieceOf[symbol]];
  return symbol - start < columns ? start : symbol;
}
