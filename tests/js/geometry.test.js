import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { nearestInNextRow, scrollDistance, stripeAt } from "../../tokviz/widgets/token_view/geometry.js";

const ROW = 20;

/** A box in a row. @param {number} row @param {number} left @param {number} right */
const box = (row, left, right) => ({ left, right, top: row * ROW, bottom: (row + 1) * ROW });

describe("the next row", () => {
  const from = box(1, 100, 120); // its middle is at 110
  const tokens = [
    { token: 0, boxes: [box(0, 0, 130)] },
    { token: 1, boxes: [box(0, 135, 300), box(1, 0, 100)] }, // wraps into the row of the token
    { token: 2, boxes: [from] },
    { token: 3, boxes: [box(2, 0, 95)] },
    { token: 4, boxes: [box(2, 120, 200)] },
    { token: 5, boxes: [box(3, 100, 120)] },
  ];

  test("the nearest token sideways is found in the next row, not in one beyond it", () => {
    assert.equal(nearestInNextRow(from, tokens, 1), 4);
    assert.equal(nearestInNextRow(from, tokens.toSpliced(4, 1), 1), 3);
    assert.equal(nearestInNextRow(from, tokens, -1), 0);
  });

  test("a token that wraps is found in each of its rows", () => {
    assert.equal(nearestInNextRow(box(1, 140, 150), tokens, -1), 1);
    assert.equal(nearestInNextRow(box(2, 40, 50), tokens, -1), 1);
  });

  test("there is none above the first row and below the last", () => {
    assert.equal(nearestInNextRow(box(0, 0, 130), tokens, -1), null);
    assert.equal(nearestInNextRow(box(3, 100, 120), tokens, 1), null);
  });
});

describe("scrolling into view", () => {
  const view = { top: 100, bottom: 500 };
  const at = (/** @type {number} */ top) => ({ top, bottom: top + ROW });

  test("a row in view stays, also next to the edge", () => {
    for (const top of [110, 300, 470]) assert.equal(scrollDistance(at(top), view), null);
  });

  test("a row just outside comes in by a row, a far one to a third of the height", () => {
    assert.equal(scrollDistance(at(90), view), -30); // to 120, a row below the edge
    assert.equal(scrollDistance(at(60), view), -60);
    assert.equal(scrollDistance(at(520), view), 60); // to 460, a row above the edge
    assert.equal(scrollDistance(at(5000), view), 5000 - (100 + 400 / 3));
    assert.equal(scrollDistance(at(-5000), view), -5000 - (100 + 400 / 3));
  });
});

describe("stripes", () => {
  // The first stripe is as wide as the two others together.
  const stripes = [
    { token: 7, bytes: "f0 9f" },
    { token: 8, bytes: "8d" },
    { token: 9, bytes: "95" },
  ];
  const glyph = { left: 100, right: 200 };

  test("the pointer is over the stripe at its position", () => {
    for (const [x, token] of [[100, 7], [149, 7], [160, 8], [190, 9], [201, 9]])
      assert.equal(stripeAt(stripes, false, glyph, x), token);
  });

  test("stripes of a right-to-left character start at the right", () => {
    for (const [x, token] of [[110, 9], [140, 8], [160, 7], [199, 7]]) assert.equal(stripeAt(stripes, true, glyph, x), token);
  });
});
