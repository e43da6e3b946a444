import assert from "node:assert/strict";
import test from "node:test";

import { dearest, levelsOf, linesOf } from "../../tokviz/widgets/tokens/costmap.js";
import { tokensFrom } from "./pieces.js";

test("each token counts for the line that it begins in", () => {
  const model = tokensFrom(["one", " two\n\n", "thr", "ee"]);
  assert.deepEqual(linesOf(model), [
    { start: 0, length: 8, tokens: 2 },
    { start: 8, length: 1, tokens: 0 },
    { start: 9, length: 5, tokens: 2 },
  ]);
  assert.deepEqual(linesOf(tokensFrom([])), []);
});

test("the dearest line has most tokens for its characters, and is no scrap", () => {
  const lines = [{ start: 0, length: 40, tokens: 10 }, { start: 40, length: 2, tokens: 2 }, { start: 42, length: 20, tokens: 15 }];
  assert.deepEqual(dearest(lines), { number: 3, cost: 0.75, start: 42 });
  assert.equal(dearest([]), null);
  assert.equal(dearest(lines.slice(1, 2)), null);
});

test("a map has a band for each row, or at most 240, and darker ones where tokens are many", () => {
  const lines = [{ start: 0, length: 41, tokens: 4 }, { start: 41, length: 20, tokens: 20 }];
  assert.deepEqual(levelsOf(lines, 20), [0, 0, 4]);
  const many = Array.from({ length: 1000 }, (_, k) => ({ start: 10 * k, length: 10, tokens: k < 500 ? 1 : 30 }));
  const levels = levelsOf(many, 80);
  assert.deepEqual([levels.length, levels[0], levels[239]], [240, 0, 5]);
});
