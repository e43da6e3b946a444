import assert from "node:assert/strict";
import { test } from "node:test";

import { TokenSelection } from "../../tokviz/widgets/replay/stage/selection.js";
import { tinyReplay } from "./tinyreplay.js";

/** Follow a symbol of the tiny replay, "abab ab". @param {number | null} symbol */
function follow(symbol) {
  const selection = new TokenSelection();
  selection.load(tinyReplay());
  selection.follow(symbol);
  return selection;
}

test("the token that is followed grows with the merges", () => {
  const selection = follow(3);
  assert.deepEqual([0, 1, 2, 3].map((k) => selection.tokenAt(k)), [3, 2, 0, 0]);
  assert.equal(selection.symbol, 3);
});

test("in the scenes before the merges it is the one before the first merge", () => {
  assert.equal(follow(3).tokenAt(-2), 3);
});

test("walking goes from token to token, whatever their lengths", () => {
  // k = 1: ab ab | · ab
  const selection = follow(0);
  const starts = [];
  for (let i = 0; i < 5; i++) {
    selection.follow(selection.neighbor(1, 1, 0));
    starts.push(selection.tokenAt(1));
  }
  assert.deepEqual(starts, [2, 4, 5, 5, 5]);
  for (let i = 0; i < 5; i++) {
    selection.follow(selection.neighbor(-1, 1, 0));
    starts.push(selection.tokenAt(1));
  }
  assert.deepEqual(starts.slice(5), [4, 2, 0, 0, 0]);
});

test("walking begins with the first visible token, in either direction", () => {
  assert.equal(follow(null).neighbor(1, 1, 4), 4);
  assert.equal(follow(null).neighbor(-1, 1, 4), 4);
});

test("nothing is followed in another replay, or without one", () => {
  const selection = follow(3);
  selection.load(tinyReplay());
  assert.deepEqual([selection.symbol, selection.tokenAt(1)], [null, null]);
  assert.equal(new TokenSelection().tokenAt(0), null);
});
