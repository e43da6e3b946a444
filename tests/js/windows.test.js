import assert from "node:assert/strict";
import test from "node:test";

import { costOf } from "../../tokviz/widgets/compare/figures.js";
import { OWN, percent, sayShare, WINDOWS } from "../../tokviz/widgets/shared/text/windows.js";

test("a share is in percent, with two significant digits", () => {
  const shares = [0, 0.5, 0.123, 0.1, 0.0999, 0.0123, 0.00456, 0.000789, 0.00001234, 14];
  const said = ["0 %", "50 %", "12 %", "10 %", "10 %", "1.2 %", "0.46 %", "0.08 %", "0.0012 %", "1,400 %"];
  assert.deepEqual(shares.map(percent), said);
});

test("a text fits in one window, or takes several", () => {
  assert.equal(sayShare(50, 50), "100 % of one window of 50 tokens; the text fits in one window.");
  assert.equal(sayShare(51, 50), "102 % of one window of 50 tokens; the text takes 2 windows.");
  assert.equal(sayShare(0, 1), "0 % of one window of 1 token; the text fits in one window.");
  assert.equal(sayShare(1, 1_000_000), "0.0001 % of one window of 1,000,000 tokens; the text fits in one window.");
});

test("window sizes are ascending, and the last choice is custom", () => {
  const sizes = WINDOWS.map(([size]) => size);
  assert.equal(sizes.pop(), OWN);
  assert.deepEqual(sizes.map(Number), sizes.map(Number).toSorted((one, other) => one - other));
});

test("the cost is the number of tokens times the price per million", () => {
  assert.equal(costOf(2_000_000, "2.5"), "5.00");
  assert.equal(costOf(1234, "3"), "0.0037");
  assert.equal(costOf(123_456_789, "10"), "1,234.57");
  assert.equal(costOf(100, "0"), "0.00");
});

test("without a price there is no cost", () => {
  for (const price of ["", "-1", "x"]) assert.equal(costOf(100, price), "–");
});
