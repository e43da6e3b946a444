import assert from "node:assert/strict";
import test from "node:test";

import { countUnknown } from "../../tokviz/widgets/tokens/unknownwords.js";
import { cutInto } from "./pieces.js";

test("words are counted that the tokenizer over words replaced, but not an <unk> of the text itself", () => {
  const tokens = (/** @type {string} */ tokenizer) =>
    cutInto("a zebra <unk>", [2, 6, 5], { special: [0, 1, 1], meta: { tokenizer } });
  assert.equal(countUnknown(tokens("words")), 1);
  assert.equal(countUnknown(tokens("gpt2")), 0);
});
