import assert from "node:assert/strict";
import test from "node:test";

import { directionOf } from "../../tokviz/widgets/shared/text/direction.js";

test("the first letter gives a text its direction", () => {
  for (const text of ["hello", "你好", "привет, שלום", "é"]) assert.equal(directionOf(text), "ltr", text);
  for (const text of ["שלום", "مرحبا hello", "ﷺ"]) assert.equal(directionOf(text), "rtl", text);
});

test("digits, signs and marks before it don't count", () => {
  assert.equal(directionOf("12. “שלום”"), "rtl");
  assert.equal(directionOf("٣ cats"), "ltr"); // an Arabic digit
});

test("a text without letters runs left to right", () => {
  for (const text of ["", "123", "🍕 !"]) assert.equal(directionOf(text), "ltr", text);
});
