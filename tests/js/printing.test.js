import assert from "node:assert/strict";
import test from "node:test";

import { PRINTED, printedOf, sayUnprinted } from "../../tokviz/widgets/compare/printing.js";

test("a printout of a long text says how many code points it has", () => {
  const text = "🍕".repeat(3000); // two UTF-16 units each
  assert.equal(
    sayUnprinted(text, 2000),
    "Only the beginning of the text is printed here: the first 1,000 of 3,000 code points.",
  );
  assert.equal(sayUnprinted(text, text.length), "");
  assert.equal(sayUnprinted("", 0), "");
});

test("staffs are printed up to a limit, but at least one", () => {
  const staffs = [PRINTED - 1, PRINTED, PRINTED + 1].map((to) => ({ to }));
  assert.deepEqual(printedOf(staffs), staffs.slice(0, 2));
  assert.deepEqual(printedOf([{ to: 3 * PRINTED }, { to: 4 * PRINTED }]), [{ to: 3 * PRINTED }]);
  assert.deepEqual(printedOf([]), []);
});
