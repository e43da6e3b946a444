import assert from "node:assert/strict";
import { test } from "node:test";

import { lineOf, whyDisabled } from "../../tokviz/widgets/replay/player/switches.js";

const ALL = { canDraw: true, isTower: true, canUnmerge: true, isSecret: false };

test("switches that can be used need no reason", () => {
  assert.equal(lineOf(whyDisabled(ALL)), "");
});

test("each switch that can't be used says why", () => {
  assert.match(whyDisabled({ ...ALL, canDraw: false, isTower: false }).tower, /shorter/);
  assert.match(whyDisabled({ ...ALL, isTower: false }).decode, /tower/);
  assert.notEqual(whyDisabled({ ...ALL, canUnmerge: false }).decode, "");
  assert.match(whyDisabled({ ...ALL, isSecret: true }).decode, /question/);
  assert.equal(lineOf({ tower: "one", decode: "two" }), "Tower: one; Decode: two");
});
