import assert from "node:assert/strict";
import test from "node:test";

import { drawnRightToLeft, firstDirection, lineDirection } from "../../tokviz/widgets/shared/text/direction.js";
import { boundsIn, drawnRightToLeftAmong } from "../../tokviz/widgets/token_view/piece.js";

/** @param {string} text @param {string} part the part of the text to look up */
const directionAt = (text, part) => {
  const from = text.indexOf(part);
  return drawnRightToLeft(text, from, from + part.length) ? "rtl" : "ltr";
};

test("letters have their own direction, and digits run left to right", () => {
  assert.equal(directionAt("abc שלום", "שלום"), "rtl");
  assert.equal(directionAt("שלום abc", "abc"), "ltr");
  assert.equal(directionAt("שלום 123", "123"), "ltr");
});

test("neutral characters take the direction of their neighbors, or of their line if these differ", () => {
  assert.equal(directionAt("abc, def", ","), "ltr");
  assert.equal(directionAt("שלום, עולם", ","), "rtl");
  assert.equal(directionAt("abc, עולם", ","), "ltr");
  assert.equal(directionAt("שלום, abc", ","), "rtl");
});

test("other lines do not affect the direction", () => {
  assert.equal(directionAt("a\n.\nשלום", ".\n"), "ltr");
  assert.equal(directionAt(".\n\nשלום", ".\n\n"), "ltr");
  assert.equal(directionAt(".\nשלום", ".\nש"), "ltr");
  assert.equal(directionAt("שלום.\nabc", ".\n"), "rtl");
});

test("a text has the direction of its first letter, a line that of its own", () => {
  assert.equal(firstDirection("123 abc שלום"), "ltr");
  assert.equal(firstDirection("… مرحبا abc"), "rtl");
  assert.equal(firstDirection("123 !"), null);
  const lines = "abc\nשלום abc\n\n123";
  assert.deepEqual([0, 3, 4, 12, 13, 15].map((at) => lineDirection(lines, at)), ["ltr", "ltr", "rtl", "rtl", "ltr", "ltr"]);
});

test("the first letter gives a text its direction", () => {
  for (const text of ["hello", "你好", "привет, שלום", "é"]) assert.equal(firstDirection(text), "ltr", text);
  for (const text of ["שלום", "مرحبا hello", "ﷺ", "𞤀𞤣𞤤𞤢𞤥"]) assert.equal(firstDirection(text), "rtl", text);
});

test("digits, signs and marks before it don't count", () => {
  assert.equal(firstDirection("12. “שלום”"), "rtl");
  assert.equal(firstDirection("٣ cats"), "ltr"); // an Arabic digit
  assert.equal(firstDirection("\u064b cats"), "ltr"); // an Arabic vowel sign
});

test("a text without letters has no direction", () => {
  for (const text of ["", "123", "🍕 !"]) assert.equal(firstDirection(text), null, text);
});

test("an isolate has no direction to what is around it, and within it there is nothing else", () => {
  const text = "<a> שלום. <b>, ab";
  /** @type {import("../../tokviz/widgets/shared/text/direction.js").Isolates} */
  const isolates = { inside: [{ from: 0, to: 3, dir: "ltr" }, { from: 10, to: 13, dir: "ltr" }], outside: "    שלום.    , ab" };
  const at = (/** @type {number} */ from, /** @type {number} */ to) => (drawnRightToLeftAmong(text, isolates, from, to) ? "rtl" : "ltr");
  assert.deepEqual([at(0, 1), at(1, 2), at(3, 4), at(4, 6), at(8, 9), at(8, 12), at(10, 11), at(12, 14), at(15, 16)], ["ltr", "ltr", "rtl", "rtl", "rtl", "rtl", "ltr", "ltr", "ltr"]);
  assert.equal(drawnRightToLeftAmong(text, null, 8, 9) ? "rtl" : "ltr", "ltr");
});

test("isolates begin and end where their text does, and with lines", () => {
  const text = "ab cd\nef";
  /** @type {import("../../tokviz/widgets/shared/text/direction.js").Isolate[]} */
  const inside = [{ from: 1, to: 4, dir: "ltr" }, { from: 4, to: 5, dir: "rtl" }, { from: 6, to: 8, dir: "ltr" }];
  assert.deepEqual(boundsIn(text, inside, 0, 2, true), [[1, "ltr"]]);
  assert.deepEqual(boundsIn(text, inside, 2, 6, false), [[2, ""], [2, "rtl"]]);
  assert.deepEqual(boundsIn(text, inside, 2, 6, true), [[0, "ltr"], [2, ""], [2, "rtl"]]);
  assert.deepEqual(boundsIn(text, inside, 7, 8, false), []);
});
