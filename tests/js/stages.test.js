import assert from "node:assert/strict";
import test from "node:test";

import { sayEdit, sayFirst, sayOf } from "../../tokviz/widgets/tokens/stages.js";

/** @typedef {import("../../tokviz/widgets/tokens/stages.js").Stage} Stage */

/** @param {Stage["name"]} name @param {number} count @param {string[]} changes @returns {Stage} */
const stage = (name, count, ...changes) => ({ name, count, pieces: [], changes });

/** @param {...Stage} stages */
const data = (...stages) => ({ stages, edits: [], different: 0 });

test("a stage says what it does to this text, or that nothing changes", () => {
  const lower = stage("normalized", 1, "makes all letters lower case", "removes accents");
  assert.equal(sayOf(lower, data(lower)), "It makes all letters lower case and removes accents.");
  const nothing = stage("normalized", 1);
  assert.equal(sayOf(nothing, data(nothing)), "Nothing changes in this text.");
  assert.match(sayOf(stage("pre-tokens", 4), data()) ?? "", /^No token crosses/);
});

test("what is put around a text is said not to be counted, and not shown if there is none", () => {
  const tokens = stage("tokens", 4);
  const whole = stage("special tokens", 5, "puts <s> in front");
  assert.equal(sayOf(whole, data(tokens, whole)), "It puts <s> in front. The count at the top leaves that out.");
  const same = stage("special tokens", 4);
  assert.equal(sayOf(same, data(tokens, same)), null);
});

test("a tokenizer that normalizes nothing says so once", () => {
  assert.match(sayFirst(data(stage("pre-tokens", 2), stage("tokens", 3))), /changed before the text is cut/);
  assert.match(sayFirst(data(stage("tokens", 3))), /neither changed nor cut first/);
  assert.equal(sayFirst(data(stage("normalized", 1))), "");
});

test("a change is said as what becomes what, or as added or removed", () => {
  assert.deepEqual(sayEdit("É", "e"), ["É", "becomes", "e"]);
  assert.deepEqual(sayEdit("", "·"), ["·", "is added"]);
  assert.deepEqual(sayEdit("··", ""), ["··", "is removed"]);
});
