import assert from "node:assert/strict";
import test from "node:test";

import { teethOf } from "../../tokviz/widgets/token_view/idroom.js";
import { MAX_ROWS, placeIds, spread } from "../../tokviz/widgets/token_view/idrows.js";
import { dice } from "./pieces.js";

const DIGIT = 7;

/** Chips side by side. @param {[width: number, digits: number][]} chips @param {number} group chips in a group */
function line(chips, group = 8) {
  let left = 0;
  return chips.map(([width, digits], token) => {
    const item = { token, left, right: left + width, width: digits * DIGIT, group: Math.floor(token / group), isDense: false };
    left += width;
    return item;
  });
}

test("where there is room, each id stands in the first row, centered beneath its chip", () => {
  const places = placeIds(line([[50, 4], [60, 5], [40, 3]]), 800, DIGIT);
  assert.deepEqual(places.map(({ row, path }) => [row, path]), [[0, [25]], [0, [80]], [0, [130]]]);
});

test("in large type, ids are as far apart as half a digit", () => {
  const big = 23; // of a slide
  const items = line([[200, 3], [70, 3], [70, 3], [200, 3]]).map((item) => ({ ...item, width: (item.width / DIGIT) * big }));
  const [, one, other] = placeIds(items, 800, big);
  assert.equal(one.row, other.row);
  assert.ok(other.path[0] - one.path[0] - (one.width + other.width) / 2 >= big / 2 - 1e-9);
});

test("large type needs no more rows than half as large type", () => {
  const roll = dice(11);
  const rowsAt = (/** @type {[number, number][]} */ chips, /** @type {number} */ scale) => {
    const items = line(chips).map((item) => ({ ...item, left: item.left * scale, right: item.right * scale, width: item.width * scale }));
    return Math.max(...placeIds(items, 300 * scale, DIGIT * scale).map(({ row }) => row));
  };
  const seen = new Set();
  for (let k = 0; k < 300; k++) {
    const chips = /** @type {[number, number][]} */ (Array.from({ length: 6 }, () => [16 + (roll() % 20), 1 + (roll() % 4)]));
    const isOneRow = rowsAt(chips, 3) === 0;
    assert.equal(rowsAt(chips, 6) === 0, isOneRow);
    seen.add(isOneRow);
  }
  assert.equal(seen.size, 2);
});

test("what is dense is put into one bracket", () => {
  const items = line([[50, 4], ...Array(17).fill([1, 3]), [50, 4]], 100).map((item, k) => ({ ...item, group: k === 0 ? 0 : k < 18 ? 1 : 2, isDense: k > 0 && k < 18 }));
  assert.deepEqual(placeIds(items, 800, DIGIT).map(({ tokens }) => tokens.length), [1, 17, 1]);
});

test("each token has its id once, no two overlap, and no leader crosses one", () => {
  const roll = dice(7);
  for (let k = 0; k < 300; k++) {
    const items = line(Array.from({ length: 1 + (roll() % 40) }, () => [2 + (roll() % 60), 1 + (roll() % 6)]));
    const places = placeIds(items, 1200, DIGIT);
    assert.deepEqual(places.flatMap(({ tokens }) => tokens).sort((a, b) => a - b), [...items.keys()]);
    for (let row = 0; row < MAX_ROWS; row++) {
      const here = places.filter((place) => place.row >= row).map((place) => {
        const half = place.row === row ? place.width / 2 : 0;
        return [place.path[row] - half, place.path[row] + half];
      });
      for (const [i, [left]] of here.entries()) assert.ok(i === 0 || left >= here[i - 1][1] - 1e-6, `${k} ${row}`);
    }
  }
});

test("intervals move as little as possible", () => {
  assert.deepEqual(spread([{ center: 50, half: 10 }, { center: 50, half: 10 }], { from: 0, to: 200 }), [40, 60]);
  assert.deepEqual(spread([{ center: 2, half: 10 }], { from: 0, to: 200 }), [10]);
  assert.deepEqual(spread([{ center: 199, half: 10 }], { from: 0, to: 200 }), [190]);
});

test("an id is near its chip, or all groups of several ids are brackets", () => {
  const roll = dice(11);
  let farthest = 0;
  for (let k = 0; k < 300; k++) {
    const items = line(Array.from({ length: 1 + (roll() % 40) }, () => [2 + (roll() % 60), 1 + (roll() % 6)]));
    const places = placeIds(items, 1200, DIGIT);
    const singles = places.filter(({ tokens }) => tokens.length === 1);
    const groups = singles.map(({ tokens: [token] }) => items.filter(({ group }) => group === items[token].group).length);
    if (groups.every((count) => count === 1)) continue;
    for (const { left, right, path } of places) farthest = Math.max(farthest, Math.abs(path.at(-1) - (left + right) / 2));
  }
  assert.ok(farthest > 0 && farthest <= 2 * DIGIT, String(farthest));
});

/** Dense characters, each a group of so many tokens on one chip. @param {[left: number, right: number, tokens: number][]} chips */
const dense = (...chips) => {
  let token = 0;
  return chips.flatMap(([left, right, tokens], group) => Array.from({ length: tokens }, () => ({ token: token++, left, right, width: 3 * DIGIT, group, isDense: true })));
};

test("each dense character has a bracket of its own, which says what it counts where there is room", () => {
  const labels = (items) => placeIds(items, 800, DIGIT).map(({ text, tokens, row }) => [text, tokens.length, row]);
  assert.deepEqual(labels(dense([100, 130, 17], [145, 175, 26], [190, 220, 9])), [["×17", 17, 0], ["×26", 26, 0], ["×9", 9, 0]]);
  assert.deepEqual(labels(dense([100, 130, 17], [400, 430, 26])), [["17 tokens", 17, 0], ["26 tokens", 26, 0]]);
  assert.deepEqual(labels(dense([100, 115, 17], [116, 131, 26])), [["43 tokens", 43, 0]]); // their labels would overlap
});

test("neighboring brackets have room for their labels, or are one", () => {
  const crowded = line(Array(16).fill([4, 5]), 4);
  const brackets = placeIds(crowded, 800, DIGIT).filter(({ tokens }) => tokens.length > 1);
  assert.ok(brackets.length > 0);
  brackets.slice(1).forEach(({ path, width }, k) => assert.ok(path.at(-1) - brackets[k].path.at(-1) >= (width + brackets[k].width) / 2));
  const wide = line(Array(20).fill([9, 5]), 10);
  assert.deepEqual(placeIds(wide, 800, DIGIT).map(({ tokens, row, left, right, path }) => [tokens.length, row, Math.abs(path[0] - (left + right) / 2) < 10]), [[10, 0, true], [10, 0, true]]);
});

test("a word of many tokens is divided evenly", () => {
  const places = placeIds(line(Array(14).fill([5, 5]), 14), 800, DIGIT);
  assert.deepEqual(places.map(({ tokens }) => tokens.length), [7, 7]);
});

test("a line with several rows of ids moves those after it down, unless a blank one is room enough", () => {
  assert.deepEqual(teethOf([1, 1, 1], 40, 10), []);
  assert.deepEqual(teethOf([1, 3, 1, 2], 40, 10), [{ top: 80, height: 20 }, { top: 180, height: 10 }]);
  assert.deepEqual(teethOf([3, 0, 1], 40, 10), []);
});
