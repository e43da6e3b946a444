import assert from "node:assert/strict";
import test from "node:test";

import { cutText } from "../../tokviz/widgets/shared/text/tokenization.js";
import { chunkDirection, estimateRows, findReplacement } from "../../tokviz/widgets/token_view/replacement.js";
import { dice } from "./pieces.js";

const chunksOf = (/** @type {string[]} */ ...texts) => texts.map((text) => ({ text }));
const LINES = ["aa\n", "bb\n", "cc\n", "dd\n", "ee\n"];

test("the same text replaces nothing", () => {
  assert.equal(findReplacement(chunksOf(...LINES), LINES.join("")), null);
  assert.equal(findReplacement([], ""), null);
});

test("an edit replaces its chunk and the neighbors, whose characters it may join", () => {
  const edited = "aa\nbb\ncxc\ndd\nee\n";
  assert.deepEqual(findReplacement(chunksOf(...LINES), edited), { first: 1, end: 4, from: 3, to: 13 });
});

test("a first text fills an empty view, and an empty text empties it", () => {
  assert.deepEqual(findReplacement([], "aa\n"), { first: 0, end: 0, from: 0, to: 3 });
  assert.deepEqual(findReplacement(chunksOf("aa\n", "bb\n"), ""), { first: 0, end: 2, from: 0, to: 0 });
});

test("the chunks kept and the replaced part are the new text, even if lines repeat", () => {
  const roll = dice(7);
  for (let round = 0; round < 5000; round++) {
    const lines = Array.from({ length: roll() % 7 }, () => ["a\n", "b\n"][roll() % 2]);
    const text = lines.join("");
    const at = roll() % (text.length + 1);
    const edited = text.slice(0, at) + "a\n".repeat(roll() % 4) + text.slice(at + (roll() % 5));
    const found = findReplacement(chunksOf(...lines), edited);
    if (!found) {
      assert.equal(edited, text);
      continue;
    }
    assert.ok(found.first <= found.end);
    const middle = edited.slice(found.from, found.to);
    assert.equal(lines.slice(0, found.first).join("") + middle + lines.slice(found.end).join(""), edited);
  }
});

test("an edit in a long line changes one or two of its parts, seldom three, and none grows", () => {
  const roll = dice(11);
  const partsOf = (/** @type {string} */ text, from = 0, to = text.length) => {
    const ends = cutText(text, from, to);
    return chunksOf(...ends.map((end, k) => text.slice(k ? ends[k - 1] : from, end)));
  };
  for (const end of ["", "\n", "\nmore\n"]) {
    let text = "some words of a long line, ".repeat(400) + end;
    let parts = partsOf(text);
    let changed = 0;
    for (let press = 0; press < 300; press++) {
      const at = roll() % (text.length - end.length);
      text = text.slice(0, at) + "x" + text.slice(at);
      const { first, end: last, from, to } = /** @type {any} */ (findReplacement(parts, text));
      const fresh = partsOf(text, from, to);
      const before = new Set(parts.map((part) => part.text));
      changed += fresh.filter((part) => !before.has(part.text)).length;
      parts = [...parts.slice(0, first), ...fresh, ...parts.slice(last)];
      assert.ok(parts.every((part) => part.text.length <= 1500));
    }
    assert.equal(parts.map((part) => part.text).join(""), text);
    assert.ok(changed < 2 * 300, `${changed} parts`);
  }
});

test("lines have directions of their own, and a part of a long line has that of its start", () => {
  assert.equal(chunkDirection("one\ntwo\n", 0, 8, undefined), "auto");
  assert.equal(chunkDirection("one\ntwo", 4, 7, "rtl"), "auto");
  const long = "שלום one";
  assert.equal(chunkDirection(long, 0, 5, undefined), "rtl");
  assert.equal(chunkDirection(long, 5, 8, "rtl"), "rtl");
  assert.equal(chunkDirection("one two three", 4, 8, "auto"), "ltr");
  assert.equal(chunkDirection("123 456", 0, 4, undefined), "ltr");
});

test("each line takes a row, and a long one several", () => {
  assert.equal(estimateRows("abc\n", 80), 1);
  assert.equal(estimateRows("", 80), 1);
  assert.equal(estimateRows("a\n\nb", 80), 3);
  assert.equal(estimateRows(`${"x".repeat(80)}\n${"y".repeat(81)}\n`, 80), 1 + 2);
});
