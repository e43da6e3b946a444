import assert from "node:assert/strict";
import { test } from "node:test";

import { makeTokenization, TYPED } from "../../tokviz/widgets/shared/text/tokenization.js";
import { kindsOf, pictured, titleOf } from "../../tokviz/widgets/shared/ui/tokenpicture.js";

/** Tokens of so many bytes each. @param {string} text @param {number[]} lengths */
const tokens = (text, lengths) =>
  makeTokenization(text, { ids: new Int32Array(lengths.length), byte_lengths: Int32Array.from(lengths), special: new Uint8Array(lengths.length) });

test("a short text is drawn whole", () => {
  const model = tokens("one two", [3, 4]);
  assert.deepEqual(pictured(model, 0), [0, 2]);
  assert.equal(titleOf(model, "GPT-2", [0, 2]), "GPT-2: 2 tokens, 7 bytes");
});

test("a long text is drawn from what is in sight, as far as there is room", () => {
  const model = tokens("word ".repeat(1000), Array(1000).fill(5));
  assert.deepEqual(pictured(model, 100), [100, 300]); // 1,000 bytes
  assert.equal(titleOf(model, "GPT-2", [100, 300]), "GPT-2: 1,000 tokens, 5,000 bytes. Here: tokens 101 to 300");
  const lines = tokens("a\n".repeat(100), Array(100).fill(2));
  assert.deepEqual(pictured(lines, 10), [10, 34]); // 24 lines
});

test("no character is cut: 🍕 in four tokens is drawn whole or not at all", () => {
  const model = tokens(`${"a".repeat(998)}🍕b`, [998, 1, 1, 1, 1, 1]);
  assert.deepEqual(pictured(model, 0), [0, 1]);
  assert.deepEqual(pictured(model, 3), [1, 6]);
});

test("a token that is too long, and no text, leave nothing to draw", () => {
  assert.deepEqual(pictured(tokens("a".repeat(1001), [1001]), 0), [0, 0]);
  assert.deepEqual(pictured(tokens("", []), 0), [0, 0]);
});

test("what was typed keeps its mark, and what replaces a word gets one", () => {
  const special = Uint8Array.of(0, TYPED, 1);
  const columns = { ids: new Int32Array(3), byte_lengths: Int32Array.of(1, 5, 3), special };
  assert.deepEqual(kindsOf(makeTokenization("a<unk>cat", { ...columns, meta: { tokenizer: "qwen3" } }), [0, 3]), [0, 2, 1]);
  assert.deepEqual(kindsOf(makeTokenization("a<unk>cat", { ...columns, meta: { tokenizer: "words" } }), [1, 3]), [2, 3]);
});
