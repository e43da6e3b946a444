import assert from "node:assert/strict";
import test from "node:test";

import { describe, sayAround, search } from "../../tokviz/widgets/shared/ui/picker.js";

const OFFERS = [
  { name: "cl100k_base", label: "cl100k (GPT-4, GPT-3.5)", models: ["gpt-4", "gpt-4-*", "gpt-3.5-turbo"] },
  { name: "gpt2", label: "GPT-2", models: ["gpt2", "gpt-2"] },
  { name: "o200k_base", label: "o200k (GPT-4o)", models: ["gpt-4o", "gpt-4o-*", "o1"] },
  { name: "bytes", label: "Bytes", models: [] },
];
const found = (/** @type {string} */ typed) => search(OFFERS, typed).map(({ name }) => name);

test("an empty query finds all, in order", () => {
  assert.deepEqual(found(""), OFFERS.map(({ name }) => name));
  assert.deepEqual(found("  "), OFFERS.map(({ name }) => name));
});

test("a model's name finds its tokenizer first", () => {
  assert.equal(found("gpt-4o")[0], "o200k_base");
  assert.equal(found("GPT-4")[0], "cl100k_base");
  assert.equal(found("gpt 2")[0], "gpt2");
  assert.equal(found("o1")[0], "o200k_base");
});

test("a model name with a date or size matches the nearest family", () => {
  assert.deepEqual(found("gpt-4o-2024-05-13"), ["o200k_base"]);
  assert.equal(found("gpt-4-32k")[0], "cl100k_base");
  assert.deepEqual(found("gpt-3.5-turbo-16k"), ["cl100k_base"]);
});

test("a name is found with any separators, and by its middle", () => {
  assert.deepEqual(found("cl100k-base"), ["cl100k_base"]);
  assert.deepEqual(found("CL100K BASE"), ["cl100k_base"]);
  assert.deepEqual(found("200k"), ["o200k_base"]);
  assert.deepEqual(found("yte"), ["bytes"]);
});

test("unknown names are not found", () => {
  for (const typed of ["claude", "gemini", "llama-3"]) assert.deepEqual(found(typed), []);
});

const listed = (/** @type {string[]} */ ...texts) => ({ texts, more: 0 });

test("tokens that a file adds around a text are named as not counted", () => {
  assert.equal(sayAround({}), "");
  assert.equal(sayAround({ before: listed(), after: listed() }), "");
  assert.equal(
    sayAround({ before: listed("<|begin_of_text|>"), after: listed() }),
    "A model also gets <|begin_of_text|> in front of the text; it is not shown or counted.",
  );
  assert.match(sayAround({ before: listed(), after: listed("</s>") }), /gets <\/s> behind the text; it is not shown/);
  assert.match(sayAround({ before: listed("<s>"), after: listed("</s>") }), /gets <s> in front of the text and <\/s> behind it; they are not shown/);
  assert.match(sayAround({ before: { texts: ["a", "b"], more: 2 } }), /gets a, b and 2 more in front of the text; they are not shown/);
});

test("a tokenizer is described by its size and the models that use it, unless its label names them", () => {
  const offer = { name: "x", label: "cl100k", vocabSize: 100277, numTokens: 100261, models: ["gpt-4"], kind: /** @type {const} */ ("bpe") };
  assert.equal(describe({ ...offer, usedBy: ["GPT-4", "GPT-3.5"] }), "vocabulary of 100,261 tokens, used by GPT-4, GPT-3.5");
  assert.equal(describe({ ...offer, label: "GPT-2", usedBy: ["GPT-2"] }), "vocabulary of 100,261 tokens");
  assert.equal(describe(offer), "vocabulary of 100,261 tokens");
  assert.match(describe({ ...offer, vocabSize: null, kind: "withheld" }), /^not included/);
});
