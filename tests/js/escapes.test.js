import assert from "node:assert/strict";
import test from "node:test";

import { readEscapes, sourceOf } from "../../tokviz/widgets/shared/text/escapes.js";

test("an escape is read as the character it stands for", () => {
  assert.equal(readEscapes(String.raw`a\n\t\x41\u00e9\u{1f355}\\n`).text, "a\n\tAé🍕\\n");
});

test("invalid escapes stay as typed", () => {
  for (const text of ["\\q", "\\x4", "\\u{110000}", "\\ud800", "\\u{d800}", "\\"]) assert.equal(readEscapes(text).text, text);
});

test("two escapes that form a surrogate pair are one character", () => {
  assert.equal(readEscapes(String.raw`\ud83c\udf55`).text, "🍕");
});

test("positions map to the text and back, the inside of an escape to its start", () => {
  const { toText, toSource } = readEscapes(String.raw`a\nb`);
  assert.deepEqual([0, 1, 2, 3, 4].map(toText), [0, 1, 1, 2, 3]);
  assert.deepEqual([0, 1, 2, 3].map(toSource), [0, 1, 3, 4]);
});

test("positions map after any number of escapes", () => {
  // Pairs of a written form and its meaning.
  const parts = [["a"], ["\\n", "\n"], ["b"], ["\\x41", "A"], ["\\u00e9", "é"], ["c"], ["\\u{1f355}", "🍕"], ["d"], ["\\q"]];
  parts.push(["\\ud83c\\udf55", "🍕"], ["\\t", "\t"], ["e"], ["f"]);
  const { text, toText, toSource } = readEscapes(parts.map(([written]) => written).join(""));
  let [source, place] = [0, 0];
  for (const [written, meant = written] of parts) {
    assert.equal(text.slice(place, place + meant.length), meant);
    assert.deepEqual([toText(source), toSource(place)], [place, source], written);
    const inEscape = written !== meant;
    for (let k = 1; k < written.length; k++) assert.equal(toText(source + k), inEscape ? place : place + k, written);
    source += written.length;
    place += meant.length;
  }
  assert.deepEqual([toText(source), toSource(place)], [text.length, source]);
});

test("a text with carriage returns is written with escapes, and read back the same", () => {
  const text = "one\r\ntwo\\n\rthree\r\n\\t\rfour";
  const { source, escapes } = sourceOf(text);
  assert.equal(escapes, true);
  assert.doesNotMatch(source, /\r/); // a text box would change it
  assert.equal(readEscapes(source).text, text);
  assert.deepEqual(sourceOf("plain\n"), { source: "plain\n", escapes: false });
});
