import assert from "node:assert/strict";
import test from "node:test";

import { largest, tokenizerIn, unreadable } from "../../tokviz/widgets/shared/files.js";

const bytes = (/** @type {string} */ text) => new TextEncoder().encode(text);
const HUGGING_FACE = `{"version": "1.0", "added_tokens": [${'{"content": "<s>"},'.repeat(9000)}{}], "model": {"type": "BPE", "vocab": {"a": 0}, "merges": []}}`;

test("files that hold a tokenizer are told from texts", () => {
  const cases = /** @type {[string, string, string | null][]} */ ([
    ["tokenizer.json", HUGGING_FACE, "whole"],
    ["llama3.JSON", HUGGING_FACE, "whole"],
    ["some.model", "minbpe v1\n\n0\n97 98\n", "whole"],
    ["some.tiktoken", "IQ== 0\nIg== 1\n", "without pattern"],
    ["tokenizer.model", "IQ== 0\r\nIg== 1\r\n", "without pattern"],
    ["vocab.bpe", "#version: 0.2\na b\n", "without pattern"],
    ["notes.txt", HUGGING_FACE, null],
    ["data.json", '{"model": "a", "vocab": 3}', null],
    ["data.json", `["model", ${HUGGING_FACE}]`, null],
    ["empty.json", "", null],
    ["notes.model", "the model\nof a ship", null],
    ["empty.tiktoken", "", null],
  ]);
  for (const [name, text, holds] of cases) assert.equal(tokenizerIn(name, bytes(text)), holds, name);
});

test("a SentencePiece model is said to be one, and not advised to be saved as text", () => {
  const model = Uint8Array.of(0x0a, 0x0e, 0x0a, 0x05, ...bytes("<unk>"), 0x15, 0, 0, 0, 0);
  assert.match(unreadable("mistral-7b.model", model) ?? "", /“mistral-7b.model” looks like a SentencePiece model/);
  for (const text of ["minbpe v1\n\n0\n97 98\n", "IQ== 0\nIg== 1\n", "\nthe model"])
    assert.equal(unreadable("some.model", bytes(text)), null);
  assert.equal(unreadable("picture.png", model), null);
});

test("files that may hold a tokenizer may be larger than a text", () => {
  assert.equal(largest("tokenizer.json"), 40_000_000);
  assert.equal(largest("book.txt"), 10_000_000);
});
