import assert from "node:assert/strict";
import { test } from "node:test";

import { countsOf } from "../../tokviz/widgets/compare/texts.js";

test("two texts are compared by the classes that at least one of them has", () => {
  const first = { tokens: 7, bytes: 20, class_counts: [5, 0, 2, 0] };
  const second = { tokens: 4, bytes: 12, class_counts: [3, 1, 0, 0] };
  assert.deepEqual(countsOf({ texts: [first, second], classes: ["letters", "digits", "white space", "emoji"] }), [
    ["tokens", 7, 4],
    ["bytes", 20, 12],
    ["tokens: letters", 5, 3],
    ["tokens: digits", 0, 1],
    ["tokens: white space", 2, 0],
  ]);
});
