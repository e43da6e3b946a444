import assert from "node:assert/strict";
import test from "node:test";

import { largestThatFits } from "../../tokviz/widgets/token_view/fitting.js";

test("the size is the largest that fits, to two pixels", () => {
  for (const limit of [34, 40, 41.5, 100, 259]) {
    const found = largestThatFits(34, 260, (size) => size <= limit);
    assert.ok(found <= limit && limit - found <= 2, `${found} of ${limit}`);
  }
  assert.equal(largestThatFits(34, 260, () => true), 260);
  assert.equal(largestThatFits(34, 260, () => false), 34);
});
