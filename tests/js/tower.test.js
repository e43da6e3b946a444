import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { makeReplay, tokensAt } from "../../tokviz/widgets/replay/model/replay.js";
import { classesOf } from "../../tokviz/widgets/replay/tower/drawing.js";
import { fit } from "../../tokviz/widgets/replay/tower/fitting.js";
import { idSize, labelOf, narrowestOf, widthOf } from "../../tokviz/widgets/replay/tower/labels.js";
import { place, spanOf } from "../../tokviz/widgets/replay/tower/placement.js";
import { drawnSymbol, isSeparable, roleOf } from "../../tokviz/widgets/replay/tower/tower.js";
import { neighborOf } from "../../tokviz/widgets/replay/tower/walking.js";
import { unpackHeld } from "../../tokviz/widgets/shared/net/columns.js";
import { computed } from "./computed.js";

const { applied, prepared, towers } = computed;

test("symbols stand where the package puts them, in lines of any width", () => {
  for (const { held, places } of towers) {
    const { tower } = makeReplay(unpackHeld(held));
    for (const [columns, placed] of Object.entries(places)) assert.deepEqual(place(tower, Number(columns)), placed);
  }
});

for (const { name, held, steps } of applied)
  describe(`the tower of ${name}`, () => {
    const replay = makeReplay(unpackHeld(held));

    test("has the package's tokens as its lowest blocks, after each step", () => {
      steps.forEach(({ tokens }, k) => {
        const lowest = replay.tower.blocks.filter((block) => roleOf(block, k) === "now").sort((one, other) => one.start - other.start);
        assert.deepEqual(lowest.map(({ start, id }) => [start, id]), tokens);
        assert.deepEqual(lowest.map(({ start, end, id }) => ({ start, end, id })), tokensAt(replay, k));
      });
    });

    test("grows by the tokens that a step makes, each beneath its two parts", () => {
      for (let k = 0; k < replay.steps; k++) {
        const made = replay.tower.blocks.filter(({ step }) => step === k);
        assert.equal(made.length, replay.places[k]);
        for (const { start, end, id, depth } of made) {
          assert.equal(id, replay.newIds[k]);
          const within = replay.tower.blocks.filter((block) => block.gone === k && block.start >= start && block.end <= end);
          const parts = within.sort((one, other) => one.start - other.start);
          assert.deepEqual(parts.map((part) => part.id), [replay.lefts[k], replay.rights[k]]);
          assert.ok(parts.every((part) => roleOf(part, k) === "now" && roleOf(part, k + 1) === "past" && part.depth < depth));
        }
      }
    });
  });

test("equal words are drawn once, with their counts", () => {
  const { tower, n } = makeReplay(unpackHeld(towers[0].held));
  assert.deepEqual(tower.pretokens.map(({ count }) => count), [5, 15, 2, 6, 3]);
  const all = tower.pretokens.reduce((sum, { start, end, count }) => sum + (end - start) * count, 0);
  assert.equal(all, n);
});

test("a word that isn't drawn stands for the equal one that is", () => {
  const replay = makeReplay(unpackHeld(towers[0].held));
  for (let symbol = 0; symbol < replay.n; symbol++) {
    const drawn = drawnSymbol(replay, symbol);
    assert.ok(replay.tower.places.has(drawn));
    assert.equal(replay.symbols[drawn], replay.symbols[symbol]);
    assert.equal(drawn - replay.pieceStarts[replay.pieceOf[drawn]], symbol - replay.pieceStarts[replay.pieceOf[symbol]]);
  }
});

