import assert from "node:assert/strict";
import test from "node:test";

import { sizeOf } from "../../tokviz/widgets/tokens/textsize.js";

test("a text of few rows stands in large type, with ids beneath all lines", () => {
  for (const text of ["", "one word", "six\nlines\n".repeat(3), "x".repeat(200)]) assert.deepEqual(sizeOf(text), { type: "short", ids: "all" });
});

test("a longer one stands in small type, and from thirteen rows on one line has its ids", () => {
  assert.deepEqual(sizeOf("a\n".repeat(7)), { type: "long", ids: "all" });
  assert.deepEqual(sizeOf("a\n".repeat(12)), { type: "long", ids: "all" });
  assert.deepEqual(sizeOf("a\n".repeat(13)), { type: "long", ids: "line" });
  assert.deepEqual(sizeOf("x".repeat(1_000_000)), { type: "long", ids: "line" });
});
