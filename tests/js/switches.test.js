import assert from "node:assert/strict";
import { test } from "node:test";

import { lineOf, whyDisabled } from "../../tokviz/widgets/replay/player/switches.js";

const ALL = { canDraw: true, isTower: true, canUnmerge: true, most: 60, canPredict: true, isSecret: false };

test("switches that can be used need no reason", () => {
  assert.equal(lineOf(whyDisabled(ALL)), "");
});

test("each switch that can't be used says why", () => {
  assert.match(whyDisabled({ ...ALL, canDraw: false, isTower: false }).tower, /shorter/);
  assert.match(whyDisabled({ ...ALL, isTower: false }).decode, /tower/);
  assert.notEqual(whyDisabled({ ...ALL, canUnmerge: false }).decode, "");
  assert.match(whyDisabled({ ...ALL, isSecret: true }).decode, /question/);
  assert.match(whyDisabled({ ...ALL, canPredict: false })["be the tokenizer"], /60 symbols/);
  assert.equal(lineOf({ tower: "", decode: "one", predict: "two" }), "decode: one; predict: two");
});
