import assert from "node:assert/strict";
import { test } from "node:test";

import { estimateRows, unchangedEnds } from "../../tokviz/widgets/compare/staffs.js";

test("unchanged staffs at both ends of a text are found", () => {
  const ends = (old, texts) => Object.values(unchangedEnds([...old], [...texts]));
  assert.deepEqual(ends("abcd", "abXd"), [2, 1]);
  assert.deepEqual(ends("abcd", "Xbcd"), [0, 3]);
  assert.deepEqual(ends("abcd", "abcX"), [3, 0]);
  assert.deepEqual(ends("ad", "abcd"), [1, 1]);
  assert.deepEqual(ends("abcd", "ad"), [1, 1]);
  assert.deepEqual(ends("", "ab"), [0, 0]);
});

test("no staff is kept for both ends", () => {
  const ends = (old, texts) => Object.values(unchangedEnds([...old], [...texts]));
  assert.deepEqual(ends("aa", "aaa"), [2, 0]);
  assert.deepEqual(ends("aaa", "aa"), [2, 0]);
  assert.deepEqual(ends("aba", "aba"), [3, 0]);
});

test("rows are estimated from the lines and the width", () => {
  // 352 pixels are 32 characters of 11 pixels, 12 of them beside the text.
  assert.equal(estimateRows("x".repeat(20), 352), 1);
  assert.equal(estimateRows("x".repeat(21), 352), 2);
  assert.equal(estimateRows(`${"x".repeat(41)}\n\nend\n`, 352), 3 + 1 + 1);
  assert.equal(estimateRows("", 352), 1);
});

test("a narrow score has at least ten characters in a row, and one that is not laid out about sixty", () => {
  assert.equal(estimateRows("x".repeat(30), 11), 3);
  assert.equal(estimateRows("x".repeat(60), 0), 1);
  assert.equal(estimateRows("x".repeat(61), 0), 2);
});
