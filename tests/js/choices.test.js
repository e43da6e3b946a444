// Choices in the address.

import assert from "node:assert/strict";
import { test } from "node:test";

import { queryOf } from "../../tokviz/widgets/choices/address.js";

const CHART = { name: "chart", address: { parameter: "chart", default: "Merges" } };
const TOKENIZERS = {
  name: "tokenizers",
  address: { parameter: "tokenizers", default: ["gpt2", "bytes"], written: { gpt2: "GPT-2", bytes: "Bytes", own: "my own" } },
};

test("the address has only what differs from the default", () => {
  assert.equal(queryOf("", [CHART, TOKENIZERS], { chart: "Merges", tokenizers: ["bytes", "gpt2"] }), "");
  assert.equal(queryOf("?chart=Formats", [CHART], { chart: "Merges" }), "");
});

test("it is written as in links made before", () => {
  const values = { chart: "This text", tokenizers: ["gpt2", "own"] };
  assert.equal(queryOf("", [CHART, TOKENIZERS], values), "?chart=This+text&tokenizers=GPT-2&tokenizers=my+own");
});

test("other parameters stay", () => {
  assert.equal(queryOf("?embed=true&chart=x", [CHART], { chart: "Formats" }), "?embed=true&chart=Formats");
});

test("no tokenizer is a choice, too", () => {
  assert.equal(queryOf("?tokenizers=GPT-2", [TOKENIZERS], { tokenizers: [] }), "?tokenizers=");
});

test("fields without a place in the address leave it alone", () => {
  assert.equal(queryOf("?a=1", [{ name: "width" }], { width: 3 }), "?a=1");
});
