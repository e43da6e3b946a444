import assert from "node:assert/strict";
import test from "node:test";

import { moreNote, restNote } from "../../tokviz/widgets/replay/explain/bars.js";

/** @param {number} listed @param {number} mergeable @param {number} without */
function note(listed, mergeable, without) {
  const top = Array.from({ length: listed }, (_, rank) => ({ left: 0, right: rank, count: 1, rank }));
  return restNote({ top, without, distinct: mergeable + without });
}

test("pairs that merge later are counted apart from pairs that never merge", () => {
  assert.equal(
    note(10, 15, 4),
    "5 more pairs have a later merge. No merge was learned for 4 other pairs.",
  );
  assert.equal(note(10, 11, 0), "1 more pair has a later merge.");
  assert.equal(note(3, 3, 1), "No merge was learned for 1 other pair.");
});

test("if no pair is listed, the note does not say “other pairs”", () => {
  assert.equal(note(0, 0, 1), "No merge was learned for 1 pair.");
  assert.equal(note(0, 0, 2), "No merge was learned for 2 pairs.");
  assert.equal(note(0, 0, 0), "There are no pairs left.");
  assert.equal(note(10, 10, 0), "");
});

test("while merges are learned, pairs that are not listed are counted: those that may be merged, and those that occur once", () => {
  const top = Array.from({ length: 10 }, (_, i) => ({ left: 0, right: i, count: 2, rank: -1 }));
  const noteOf = (/** @type {number} */ often, /** @type {number} */ once, listed = top) => moreNote({ top: listed, distinct: often + once, once });
  assert.equal(noteOf(13, 4), "3 more pairs occur twice or more, 4 once.");
  assert.equal(noteOf(11, 0), "1 more pair occurs twice or more.");
  assert.equal(noteOf(10, 1), "1 more pair occurs once.");
  assert.equal(noteOf(8, 5), "3 more pairs occur once."); // two of those that occur once are listed
  assert.equal(noteOf(3, 2, top.slice(0, 5)), "");
});