describe("a tower on a stage", () => {
  const replays = towers.map(({ held }) => makeReplay(unpackHeld(held))).filter(({ n }) => n);

  test("is no wider than that, and all in sight if it can be", () => {
    for (const { tower } of replays) {
      for (const room of [{ width: 1600, height: 900, fontSize: 16 }, { width: 700, height: 300, fontSize: 16 }]) {
        const { column, row, placement } = fit(tower, room);
        assert.ok(placement.width * column <= room.width + 1e-6);
        const isSmall = tower.symbols.length <= 50 && placement.height < 8;
        if (isSmall) assert.ok(placement.height * row <= room.height + 1e-6);
      }
    }
  });

  test("is larger where there is more room", () => {
    for (const { tower } of replays) {
      const [small, large] = [1, 2].map((times) => fit(tower, { width: 700 * times, height: 350 * times, fontSize: 16 }));
      const isWhole = small.placement.height * small.row <= 350;
      if (isWhole) assert.ok(large.column * large.row >= small.column * small.row);
      assert.ok(small.column >= 1.1 * 16 && small.row >= 1.4 * 16); // legible
    }
  });

  test("stays on one line where it fits on one, in whole pixels, at any height", () => {
    const room = { width: 1228, fontSize: 16 };
    for (const { tower } of replays) {
      const { width, height, tops } = place(tower, Infinity);
      for (const high of [300, 430, 700]) {
        const fits = width * 20 <= room.width && height * 2.4 * 16 <= high;
        const fitted = fit(tower, { ...room, height: high });
        if (fits) assert.equal(fitted.placement.tops.length, tops.length);
        for (const size of [fitted.column, fitted.row]) assert.equal(size, Math.round(size));
      }
    }
  });

  test("needs one in which no token is wider than it, at 1.1 em for each symbol", () => {
    const { tower } = replays[0];
    const longest = Math.ceil(place(tower, 1).width);
    assert.ok(fit(tower, { width: longest * 18, height: 300, fontSize: 16 }));
    assert.equal(fit(tower, { width: longest * 17, height: 300, fontSize: 16 }), null);
  });
});

test("blocks are labeled as in the package's pictures", () => {
  for (const { held, labels } of towers) {
    const replay = makeReplay(unpackHeld(held));
    const placement = place(replay.tower, 1000);
    for (const [writing, expected] of Object.entries(labels))
      replay.tower.blocks.forEach((block, i) => {
        const { width } = spanOf(replay.tower, placement, block.start, block.end);
        const { text, size } = labelOf(replay, block, writing, width);
        assert.deepEqual([text, size], expected[i]);
      });
  }
});

test("labels of the symbols make up the text, including white space covered by added tokens", () => {
  for (const { held, read } of prepared) {
    const replay = makeReplay(unpackHeld(held));
    const labels = replay.tower.blocks.slice(0, replay.n).map((block) => labelOf(replay, block, "hex", 1000).text);
    assert.equal(labels.join(" "), Buffer.from(read).toString("hex").replace(/..(?=.)/g, "$& "));
  }
});

test("labels fit their blocks, and say all that fits", () => {
  for (const { held } of towers) {
    const replay = makeReplay(unpackHeld(held));
    for (const block of replay.tower?.blocks ?? []) {
      for (const writing of ["text", "hex", "ids"]) {
        const width = block.end - block.start;
        const { text, size } = labelOf(replay, block, writing, width);
        assert.ok(text && size > 0.25 && size <= 0.8, text);
        assert.ok(widthOf(text) * 0.6 * size <= width * 0.95, `${text} in ${width}`);
        if (writing === "text" && !text.endsWith("…")) assert.doesNotMatch(text, /\ufffd/);
      }
    }
  }
});

test("widths of labels are those of monospaced fonts", () => {
  for (const [text, width] of [["ab", 2], ["世界", 4], ["🍕", 2], ["e\u0301", 1], ["", 0]]) assert.equal(widthOf(text), width);
});

