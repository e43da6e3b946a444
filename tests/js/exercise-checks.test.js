/** What the exercises say of an answer. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { boundariesOf, earliest, judgeCheaper, judgeCut, judgeMerge, judgeText, written } from "../../tokviz/widgets/exercises/checks.js";
import { Exercise } from "../../tokviz/widgets/exercises/widget.js";
import { fakeDocument } from "./fakepage.js";

const WORDS = {
  cut_answer: "The tokens are {tokens}.",
  cut_extra: "{token} is {id}.",
  cut_missing: "{left}, {right}: merge.",
  cut_split: "{left}, {right}: split.",
  merge_answer: "{pair} is {merge}.",
  merge_later: "{pair} is later: {merge}.",
  merge_none: "{pair} is none.",
  cheaper_answer: "{first} against {second}: {pieces}.",
  write_count: "{count}: {pieces}.",
  write_more: "more",
  write_less: "less",
};
const CUT = { text: "STOP it", tokens: [{ text: "ST", id: 1 }, { text: "OP", id: 2 }, { text: " it", id: 3 }], splits: [false, true] };
const MERGE = { text: "there", pairs: [{ left: "t", right: "h", merge: 84 }, { left: "e", right: "r", merge: 6 }, { left: "r", right: "x", merge: 0 }] };

test("boundaries stand where tokens end, but for the last", () => {
  assert.deepEqual(boundariesOf(CUT), [2, 4]);
});

test("the right cuts are right, and the tokens are said", () => {
  assert.deepEqual(judgeCut(CUT, [2, 4], WORDS), { isRight: true, says: ["The tokens are `ST|OP|·it`."] });
});

test("a cut within a token names it, and a missing one says what keeps the two apart", () => {
  assert.deepEqual(judgeCut(CUT, [1, 4], WORDS).says, ["ST is 1.", "ST, OP: merge."]);
  assert.deepEqual(judgeCut(CUT, [2, 5], WORDS).says, ["·it is 3.", "OP, ·it: split."]);
  assert.deepEqual(judgeCut(CUT, [], WORDS).says, ["ST, OP: merge.", "OP, ·it: split."]);
});

test("two cuts within one token are said once", () => {
  assert.deepEqual(judgeCut(CUT, [2, 4, 5, 6], WORDS).says, ["·it is 3."]);
});

test("of pairs the earliest merge is right, whatever no merge joins", () => {
  assert.equal(earliest(MERGE), MERGE.pairs[1]);
  assert.deepEqual(judgeMerge(MERGE, 1, WORDS), { isRight: true, says: ["e + r is 6."] });
  assert.deepEqual(judgeMerge(MERGE, 0, WORDS), { isRight: false, says: ["t + h is later: 84.", "e + r is 6."] });
  assert.deepEqual(judgeMerge(MERGE, 2, WORDS), { isRight: false, says: ["r + x is none.", "e + r is 6."] });
});

test("the text of fewer tokens is cheaper", () => {
  const asked = { texts: ["a  b", "a b"], pieces: [["a", " ", " b"], ["a", " b"]] };
  assert.equal(judgeCheaper(asked, 0, WORDS).isRight, false);
  assert.deepEqual(judgeCheaper(asked, 1, WORDS), { isRight: true, says: ["3 against 2: `a|·|·b`, `a|·b`."] });
});

test("a text has as many tokens as asked, or more or fewer", () => {
  assert.deepEqual(judgeText(["a", " b"], 2, WORDS), { isRight: true, says: ["2: `a|·b`."] });
  assert.deepEqual(judgeText(["a"], 2, WORDS).says[1], "more");
  assert.deepEqual(judgeText(["a", "b", "c"], 2, WORDS).says[1], "less");
});

test("line ends and spaces can be seen", () => {
  assert.equal(written([" a", "\n"]), "`·a|↵`");
});

test("only the newest text is judged, and one that could not be counted has no verdict", async () => {
  globalThis.document = fakeDocument();
  const answers = [];
  const verdicts = [];
  const client = { tokenize: () => new Promise((resolve, reject) => answers.push({ resolve, reject })) };
  const words = { ...WORDS, right: "Right.", wrong: "Not yet.", not_counted: "It could not be counted." };
  const { node } = new Exercise({ kind: "write", question: "", count: 1 }, words, client, (isRight) => verdicts.push(isRight));
  const [field, form] = [node.find("input"), node.find("form")];
  const check = (text) => {
    field.value = text;
    form.dispatchEvent(new Event("submit"));
  };
  const counted = (length) => ({ ids: Int32Array.of(1), byte_lengths: Int32Array.of(length), special: new Uint8Array(1) });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  for (const text of ["first", "second"]) check(text);
  answers[1].resolve(counted(6));
  await settle();
  answers[0].resolve(counted(5));
  await settle();
  assert.match(node.textContent, /Right\. 1: second\./);
  check("third");
  answers[2].reject(new TypeError("no network"));
  await settle();
  assert.match(node.textContent, /It could not be counted\.$/);
  assert.doesNotMatch(node.textContent, /Not yet/);
  assert.deepEqual(verdicts, [true]);
});
