import assert from "node:assert/strict";
import test from "node:test";

import { readEscapes, sourceOf } from "../../tokviz/widgets/shared/escapes.js";

test("an escape is read as the character it stands for", () => {
  assert.equal(readEscapes(String.raw`a\n\t\x41\u00e9\u{1f355}\\n`).text, "a\n\tAé🍕\\n");
});

test("what is no escape stays as typed", () => {
  for (const text of ["\\q", "\\x4", "\\u{110000}", "\\ud800", "\\u{d800}", "\\"]) assert.equal(readEscapes(text).text, text);
});

test("two escapes that are the halves of one character are that character", () => {
  assert.equal(readEscapes(String.raw`\ud83c\udf55`).text, "🍕");
});

test("positions map to the text and back, the inside of an escape to its start", () => {
  const { toText, toSource } = readEscapes(String.raw`a\nb`);
  assert.deepEqual([0, 1, 2, 3, 4].map(toText), [0, 1, 1, 2, 3]);
  assert.deepEqual([0, 1, 2, 3].map(toSource), [0, 1, 3, 4]);
});

test("a text with carriage returns is written with escapes, and read back the same", () => {
  const text = "one\r\ntwo\\n\rthree";
  const { source, escapes } = sourceOf(text);
  assert.equal(escapes, true);
  assert.equal(readEscapes(source).text, text);
  assert.deepEqual(sourceOf("plain\n"), { source: "plain\n", escapes: false });
});