describe("the classes of a block", () => {
  const block = { start: 2, end: 4, id: 300, step: 3, gone: 5, depth: 1, tint: 2, isLeft: false };
  const at = (/** @type {number} */ k, more = {}) => classesOf(block, { k, next: true, chosen: null, special: [], ...more });

  test("tell when it is made, joined and history", () => {
    assert.deepEqual([3, 4, 5, 6].map((k) => at(k)), [
      "block later",
      "block now tint-2 new",
      "block now tint-2 next join-r",
      "block past",
    ]);
  });

  test("leave out the next pair where it is a question", () => {
    assert.equal(at(5, { next: false }), "block now tint-2");
  });

  test("mark the selected token, and equal ones where they are there already", () => {
    const equal = { ...block, start: 9, end: 11 };
    assert.equal(at(4, { chosen: block }), "block now tint-2 new on");
    assert.equal(at(6, { chosen: equal }), "block past same");
    assert.equal(at(3, { chosen: equal }), "block later");
    assert.equal(at(6, { chosen: { ...equal, id: 301 } }), "block past");
  });

  test("show symbols, and special tokens", () => {
    const symbol = { ...block, step: -1 };
    assert.equal(classesOf(symbol, { k: 0, next: false, chosen: null, special: [300] }), "block now symbol tint-2 control");
  });
});

test("all text of a tower has the least height where one is asked for", () => {
  for (const { held } of towers) {
    const replay = makeReplay(unpackHeld(held));
    if (!replay.tower?.blocks.length) continue;
    for (const writing of ["text", "hex", "ids"]) {
      const room = { width: 1600, height: 900, fontSize: 20, least: 20 };
      const { column, row, smallest, isCompact } = fit(replay.tower, room, narrowestOf(replay, writing));
      for (const block of replay.tower.blocks) {
        const first = replay.tower.places.get(block.start);
        const width = replay.tower.widths.slice(first, first + block.end - block.start).reduce((sum, each) => sum + each, 0);
        assert.ok(labelOf(replay, block, writing, width, { smallest }).size * column >= 20 - 1e-6);
        if (block.gone === Infinity) assert.ok(idSize(block.id, width) * column >= 20 - 1e-6);
      }
      assert.ok(row * (isCompact ? 0.67 : 0.42) >= 18.5);
    }
  }
});

describe("the scenes before the merges are drawn letter by letter", () => {
  const replayOf = (/** @type {string} */ text) => applied.map(({ held }) => makeReplay(unpackHeld(held))).find((replay) => replay.text === text);

  test("but not where letters join, or a pre-token begins within a character", () => {
    const found = applied.map(({ held }) => makeReplay(unpackHeld(held))).map(({ text, ...replay }) => [text, isSeparable({ text, ...replay })]);
    for (const [text, is] of found) assert.equal(is, !/[\u0600-\u06ff]/.test(text), text);
    const replay = replayOf("I'll tokenize pizza 🍕! She'd say: déjà vu");
    const inPizza = replay.byteOffsets.indexOf(new TextEncoder().encode("I'll tokenize pizza ").length) + 1;
    assert.ok(!isSeparable({ ...replay, pieceStarts: replay.pieceStarts.map((symbol, i) => (i === 1 ? inPizza : symbol)) }));
  });
});

describe("the arrow keys lead", () => {
  const { tower } = makeReplay(unpackHeld(applied.find(({ name }) => name.includes("pizza")).held));
  const to = (/** @type {any} */ block, /** @type {string} */ key) => neighborOf(tower.blocks, tower.places, block, key);

  test("from a token to its first part and back, in every row", () => {
    for (const block of tower.blocks) {
      const up = to(block, "ArrowUp");
      if (block.step < 0) assert.equal(up, null);
      else assert.ok(up.start === block.start && up.end < block.end && up.gone === block.step);
      const down = to(block, "ArrowDown");
      if (block.gone === Infinity) assert.equal(down, null);
      else assert.ok(down.step === block.gone && down.start <= block.start && down.end >= block.end);
    }
  });

  test("along the symbols from the first to the last, and back", () => {
    const symbols = tower.blocks.filter(({ step }) => step < 0);
    symbols.forEach((symbol, i) => {
      assert.equal(to(symbol, "ArrowRight")?.start ?? symbols.length, i + 1);
      assert.equal(to(symbol, "ArrowLeft")?.end ?? 0, i);
    });
    assert.equal(to(symbols[0], "Enter"), null);
  });
});
