import assert from "node:assert/strict";
import { test } from "node:test";

import { Bookmarks, tellingStep } from "../../tokviz/widgets/replay/state/bookmarks.js";

const NONE = { steps: 0 };

test("each story opens where it was left", () => {
  const steps = { apply: -2, learn: 0 };
  const bookmarks = new Bookmarks(steps);
  bookmarks.keep("apply", 7);
  bookmarks.keep("learn", 3);
  assert.deepEqual([bookmarks.open("learn", NONE), bookmarks.open("apply", NONE)], [3, 7]);
  assert.deepEqual(steps, { apply: 7, learn: 3 }, "the page remembers them");
});

test("a new text opens before its first merge", () => {
  const bookmarks = new Bookmarks({ apply: 7, learn: 0 });
  bookmarks.changeText();
  assert.equal(bookmarks.open("apply", NONE), 0);
});

test("a new text keeps the scene before the merges", () => {
  const bookmarks = new Bookmarks({ apply: -2, learn: 0 });
  bookmarks.changeText();
  assert.equal(bookmarks.open("apply", NONE), -2);
});

test("a text that is typed while its merges are watched goes on among them, or with all of them", () => {
  const opened = (/** @type {number} */ left, /** @type {number} */ last, /** @type {number} */ steps) => {
    const bookmarks = new Bookmarks({ apply: 0, learn: left });
    bookmarks.open("learn", { steps: last });
    bookmarks.changeText(true);
    return bookmarks.open("learn", { steps });
  };
  assert.deepEqual([opened(0, 5, 8), opened(5, 5, 8), opened(3, 5, 8), opened(-1, 5, 2)], [8, 8, 3, 2]);
});

test("a story that was left at its end opens at its end, whatever setting has changed", () => {
  const bookmarks = new Bookmarks({ apply: 3, learn: 5 });
  bookmarks.open("learn", { steps: 5 });
  bookmarks.open("apply", { steps: 5 });
  assert.deepEqual([bookmarks.open("learn", { steps: 8 }), bookmarks.open("apply", { steps: 8 })], [8, 3]);
});

test("a text is new only once", () => {
  const bookmarks = new Bookmarks({ apply: 7, learn: 0 });
  bookmarks.changeText();
  bookmarks.open("apply", NONE);
  bookmarks.keep("apply", 4);
  assert.equal(bookmarks.open("apply", NONE), 4);
});

test("a story that restarts opens before its first merge, and the other where it was left", () => {
  const bookmarks = new Bookmarks({ apply: -2, learn: 5 });
  bookmarks.restart("apply");
  assert.deepEqual([bookmarks.open("apply", NONE), bookmarks.open("learn", NONE)], [0, 5]);
});

test("a story that was never on screen opens at its telling step", () => {
  // ab, cd, abcd, e + f: the third merge joins what two merges made.
  const merges = { steps: 4, lefts: Int32Array.of(0, 2, 6, 4), rights: Int32Array.of(1, 3, 7, 5), newIds: Int32Array.of(6, 7, 8, 9) };
  const bookmarks = new Bookmarks({ apply: null, learn: 0 });
  assert.equal(bookmarks.open("apply", merges), 2);
  bookmarks.keep("apply", 1);
  assert.equal(bookmarks.open("apply", merges), 1);
});

test("without a merge of two made symbols, the telling step has one, or is the middle", () => {
  const grown = { steps: 3, lefts: Int32Array.of(0, 4, 5), rights: Int32Array.of(1, 2, 3), newIds: Int32Array.of(4, 5, 6) };
  assert.equal(tellingStep(grown), 1);
  const apart = { steps: 3, lefts: Int32Array.of(0, 2, 4), rights: Int32Array.of(1, 3, 5), newIds: Int32Array.of(6, 7, 8) };
  assert.equal(tellingStep(apart), 1);
  const none = { steps: 0, lefts: Int32Array.of(), rights: Int32Array.of(), newIds: Int32Array.of() };
  assert.equal(tellingStep(none), 0);
});
