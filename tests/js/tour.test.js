import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";

import { segmentAt, STOPS } from "../../tokviz/widgets/compare/tour.js";
import { compared } from "./comparisons.js";
import { bytesIn } from "./pieces.js";

const OPENING = readFileSync(new URL("../../tokviz/samples/differences/classics.txt", import.meta.url), "utf-8");

describe("the segment of a stop", () => {
  const stop = { before: "IT'S", place: " 2026" };

  test("is the first difference in its place", () => {
    // “IT'S”, “ ”, “20”, “26”: the last two are cut differently.
    const comparison = compared("IT'S 2026", [[4, 1, 2, 2], [4, 1, 1, 1, 1, 1]]);
    assert.equal(segmentAt(comparison, stop), 2);
  });

  test("is the first segment in its place if all cut it alike", () => {
    assert.equal(segmentAt(compared("IT'S 2026", [[2, 2, 1, 4], [4, 1, 4]]), stop), 1);
  });

  test("may begin before its place and end after it", () => {
    assert.equal(segmentAt(compared("x, IT'S 2026!", [[3, 3, 7], [3, 2, 8]]), stop), 1);
  });

  test("is not one beside its place", () => {
    // “x”, “IT'S”, “ 2026”, “!?”: the first and the last differ, and the place is between them.
    const comparison = compared("xyIT'S 2026!?", [[1, 1, 4, 5, 1, 1], [2, 4, 5, 2]]);
    assert.equal(segmentAt(comparison, stop), 2);
  });

  test("does not exist in a text without the place, or with another text before it", () => {
    for (const text of ["IT'S 2025", "IN 2026"]) assert.equal(segmentAt(compared(text, [[bytesIn(text)], [bytesIn(text)]]), stop), null);
  });
});

test("every stop of the tour is in the opening text, in order", () => {
  const places = STOPS.map(({ before, place }) => OPENING.indexOf(before + place) + before.length);
  assert.deepEqual(places, places.toSorted((a, b) => a - b));
  for (const { before, place } of STOPS) assert.ok(OPENING.includes(before + place), place);
});
