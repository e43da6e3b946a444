import assert from "node:assert/strict";
import test from "node:test";

import { differenceOf } from "../../tokviz/widgets/compare/totals.js";
import { sayEmpty } from "../../tokviz/widgets/compare/texts.js";

test("a difference is in percent of the reference", () => {
  assert.equal(differenceOf(81, 100), "−19 %");
  assert.equal(differenceOf(105, 100), "+5 %");
  assert.equal(differenceOf(1001, 1000), "+0.1 %");
  assert.equal(differenceOf(7, 7), "±0 %");
});

test("of nothing there is no percentage", () => {
  assert.equal(differenceOf(3, 0), "");
  assert.equal(differenceOf(0, 0), "");
});

test("an empty text is said to be empty", () => {
  const [none, some] = [{ bytes: 0 }, { bytes: 5 }];
  assert.equal(sayEmpty(some, none), "No tokens: the second text is empty.");
  assert.match(sayEmpty(none, some), /the first text is empty/);
  assert.match(sayEmpty(none, none), /both texts are empty/);
  assert.equal(sayEmpty(some, some), "");
});
