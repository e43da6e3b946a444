import assert from "node:assert/strict";
import test from "node:test";

import { rounded } from "../../tokviz/widgets/shared/dom/elements.js";
import { percent } from "../../tokviz/widgets/shared/text/windows.js";
import { differenceOf } from "../../tokviz/widgets/compare/totals.js";
import { sayEmpty } from "../../tokviz/widgets/compare/texts.js";

test("a difference is in percent of the reference", () => {
  assert.equal(differenceOf(81, 100), "−19 %");
  assert.equal(differenceOf(105, 100), "+5 %");
  assert.equal(differenceOf(1001, 1000), "+0.1 %");
  assert.equal(differenceOf(7, 7), "±0 %");
});

test("there is no percentage of 0", () => {
  assert.equal(differenceOf(3, 0), "");
  assert.equal(differenceOf(0, 0), "");
});

test("an empty text is reported as empty", () => {
  const [none, some] = [{ bytes: 0 }, { bytes: 5 }];
  assert.equal(sayEmpty(some, none), "No tokens: the second text is empty.");
  assert.match(sayEmpty(none, some), /the first text is empty/);
  assert.match(sayEmpty(none, none), /both texts are empty/);
  assert.equal(sayEmpty(some, some), "");
});

test("only exact values are shown as 0 or 100 percent", () => {
  assert.equal(differenceOf(1_000_001, 1_000_000), "+0.0001 %");
  assert.equal(differenceOf(1, 250), "−99.6 %");
  assert.equal(differenceOf(0, 250), "−100 %");
  assert.equal(differenceOf(500, 250), "+100 %");
  assert.equal(percent(1), "100 %");
  assert.equal(percent(0), "0 %");
  assert.equal(percent(0.996), "99.6 %");
  assert.equal(percent(1.004), "100.4 %");
  assert.equal(percent(1e-7), "0.00001 %");
  assert.equal(rounded(99.996, 1), "99.996");
});
