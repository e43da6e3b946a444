import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { given, judge } from "../../tokviz/widgets/replay/predict/moves.js";
import { Questions } from "../../tokviz/widgets/replay/predict/questions.js";
import { tinyReplay } from "./tinyreplay.js";

/** What is said of joining the tokens at two symbols of "abab ab" after k steps. */
function said(k, starts, replay = tinyReplay()) {
  const { isRight, isCounted, says, brief } = judge(replay, k, starts, "text");
  return [isRight, isCounted, says.map((part) => part.name ?? part).join(""), brief];
}

const learned = (ties = "first-seen", counts = [3, 1, 1]) =>
  ({ ...tinyReplay({ story: "learn", ties }), counts: Int32Array.from(counts), tied: Int32Array.of(0, 1, 0) });

describe("a move", () => {
  test("is right at each place of the pair that joins next, whichever of the two is picked first", () => {
    for (const starts of [[0, 1], [1, 0], [2, 3], [5, 6]]) assert.deepEqual(said(0, starts), [true, true, "Right: a + b is merge 1. ", ""]);
    assert.deepEqual(said(0, [0, 1], learned()), [true, true, "Right: a + b stand together 3 times. ", ""]);
  });

  test("must wait if another pair was learned earlier, whose number is said", () => {
    const says = "· + ab is merge 3, one here is merge 2: the lower number joins first.";
    assert.deepEqual(said(1, [4, 5]), [false, true, says, "yours 3, one here has 2"]);
    const none = "b + a: no merge joins these two as they are.";
    assert.deepEqual(said(0, [1, 2]), [false, true, none, "no merge joins these, one here has 1"]);
  });

  test("must wait if another pair is more frequent, or preferred by the tie rule, which is no miss", () => {
    const says = "· + a stand together 1 time, another pair 3 times.";
    assert.deepEqual(said(0, [4, 5], learned()), [false, true, says, "yours 1 time, one here 3 times"]);
    const tie = "· + ab stand together 1 time, and so does another pair. Of pairs as frequent, the one seen first in the text wins.";
    assert.deepEqual(said(1, [4, 5], learned()), [false, false, tie, "a tie: both 1 time"]);
  });

  test("joins neighbors within a pre-token only", () => {
    assert.deepEqual(said(0, [3, 4]), [false, false, "There is a cut between b + ·: no merge crosses it.", "a cut stands between them"]);
    const apart = "The a and the b that you chose don't touch: choose two neighbors.";
    assert.deepEqual(said(0, [0, 3]), [false, false, apart, "not neighbors"]);
  });

  test("waits for its pre-token where one comes after another", () => {
    const replay = { ...tinyReplay({ order: "pretoken" }), ranks: Int32Array.of(0, 5, 2) };
    assert.match(said(1, [4, 5], replay)[2], /merge 3, must wait: one pre-token comes after another/);
    assert.equal(said(1, [4, 5], replay)[3], "yours 3, but in another pre-token");
  });
});

test("who asks for the answer is told the pair and its number, or how often it occurs", () => {
  const text = (parts) => parts.map((part) => part.name ?? part).join("");
  assert.equal(text(given(tinyReplay(), 1, "text")), "ab + ab is merge 2. ");
  assert.equal(text(given(learned(), 0, "text")), "a + b stand together 3 times. ");
});

test("an answer that was given is said at the next position, and its question is not asked again", () => {
  const questions = new Questions({ predict: true, asks: "stage" });
  questions.load(tinyReplay());
  questions.pick(2, 0, "text");
  questions.give(0, "text");
  assert.deepEqual([questions.pickedAt(0), questions.verdictAt(0), questions.verdictAt(1).length > 0, questions.isAsked(0)], [null, [], true, false]);
});

test("the second token that is picked is the move; the same one is let go", () => {
  const questions = new Questions({ predict: true, asks: "stage" });
  questions.load(tinyReplay());
  assert.deepEqual([questions.pick(2, 0, "text"), questions.pickedAt(0)], [null, 2]);
  assert.deepEqual([questions.pick(2, 0, "text"), questions.pickedAt(0)], [null, null]);
  questions.pick(2, 0, "text");
  assert.equal(questions.pick(1, 0, "text").isRight, false);
  assert.deepEqual([questions.pickedAt(0), questions.verdictAt(0).length > 0, questions.verdictAt(1)], [null, true, []]);
  questions.pick(1, 0, "text");
  assert.deepEqual(questions.verdictAt(0), []); // of two that were picked before
  assert.deepEqual(questions.pick(0, 0, "text").starts, [1, 0]);
  assert.deepEqual([questions.verdictAt(0), questions.verdictAt(1).length > 0], [[], true]);
  questions.load(tinyReplay());
  assert.deepEqual([questions.pickedAt(0), questions.verdictAt(1)], [null, []]);
});

test("what is picked ends with a step and with an answer", () => {
  const questions = new Questions({ predict: true, asks: "stage" });
  questions.load(tinyReplay());
  questions.pick(2, 0, "text");
  assert.deepEqual([questions.pickedAt(1), questions.pickedAt(0)], [null, null]);
  questions.pick(2, 0, "text");
  questions.reveal(0);
  assert.equal(questions.pickedAt(0), null);
});

test("a token that is dragged onto another is judged with it, whatever was picked before", () => {
  const questions = new Questions({ predict: true, asks: "stage" });
  questions.load(tinyReplay());
  questions.pick(4, 0, "text");
  assert.equal(questions.move([1, 0], 0, "text").isRight, true);
  assert.deepEqual([questions.pickedAt(0), questions.verdictAt(1).length > 0], [null, true]);
});
