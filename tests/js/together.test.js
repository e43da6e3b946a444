import assert from "node:assert/strict";
import test from "node:test";

import { likelyPattern } from "../../tokviz/widgets/shared/ui/patterns.js";
import { halvesIn, isHalf, tokenizerAmong } from "../../tokviz/widgets/shared/ui/together.js";

const file = (/** @type {string} */ name, /** @type {string} */ text) => ({ name, bytes: new TextEncoder().encode(text) });
const VOCABULARY = file("vocab.json", '{"a": 0, "b": 1, "ab": 2}');
const MERGES = file("merges.txt", "#version: 0.2\na b\n");
const CONFIG = file("tokenizer_config.json", '{"tokenizer_class": "GPT2Tokenizer"}');
const WHOLE = file("tokenizer.json", '{"model": {"type": "BPE", "vocab": {"a": 0}}}');
const names = (/** @type {{name: string}[] | null} */ files) => files?.map(({ name }) => name);

test("a vocabulary and its merges belong together, in any order, with their settings", () => {
  assert.deepEqual(names(halvesIn([MERGES, VOCABULARY])), ["vocab.json", "merges.txt"]);
  assert.deepEqual(names(halvesIn([CONFIG, MERGES, VOCABULARY])), ["vocab.json", "merges.txt", "tokenizer_config.json"]);
  for (const files of [[MERGES], [VOCABULARY, CONFIG], [MERGES, MERGES], []]) assert.equal(halvesIn(files), null);
});

test("two halves of different models don't", () => {
  const [vocabulary, merges] = [{ ...VOCABULARY, name: "gpt2-vocab.json" }, { ...MERGES, name: "gpt2-merges.txt" }];
  assert.deepEqual(names(halvesIn([vocabulary, merges])), ["gpt2-vocab.json", "gpt2-merges.txt"]);
  assert.equal(halvesIn([vocabulary, MERGES]), null);
});

test("texts of these names are no halves", () => {
  assert.ok(isHalf(VOCABULARY) && isHalf(MERGES));
  for (const [name, text] of [["merges.txt", "two rivers\n"], ["vocab.json", '["a"]'], ["myvocab.json", '{"a": 0}'], ["notes.txt", "#version 2\n"]])
    assert.ok(!isHalf(file(name, text)), name);
});

test("of the files of a folder, the tokenizer is found", () => {
  assert.deepEqual(names(tokenizerAmong([CONFIG, VOCABULARY, WHOLE, MERGES])), ["tokenizer.json"]);
  assert.deepEqual(names(tokenizerAmong([CONFIG, file("tokenizer.model", "minbpe v1\n")])), ["tokenizer.model"]);
  assert.deepEqual(names(tokenizerAmong([MERGES, VOCABULARY, file("README.md", "text")])), ["vocab.json", "merges.txt"]);
  assert.equal(tokenizerAmong([file("a.txt", "text"), file("b.txt", "text")]), null);
  assert.equal(tokenizerAmong([{ ...WHOLE, name: "one.json" }, { ...WHOLE, name: "other.json" }]), null);
});

test("the likely split pattern of a vocabulary is that of the tokenizer in its name", () => {
  const files = { "o200k_base.tiktoken": "o200k", "r50k_base.tiktoken": "gpt2", "gpt2.tiktoken": "gpt2", "cl100k_base.tiktoken": "cl100k", "mine.tiktoken": "cl100k" };
  for (const [name, pattern] of Object.entries(files)) assert.equal(likelyPattern(name), pattern, name);
});
