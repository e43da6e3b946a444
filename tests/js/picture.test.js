import assert from "node:assert/strict";
import { test } from "node:test";

import { makeComparison, splitCuts } from "../../tokviz/widgets/compare/model.js";
import { sayCuts, sayPicture } from "../../tokviz/widgets/compare/picture.js";
import { columnsOf, compared } from "./comparisons.js";

test("cuts of a split pattern are found from the tokens that begin a pre-token", () => {
  const comparison = compared("ab cd", [[1, 1, 1, 1, 1], [2, 3]]);
  assert.deepEqual(splitCuts(comparison, 0, 1, Uint8Array.of(1, 0, 1, 0, 0, 1)), [0, 3]);
  assert.deepEqual(splitCuts(comparison, 1, 1, Uint8Array.of(1, 0, 1)), [3]);
});

test("the picture in words has all tokens, their ids and the cuts", () => {
  const comparison = compared("5678", [[1, 3], [3, 1]]);
  assert.equal(
    sayPicture(comparison, 0, [[0, 4], [0, 3, 4]]),
    "tokenizer 0: “5” 0, “678” 1; its split pattern does not cut here. " +
      "tokenizer 1: “567” 0, “8” 1; its split pattern cuts once here.",
  );
  assert.equal(sayPicture(comparison, 0, []), "tokenizer 0: “5” 0, “678” 1. tokenizer 1: “567” 0, “8” 1.");
});

test("what cuts is called a split pattern before merges only where all that cut have one", () => {
  assert.equal(sayCuts(["pattern", "pattern"]), "cut by the split pattern, before any merge");
  assert.equal(sayCuts(["pattern", "rules"]), "cut before looking for tokens");
  const comparison = { ...compared("5678", [[1, 3], [3, 1]]), cutting: ["rules", ""], unknown: [null, 1] };
  assert.equal(
    sayPicture(comparison, 0, [[0, 1, 4], [0, 4]]),
    "tokenizer 0: “5” 0, “678” 1; its first stage cuts once here. tokenizer 1: “567” 0, “8” 1 (unknown).",
  );
});

test("special tokens are boxed, and those for what no token spells", () => {
  const columns = columnsOf("5678", [[1, 3], [3, 1]]);
  columns.special_0[0] = 1;
  columns.meta.unknown = [null, 1];
  const { models } = makeComparison("5678", columns);
  assert.deepEqual(models.map(({ special }) => Array.from(special)), [[1, 0], [0, 1]]);
});
