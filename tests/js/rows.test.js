import assert from "node:assert/strict";
import test from "node:test";

import { layoutOf, offsetShowing, rowsInSight } from "../../tokviz/widgets/tokens/idlist.js";

const ROW = 44;
const HEIGHT = 400;

/** Visible rows, found by checking the position of each. */
function seen(n, top, layout) {
  const { first, end, at } = rowsInSight(n, top, layout);
  const drawn = Array.from({ length: end - first }, (_, k) => first + k);
  return drawn.filter((i) => at(i) < top + layout.height && at(i) + ROW > top);
}

test("a text of one token has one row, and one of none has none", () => {
  assert.deepEqual(seen(1, 0, layoutOf(1, ROW, HEIGHT)), [0]);
  assert.deepEqual(seen(0, 0, layoutOf(0, ROW, HEIGHT)), []);
});

test("every visible row is drawn at any scroll position", () => {
  const layout = layoutOf(100, ROW, HEIGHT);
  assert.deepEqual([layout.high, layout.scale], [100 * ROW, 1]);
  for (let top = 0; top <= layout.high - HEIGHT; top++) {
    const expected = Array.from({ length: 100 }, (_, i) => i).filter((i) => i * ROW < top + HEIGHT && (i + 1) * ROW > top);
    assert.deepEqual(seen(100, top, layout), expected);
  }
});

test("of a million rows, few are drawn and all can be reached by scrolling", () => {
  const n = 1_000_000;
  const layout = layoutOf(n, ROW, HEIGHT);
  assert.equal(layout.high, 10_000_000);
  assert.equal(seen(n, 0, layout)[0], 0);
  const end = layout.high - HEIGHT;
  for (const top of [0, 1, 5_000_000, end]) {
    const { first, end: last } = rowsInSight(n, top, layout);
    assert.ok(last - first < 30);
    assert.ok(seen(n, top, layout).length >= Math.floor(HEIGHT / ROW));
  }
  assert.equal(seen(n, end, layout).at(-1), n - 1);
  // Halfway, the rows around the middle are shown.
  assert.ok(seen(n, end / 2, layout).includes(n / 2));
});

test("any of a million rows is in view once it is scrolled into view", () => {
  const n = 1_000_000;
  const layout = layoutOf(n, ROW, HEIGHT);
  for (const i of [0, 1, 12_345, 500_000, n - 10, n - 1])
    for (const from of [0, 3_000_000, layout.high - HEIGHT]) {
      const top = offsetShowing(i, from, layout);
      const place = rowsInSight(n, top, layout).at(i);
      assert.ok(place >= top - 1e-3 && place + ROW <= top + HEIGHT + 1e-3, `${i} from ${from}`);
    }
});

test("a row is scrolled into view from above and below, and stays if it is in view", () => {
  const layout = layoutOf(100, ROW, HEIGHT);
  assert.equal(offsetShowing(20, 20 * ROW, layout), 20 * ROW);
  assert.equal(offsetShowing(19, 20 * ROW, layout), 19 * ROW);
  assert.equal(offsetShowing(40, 0, layout), 41 * ROW - HEIGHT);
  assert.equal(offsetShowing(9, 0, layout), 10 * ROW - HEIGHT); // cut off by the edge
});
