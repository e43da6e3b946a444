import assert from "node:assert/strict";
import { test } from "node:test";

import { MAX_PLAYED, MAX_PREDICT_SYMBOLS, Questions } from "../../tokviz/widgets/replay/predict/questions.js";
import { tinyReplay } from "./tinyreplay.js";

/** Positions of the tiny replay, with the scenes before its merges. */
const POSITIONS = [-2, -1, 0, 1, 2, 3];

/** @param {boolean} predict */
function questions(predict, replay = tinyReplay(), { asks = "choices" } = {}) {
  const choices = { predict, asks };
  const found = new Questions(choices);
  found.load(replay);
  return { choices, questions: found, asked: () => POSITIONS.filter((k) => found.isAsked(k)) };
}

test("positions with several pairs are questions; neither scenes, nor a single pair, nor the end are", () => {
  assert.deepEqual(questions(true).asked(), [0, 1]);
});

test("nothing is asked at the end, even if learning stopped with pairs left", () => {
  const { asked } = questions(true, { ...tinyReplay({ story: "learn", ties: "first-seen" }), steps: 1 });
  assert.deepEqual(asked(), [0]);
});

test("nothing is asked or hidden unless predictions are on", () => {
  const { questions: off, choices, asked } = questions(false);
  assert.deepEqual([asked(), off.hidesAhead], [[], false]);
  choices.predict = true;
  assert.deepEqual([asked(), off.hidesAhead], [[0, 1], true]);
});

test("the first question from a position on is that of the first merge before the merges, and none is after the last", () => {
  const { questions: on } = questions(true);
  assert.deepEqual(POSITIONS.map((k) => on.firstAskedFrom(k)), [0, 0, 0, 1, 2, 3]);
  assert.deepEqual(POSITIONS.map((k) => questions(false).questions.firstAskedFrom(k)), POSITIONS);
});

test("nothing is asked without a replay", () => {
  const none = new Questions({ predict: true, asks: "choices" });
  assert.deepEqual([none.isAsked(0), none.isPossible, none.hidesAhead], [false, false, false]);
});

test("an answered question is asked again only after a restart, or of another replay", () => {
  const { questions: on, asked } = questions(true);
  on.reveal(0);
  assert.deepEqual([asked(), on.isRevealed(0), on.isRevealed(1)], [[1], true, false]);
  assert.equal(on.hidesAhead, true);
  on.restart();
  assert.deepEqual([asked(), on.isRevealed(0)], [[0, 1], false]);
  on.reveal(1);
  on.load(tinyReplay());
  assert.deepEqual(asked(), [0, 1]);
});

test("pairs of a long text can't be found by eye, but when learning, the counts decide", () => {
  const long = { ...tinyReplay(), n: MAX_PREDICT_SYMBOLS + 1 };
  const { questions: applying, asked } = questions(true, long);
  assert.deepEqual([applying.isPossible, applying.hidesAhead, asked()], [false, false, []]);
  const learned = { ...tinyReplay({ story: "learn" }), n: MAX_PREDICT_SYMBOLS + 1 };
  assert.equal(questions(true, learned).questions.isPossible, true);
  assert.equal(questions(true, { ...tinyReplay(), n: MAX_PREDICT_SYMBOLS }).questions.isPossible, true);
});

test("the stage is played unless there are choices to go with it, and then the last pair is joined by hand too", () => {
  const played = (predict, asks) => questions(predict, tinyReplay(), { asks });
  const isPlayed = (...given) => played(...given).questions.isPlayed;
  assert.deepEqual([isPlayed(true, "stage"), isPlayed(true, "choices"), isPlayed(false, "stage")], [true, false, false]);
  assert.deepEqual(played(true, "stage").asked(), [0, 1, 2]);
});

test("a longer text can be played than is asked about with choices", () => {
  const isPossible = (n, asks) => questions(false, { ...tinyReplay(), n }, { asks }).questions.isPossible;
  assert.deepEqual([isPossible(MAX_PLAYED, "stage"), isPossible(MAX_PLAYED + 1, "stage")], [true, false]);
  assert.deepEqual([isPossible(MAX_PREDICT_SYMBOLS, "choices"), isPossible(MAX_PREDICT_SYMBOLS + 1, "choices")], [true, false]);
});
