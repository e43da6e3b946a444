import assert from "node:assert/strict";
import test from "node:test";

import { choicesFrom, isWinner, verdictOf } from "../../tokviz/widgets/replay/predict/vote.js";

/** A pair by its name, such as "ab", with its count and rank. */
const pair = (name, count, rank = -1) => ({ left: name.charCodeAt(0), right: name.charCodeAt(1), count, rank });
const names = (pairs) => pairs.map(({ left, right }) => String.fromCharCode(left, right));

test("when learning, every pair as frequent as the winner is right", () => {
  const winner = pair("th", 3);
  assert.equal(isWinner(true, winner, winner), true);
  assert.equal(isWinner(true, winner, pair("he", 3)), true);
  assert.equal(isWinner(true, winner, pair("at", 2)), false);
});

test("when applying, only the lowest rank is right, whatever the counts", () => {
  const winner = pair("th", 1, 4);
  assert.equal(isWinner(false, winner, winner), true);
  assert.equal(isWinner(false, winner, pair("he", 1, 7)), false);
  assert.equal(isWinner(false, winner, pair("at", 1)), false);
});

test("the winner is among the choices, and their order gives nothing away", () => {
  const seen = [pair("aa", 1, 9), pair("bb", 1, 2), pair("cc", 1, 5), pair("dd", 1), pair("ee", 1)];
  const ranked = [seen[1], seen[2], seen[0]];
  assert.deepEqual(names(choicesFrom(ranked, seen)), ["aa", "bb", "cc", "dd"]);
});

test("not all of many tied pairs are choices, so that one choice is wrong if possible", () => {
  const tied = ["aa", "bb", "cc", "dd", "ee"].map((name) => pair(name, 5));
  const [two, one] = [pair("xx", 2), pair("yy", 1)];
  assert.deepEqual(names(choicesFrom([...tied, two, one], [two, one, ...tied])), ["xx", "yy", "aa", "bb"]);
  assert.deepEqual(names(choicesFrom(tied, tied)), ["aa", "bb", "cc", "dd"]);
});

test("few pairs give few choices", () => {
  const [one, other] = [pair("aa", 2), pair("bb", 1)];
  assert.deepEqual(names(choicesFrom([one, other], [other, one])), ["bb", "aa"]);
});

test("a wrong answer is told why, in numbers", () => {
  const named = (name, count, rank) => ({ ...pair(name, count, rank), name: [...name].join(" + ") });
  assert.equal(verdictOf(false, [named("·t", 1, 3)], named("·t", 1, 3)), "Right.");
  assert.equal(
    verdictOf(false, [named("·t", 1, 3)], named("ke", 2, 1185)),
    "No. · + t is merge 4, k + e is merge 1,186: the lower number wins.",
  );
  assert.equal(verdictOf(false, [named("·t", 1, 3)], named("xq", 2)), "No. · + t is merge 4; no merge joins x + q as they are.");
  assert.equal(
    verdictOf(true, [named("th", 3)], named("at", 1)),
    "No. t + h: 3 times. a + t: 1 time. The most frequent pair wins.",
  );
  const tied = [named("th", 3), named("he", 3)];
  assert.equal(
    verdictOf(true, tied, named("at", 2)),
    "No. t + h or h + e: 3 times. a + t: 2 times. The most frequent pair wins. 2 of these are tied, and all of them count as right.",
  );
  assert.equal(verdictOf(true, tied, tied[1]), "Right. 2 of these are tied, and all of them count as right.");
});
