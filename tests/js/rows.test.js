import assert from "node:assert/strict";
import test from "node:test";

import { layoutOf, offsetShowing, rowsInSight } from "../../tokviz/widgets/tokens/rows.js";

const ROW = 44;

/** Visible rows, found by checking the position of each. */
function seen(n, top, height, layout) {
  const { first, end, at } = rowsInSight(n, top, height, layout);
  const drawn = Array.from({ length: end - first }, (_, k) => first + k);
  return drawn.filter((i) => at(i) < top + height && at(i) + ROW > top);
}

test("a text of one token has one row, and one of none has none", () => {
  assert.deepEqual(seen(1, 0, 400, layoutOf(1, ROW)), [0]);
  assert.deepEqual(seen(0, 0, 400, layoutOf(0, ROW)), []);
});

test("every visible row is drawn at any scroll position", () => {
  const layout = layoutOf(100, ROW);
  assert.deepEqual([layout.high, layout.squeezed], [100 * ROW, 1]);
  for (let top = 0; top <= layout.high - 400; top++) {
    const expected = Array.from({ length: 100 }, (_, i) => i).filter((i) => i * ROW < top + 400 && (i + 1) * ROW > top);
    assert.deepEqual(seen(100, top, 400, layout), expected);
  }
});

test("of a million rows, few are drawn and all can be reached by scrolling", () => {
  const n = 1_000_000;
  const layout = layoutOf(n, ROW);
  assert.equal(layout.high, 10_000_000);
  assert.equal(seen(n, 0, 400, layout)[0], 0);
  const end = layout.high - 400;
  for (const top of [0, 1, 5_000_000, end]) {
    const { first, end: last } = rowsInSight(n, top, 400, layout);
    assert.ok(last - first < 30);
    assert.ok(seen(n, top, 400, layout).length >= Math.floor(400 / ROW));
  }
  // At a fraction of the scroll range, the rows at that fraction of the list are shown.
  assert.ok(seen(n, end, 400, layout).includes(Math.floor((end * n) / layout.high)));
});

test("a row is scrolled into view from above and below, and stays if it is in view", () => {
  const layout = layoutOf(100, ROW);
  assert.equal(offsetShowing(20, 20 * ROW, 400, layout), 20 * ROW);
  assert.equal(offsetShowing(19, 20 * ROW, 400, layout), 19 * ROW);
  assert.equal(offsetShowing(40, 0, 400, layout), 41 * ROW - 400);
  assert.equal(offsetShowing(9, 0, 400, layout), 10 * ROW - 400); // cut off by the edge
});
