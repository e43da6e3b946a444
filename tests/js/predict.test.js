import assert from "node:assert/strict";
import test from "node:test";

import { choicesFrom, isWinner } from "../../tokviz/widgets/replay/predict.js";

/** Pairs by their name, "ab": how often each stands there, and its rank. */
const pair = (name, count, rank = -1) => ({ left: name.charCodeAt(0), right: name.charCodeAt(1), count, rank });
const names = (pairs) => pairs.map(({ left, right }) => String.fromCharCode(left, right));

test("while learning every pair that is as frequent as the winner is right", () => {
  const winner = pair("th", 3);
  assert.equal(isWinner(true, winner, winner), true);
  assert.equal(isWinner(true, winner, pair("he", 3)), true);
  assert.equal(isWinner(true, winner, pair("at", 2)), false);
});

test("while a tokenizer is applied the lowest rank alone is right, however frequent others are", () => {
  const winner = pair("th", 1, 4);
  assert.equal(isWinner(false, winner, winner), true);
  assert.equal(isWinner(false, winner, pair("he", 1, 7)), false);
  assert.equal(isWinner(false, winner, pair("at", 1)), false);
});

test("the winner is among the choices, and their order tells nothing", () => {
  const seen = [pair("aa", 1, 9), pair("bb", 1, 2), pair("cc", 1, 5), pair("dd", 1), pair("ee", 1)];
  const ranked = [seen[1], seen[2], seen[0]];
  assert.deepEqual(names(choicesFrom(ranked, seen)), ["aa", "bb", "cc", "dd"]);
});

test("of many tied pairs not all are choices, so that there is a wrong one where there can be", () => {
  const tied = ["aa", "bb", "cc", "dd", "ee"].map((name) => pair(name, 5));
  const [two, one] = [pair("xx", 2), pair("yy", 1)];
  assert.deepEqual(names(choicesFrom([...tied, two, one], [two, one, ...tied])), ["xx", "yy", "aa", "bb"]);
  assert.deepEqual(names(choicesFrom(tied, tied)), ["aa", "bb", "cc", "dd"]);
});

test("where there are few pairs there are few choices", () => {
  const [one, other] = [pair("aa", 2), pair("bb", 1)];
  assert.deepEqual(names(choicesFrom([one, other], [other, one])), ["bb", "aa"]);
});
