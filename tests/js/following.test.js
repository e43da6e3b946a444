import assert from "node:assert/strict";
import { test } from "node:test";

import { Following } from "../../tokviz/widgets/replay/following.js";
import { tinyReplay } from "./tinyreplay.js";

/** Follow a symbol of the tiny replay, "abab ab". @param {number | null} symbol */
function follow(symbol) {
  const following = new Following();
  following.load(tinyReplay());
  following.follow(symbol);
  return following;
}

test("the token that is followed grows with the merges", () => {
  const following = follow(3);
  assert.deepEqual([0, 1, 2, 3].map((k) => following.tokenAt(k)), [3, 2, 0, 0]);
  assert.equal(following.symbol, 3);
});

test("in the scenes before the merges it is the one before the first merge", () => {
  assert.equal(follow(3).tokenAt(-2), 3);
});

test("walking goes from token to token, whatever their lengths", () => {
  // k = 1: ab ab | · ab
  const following = follow(0);
  const starts = [];
  for (let i = 0; i < 5; i++) {
    following.follow(following.neighbor(1, 1, 0));
    starts.push(following.tokenAt(1));
  }
  assert.deepEqual(starts, [2, 4, 5, 5, 5]);
  for (let i = 0; i < 5; i++) {
    following.follow(following.neighbor(-1, 1, 0));
    starts.push(following.tokenAt(1));
  }
  assert.deepEqual(starts.slice(5), [4, 2, 0, 0, 0]);
});

test("walking begins with the first visible token, in either direction", () => {
  assert.equal(follow(null).neighbor(1, 1, 4), 4);
  assert.equal(follow(null).neighbor(-1, 1, 4), 4);
});

test("nothing is followed in another replay, or without one", () => {
  const following = follow(3);
  following.load(tinyReplay());
  assert.deepEqual([following.symbol, following.tokenAt(1)], [null, null]);
  assert.equal(new Following().tokenAt(0), null);
});
