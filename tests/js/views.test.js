import assert from "node:assert/strict";
import test from "node:test";

import { otherThan } from "../../tokviz/widgets/shared/ui/picker.js";
import { teaserOf } from "../../tokviz/widgets/tokens/doors.js";
import { nextView, viewNamed } from "../../tokviz/widgets/tokens/views.js";

test("the key goes through all views and around", () => {
  assert.deepEqual(["text", "both", "all", "numbers"].map(nextView), ["both", "all", "numbers", "text"]);
});

test("a first visit shows the text with ids, and so does an unknown view", () => {
  assert.deepEqual([undefined, "", "upside down", "numbers"].map(viewNamed), ["both", "both", "both", "numbers"]);
});

test("a text is compared with GPT-2, and GPT-2 with GPT-4's tokenizer", () => {
  assert.equal(otherThan("cl100k_base")[0], "gpt2");
  assert.equal(otherThan("gpt2")[0], "cl100k_base");
});

test("the teaser says how many tokens the other takes", () => {
  assert.equal(teaserOf("GPT-2", 26, 24), "GPT-2 takes 26 tokens. Where, and why?");
  assert.equal(teaserOf("GPT-2", 1, 2), "GPT-2 takes 1 token. Where, and why?");
  assert.equal(teaserOf("GPT-2", 24, 24), "GPT-2 takes 24 tokens, too. The same ones?");
});
