import assert from "node:assert/strict";
import { test } from "node:test";

import { Bookmarks } from "../../tokviz/widgets/replay/state/bookmarks.js";

test("each story opens where it was left", () => {
  const steps = { apply: -2, learn: 0 };
  const bookmarks = new Bookmarks(steps);
  bookmarks.keep("apply", 7);
  bookmarks.keep("learn", 3);
  assert.deepEqual([bookmarks.open("learn"), bookmarks.open("apply")], [3, 7]);
  assert.deepEqual(steps, { apply: 7, learn: 3 }, "the page remembers them");
});

test("a new text opens before its first merge", () => {
  const bookmarks = new Bookmarks({ apply: 7, learn: 0 });
  bookmarks.changeText();
  assert.equal(bookmarks.open("apply"), 0);
});

test("a new text keeps the scene before the merges", () => {
  const bookmarks = new Bookmarks({ apply: -2, learn: 0 });
  bookmarks.changeText();
  assert.equal(bookmarks.open("apply"), -2);
});

test("a text is new only once", () => {
  const bookmarks = new Bookmarks({ apply: 7, learn: 0 });
  bookmarks.changeText();
  bookmarks.open("apply");
  bookmarks.keep("apply", 4);
  assert.equal(bookmarks.open("apply"), 4);
});

test("a story that restarts opens before its first merge, and the other where it was left", () => {
  const bookmarks = new Bookmarks({ apply: -2, learn: 5 });
  bookmarks.restart("apply");
  assert.deepEqual([bookmarks.open("apply"), bookmarks.open("learn")], [0, 5]);
});
