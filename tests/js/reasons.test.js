import assert from "node:assert/strict";
import { test } from "node:test";

import { lineOf, reasonsOf } from "../../tokviz/widgets/replay/reasons.js";

const ALL = { canDraw: true, isTower: true, canUnmerge: true, canPredict: true, isSecret: false };

test("switches that can be used need no reason", () => {
  assert.equal(lineOf(reasonsOf(ALL)), "");
});

test("each switch that can't be used says why", () => {
  assert.match(reasonsOf({ ...ALL, canDraw: false, isTower: false }).tower, /shorter/);
  assert.match(reasonsOf({ ...ALL, isTower: false }).decode, /tower/);
  assert.notEqual(reasonsOf({ ...ALL, canUnmerge: false }).decode, "");
  assert.match(reasonsOf({ ...ALL, isSecret: true }).decode, /question/);
  assert.match(reasonsOf({ ...ALL, canPredict: false }).predict, /60 symbols/);
  assert.equal(lineOf({ tower: "", decode: "one", predict: "two" }), "decode: one; predict: two");
});
