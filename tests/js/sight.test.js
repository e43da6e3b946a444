import assert from "node:assert/strict";
import test from "node:test";

import { nearestOf } from "../../tokviz/widgets/replay/stage/sight.js";

const room = { top: 100, bottom: 300 };
const leastScroll = (/** @type {import("../../tokviz/widgets/replay/stage/sight.js").Edges[]} */ places) => nearestOf(places, room).by;
const at = (/** @type {number} */ top, height = 40) => ({ top, bottom: top + height });

test("nothing scrolls while one of the places is in sight", () => {
  assert.equal(leastScroll([at(900), at(100), at(-500)]), 0);
  assert.equal(leastScroll([at(260)]), 0);
});

test("the nearest place comes just into sight", () => {
  assert.equal(leastScroll([at(900), at(290)]), 30);
  assert.equal(leastScroll([at(80), at(400)]), -20);
  assert.equal(leastScroll([at(-900), at(500)]), 240);
});

test("of a place that is higher than the room, the lower end is shown", () => {
  assert.equal(leastScroll([at(80, 400)]), 180);
  assert.equal(leastScroll([at(-400, 600)]), -100);
});
