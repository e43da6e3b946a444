import assert from "node:assert/strict";
import test from "node:test";

import { drawnRightToLeft } from "../../tokviz/widgets/shared/marks.js";

/** @param {string} text @param {string} part what in the text is asked about */
const directionOf = (text, part) => {
  const from = text.indexOf(part);
  return drawnRightToLeft(text, from, from + part.length) ? "rtl" : "ltr";
};

test("letters have their own direction, and digits run left to right", () => {
  assert.equal(directionOf("abc שלום", "שלום"), "rtl");
  assert.equal(directionOf("שלום abc", "abc"), "ltr");
  assert.equal(directionOf("שלום 123", "123"), "ltr");
});

test("what has no direction takes that of its neighbors, or of its line where they differ", () => {
  assert.equal(directionOf("abc, def", ","), "ltr");
  assert.equal(directionOf("שלום, עולם", ","), "rtl");
  assert.equal(directionOf("abc, עולם", ","), "ltr");
  assert.equal(directionOf("שלום, abc", ","), "rtl");
});

test("what stands on another line gives no direction", () => {
  assert.equal(directionOf("a\n.\nשלום", ".\n"), "ltr");
  assert.equal(directionOf(".\n\nשלום", ".\n\n"), "ltr");
  assert.equal(directionOf(".\nשלום", ".\nש"), "ltr");
  assert.equal(directionOf("שלום.\nabc", ".\n"), "rtl");
});
