import assert from "node:assert/strict";
import test from "node:test";

import { joined } from "../../tokviz/widgets/compare/boxes.js";

const box = (row, left, right, label = "", isBytes = false) => ({ row, left, right, label, isBytes });
const plain = (boxes) => boxes.map(({ row, left, right, label }) => [row, left, right, label]);

test("touching boxes are merged with both labels", () => {
  assert.deepEqual(plain(joined([box(0, 0, 10, "a"), box(0, 10.5, 20, "b")], 4)), [[0, 0, 20, "ab"]]);
  assert.deepEqual(plain(joined([box(0, 0, 10, "e2", true), box(0, 10, 20, "82", true)], 4)), [[0, 0, 20, "e2 82"]]);
});

test("right-to-left boxes are merged as well", () => {
  assert.deepEqual(plain(joined([box(0, 20, 30, "a"), box(0, 10, 20, "b")], 4)), [[0, 10, 30, "ab"]]);
});

test("boxes in different rows or with a gap are not merged", () => {
  const apart = [box(0, 0, 10, "a"), box(1, 10, 20, "b"), box(1, 21, 30, "c")];
  assert.deepEqual(plain(joined(apart, 4)), plain(apart));
});

test("boxes without width are widened, once", () => {
  assert.deepEqual(plain(joined([box(0, 50, 50, "↵"), box(1, 0, 0, "")], 6)), [[0, 50, 56, "↵"]]);
  assert.deepEqual(joined([], 6), []);
});

test("the input boxes are not modified", () => {
  const given = [box(0, 0, 10, "a"), box(0, 10, 20, "b")];
  joined(given, 4);
  assert.deepEqual(given, [box(0, 0, 10, "a"), box(0, 10, 20, "b")]);
});
