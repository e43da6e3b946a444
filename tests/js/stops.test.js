import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";

import { outcome, segmentAt, STOPS } from "../../tokviz/widgets/compare/stops.js";
import { compared } from "./comparisons.js";
import { bytesIn } from "./pieces.js";

const OPENING = readFileSync(new URL("../../tokviz/samples/differences/classics.txt", import.meta.url), "utf-8");

test("the tour states reasons that hold for at least two of the tokenizers", () => {
  // The first two cut alike; only the third joins in a different order.
  const columns = { reasons_1: Uint8Array.of(0), reasons_2: Uint8Array.of(8) };
  const said = outcome(compared("abc", [[1, 2], [1, 2], [2, 1]], columns), 0);
  assert.match(said, /^tokenizer 0 makes 2 tokens of it, tokenizer 1 2, tokenizer 2 2\. Why: one has all the tokens that another uses/);
  // The reasons of two pairs of tokenizers are listed together, and don't contradict each other.
  const both = outcome(compared("abc", [[1, 2], [3], [2, 1]], { reasons_1: Uint8Array.of(4), reasons_2: Uint8Array.of(8) }), 0);
  assert.match(both, /one uses a token here that another doesn't have, and one has all the tokens that another uses/);
  assert.doesNotMatch(both, /they/);
});

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
