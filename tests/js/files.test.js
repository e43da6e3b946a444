import assert from "node:assert/strict";
import test from "node:test";

import { MAX_FILE } from "../../tokviz/widgets/shared/ui/files.js";
import { likelyPattern } from "../../tokviz/widgets/shared/ui/patterns.js";
import { MAX_TOKENIZER_FILE, readFile, sayTooLarge } from "../../tokviz/widgets/shared/ui/reading.js";

test("a file that is too large is reported with its size and the most that fits", () => {
  const file = (/** @type {string} */ name, /** @type {number} */ size) => /** @type {File} */ ({ name, size });
  assert.equal(sayTooLarge(file("book.txt", 12_345_678), MAX_FILE), "“book.txt” has 12.3 MB, and 10 MB is the most that fits.");
  assert.equal(sayTooLarge(file("tokenizer.json", 1_250_000_000), MAX_TOKENIZER_FILE), "“tokenizer.json” has 1,250 MB, and 40 MB is the most that fits.");
});

test("the likely split pattern of a vocabulary is that of the tokenizer in its name", () => {
  const files = { "o200k_base.tiktoken": "o200k", "r50k_base.tiktoken": "gpt2", "gpt2.tiktoken": "gpt2", "cl100k_base.tiktoken": "cl100k", "mine.tiktoken": "cl100k" };
  for (const [name, pattern] of Object.entries(files)) assert.equal(likelyPattern(name), pattern, name);
});

test("a file that is too large or gone is not read, in words of our own", async () => {
  const gone = () => Promise.reject(new Error("NotFoundError"));
  const file = (/** @type {object} */ given) => /** @type {File} */ ({ name: "book.txt", size: 1, arrayBuffer: gone, ...given });
  await assert.rejects(readFile(file({ size: MAX_FILE + 1 })), /has 10 MB, and 10 MB is the most/);
  await assert.rejects(readFile(file({})), { message: "“book.txt” can't be read: choose it again." });
  assert.deepEqual(await readFile(file({ arrayBuffer: async () => Uint8Array.of(65).buffer })), Uint8Array.of(65));
});
