import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { MAX_SYMBOLS, windowAround, windowFrom } from "../../tokviz/widgets/replay/stage/window.js";
import { dice } from "./pieces.js";

/** The fields of a replay that windows use, for a text with one byte per symbol. */
function replayOf(text, pretokens) {
  const lengths = pretokens.map(({ length }) => length);
  const pieceStarts = lengths.reduce((starts, length) => [...starts, starts.at(-1) + length], [0]);
  return {
    n: text.length,
    data: new TextEncoder().encode(text),
    byteOffsets: Array.from({ length: text.length + 1 }, (_, i) => i),
    pieceOf: lengths.flatMap((length, number) => Array(length).fill(number)),
    pieceStarts,
  };
}

const words = (/** @type {string} */ text) => text.match(/ ?\w+|\s/g) ?? [];

/** Number of rows that a stretch of a text fills. @param {string} text @param {number} columns */
const rowsOf = (text, columns) =>
  text
    .replace(/\n$/, "")
    .split("\n")
    .reduce((rows, line) => rows + Math.max(1, Math.ceil(line.length / columns)), 0);

describe("the window of a long text", () => {
  const roll = dice(6);
  const text = Array.from({ length: 900 }, () => ["one", " two", " three", "\n"][roll() % 4]).join("");
  const replay = replayOf(text, words(text));
  const room = { columns: 40, rows: 10 };

  test("contains the given symbol, with rows before it", () => {
    for (let symbol = 0; symbol < replay.n; symbol += 7) {
      const { from, to } = windowAround(replay, symbol, room);
      assert.ok(from <= symbol && symbol < to, `${from} <= ${symbol} < ${to}`);
      if (from > 0 && to < replay.n) assert.ok(rowsOf(text.slice(from, symbol + 1), room.columns) >= 2);
    }
  });

  test("contains the given symbol also where rows are so long that few fit into the page", () => {
    const lines = Array.from({ length: 3000 }, () => ["one", " two", " three"][roll() % 3]).join("");
    const long = replayOf(lines, lines.match(/.{1,97}/g) ?? []);
    for (const columns of [250, 330, 345, 349]) {
      for (let symbol = 0; symbol < long.n; symbol++) {
        const { from, to } = windowAround(long, symbol, { columns, rows: 10 });
        assert.ok(from <= symbol && symbol < to, `${from} <= ${symbol} < ${to}`);
      }
    }
  });

  test("fills the stage, and no more", () => {
    for (let symbol = 0; symbol < replay.n; symbol += 7) {
      const { from, to } = windowFrom(replay, symbol, room);
      assert.ok(0 <= from && from < to && to <= replay.n);
      assert.ok(to - from <= MAX_SYMBOLS);
      assert.ok(rowsOf(text.slice(from, to), room.columns) <= room.rows);
      if (to < replay.n && to - from < MAX_SYMBOLS) assert.equal(rowsOf(text.slice(from, to), room.columns), room.rows);
    }
  });

  test("begins at a pre-token if one is near", () => {
    for (let symbol = 0; symbol < replay.n; symbol += 7)
      assert.ok(replay.pieceStarts.includes(windowFrom(replay, symbol, room).from));
    const unbroken = replayOf("x".repeat(2000), ["x".repeat(2000)]);
    assert.equal(windowFrom(unbroken, 1000, room).from, 1000);
  });

  test("ends with the text for any position beyond it", () => {
    for (const symbol of [replay.n - 1, replay.n, replay.n + 500]) assert.equal(windowFrom(replay, symbol, room).to, replay.n);
    assert.equal(windowFrom(replay, -50, room).from, 0);
  });
});
