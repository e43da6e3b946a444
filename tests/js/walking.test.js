import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { moveFrom, Walking } from "../../tokviz/widgets/compare/walking.js";
import { compared } from "./comparisons.js";

const [VOCABULARY, SPLIT, ORDER] = [4, 2, 8];
const ALL = { reason: 0, kind: -1 };

// Segment 0, “x”, is cut alike; segments 1 to 5, of two letters each, are the differences 0 to 4.
const TEXT = "xaabbccddee";
const CUTS = [
  [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1],
  [1, 2, 2, 2, 2, 2],
];
const COLUMNS = {
  reasons_1: Uint8Array.of(SPLIT, VOCABULARY, SPLIT, SPLIT + VOCABULARY, ORDER),
  classes: Uint8Array.of(0, 1, 0, 0, 1),
};
const COMPARISON = compared(TEXT, CUTS, COLUMNS);

/** @param {{reason: number, kind: number}} filter */
function walkingBy(filter) {
  const walking = new Walking(filter);
  walking.show(COMPARISON);
  return walking;
}

test("navigation wraps around at both ends", () => {
  const places = [-1, 0, 1, 2];
  assert.deepEqual(places.map((at) => moveFrom(at, "next", 3)), [0, 1, 2, 0]);
  assert.deepEqual(places.map((at) => moveFrom(at, "previous", 3)), [2, 2, 0, 1]);
  assert.deepEqual(places.map((at) => moveFrom(at, "first", 3)), [0, 0, 0, 0]);
  assert.deepEqual(places.map((at) => moveFrom(at, "last", 3)), [2, 2, 2, 2]);
  assert.deepEqual([moveFrom(0, "next", 1), moveFrom(0, "previous", 1)], [0, 0]);
});

describe("filters", () => {
  test("a reason and a class narrow the walk down", () => {
    const passing = (reason, kind) => walkingBy({ reason, kind }).passing;
    assert.deepEqual(passing(0, -1), [0, 1, 2, 3, 4]);
    assert.deepEqual(passing(SPLIT, -1), [0, 2, 3]);
    assert.deepEqual(passing(VOCABULARY, -1), [1, 3]);
    assert.deepEqual(passing(0, 1), [1, 4]);
    assert.deepEqual(passing(VOCABULARY, 0), [3]);
    assert.deepEqual(passing(SPLIT, 1), []);
  });

  test("offered are the reasons and classes of the differences that pass the other filter", () => {
    const walking = walkingBy({ reason: SPLIT, kind: -1 });
    const counts = (choices) => choices.map(({ value, count }) => [value, count]);
    assert.deepEqual(counts(walking.reasons()), [[SPLIT, 3], [VOCABULARY, 2], [ORDER, 1]]);
    assert.deepEqual(counts(walking.kinds()), [[0, 3], [1, 0]]);
    walking.filterBy({ reason: 0, kind: 1 });
    assert.deepEqual(counts(walking.reasons()), [[VOCABULARY, 1], [ORDER, 1]]);
    assert.deepEqual(walking.kinds().map(({ name, count }) => [name, count]), [["letters", 3], ["digits", 2]]);
  });

  test("a selected reason or class is offered even if the text has none of it", () => {
    const walking = walkingBy({ reason: 1, kind: 2 });
    assert.deepEqual(walking.reasons().map(({ value, count }) => [value, count]), [[1, 0]]);
    assert.deepEqual(walking.kinds().map(({ value }) => value), [0, 1, 2]);
    const other = new Walking({ reason: 0, kind: 0 });
    other.show(compared(TEXT, CUTS, { ...COLUMNS, classes: Uint8Array.of(2, 1, 1, 2, 1) }));
    assert.deepEqual(other.kinds().map(({ value, count }) => [value, count]), [[0, 0], [1, 3], [2, 2]]);
  });
});

describe("the current difference", () => {
  test("moves among those that pass, and leads to segments", () => {
    const walking = walkingBy({ reason: SPLIT, kind: -1 });
    assert.equal(walking.at, -1);
    assert.deepEqual(["next", "next", "last", "next", "previous"].map((move) => walking.move(move)), [1, 3, 4, 1, 4]);
    assert.equal(walking.at, 2);
    assert.equal(walkingBy({ reason: SPLIT, kind: 1 }).move("next"), null);
  });

  test("stays when the filter changes, as long as it passes", () => {
    const walking = walkingBy(ALL);
    walking.standAt(4); // difference 3
    assert.equal(walking.at, 3);
    walking.filterBy({ reason: VOCABULARY, kind: -1 });
    assert.equal(walking.at, 1);
    walking.filterBy({ reason: ORDER, kind: -1 });
    assert.equal(walking.at, -1);
    walking.filterBy(ALL);
    assert.equal(walking.at, -1);
  });

  test("is none if the segment doesn't differ or doesn't pass", () => {
    const walking = walkingBy({ reason: VOCABULARY, kind: -1 });
    for (const [segment, at] of [[2, 0], [0, -1], [4, 1], [1, -1], [2, 0], [null, -1]]) {
      walking.standAt(segment);
      assert.equal(walking.at, at);
    }
  });

  test("stays when the reasons of its text come later, and goes with the text", () => {
    const walking = new Walking(ALL);
    walking.show(compared(TEXT, CUTS));
    walking.standAt(3);
    walking.show(COMPARISON);
    assert.equal(walking.at, 2);
    walking.show(compared(`y${TEXT.slice(1)}`, CUTS, COLUMNS));
    assert.equal(walking.at, -1);
  });
});

test("there is nothing to walk through before a comparison", () => {
  const walking = new Walking({ reason: SPLIT, kind: 1 });
  assert.equal(walking.move("next"), null);
  walking.standAt(0);
  assert.deepEqual([walking.at, walking.passing, walking.kinds().length], [-1, [], 1]);
});
