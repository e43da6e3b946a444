import assert from "node:assert/strict";
import test from "node:test";

import { makeTokenization } from "../../tokviz/widgets/shared/text/tokenization.js";
import * as tries from "../../tokviz/widgets/tokens/textchanges.js";

/** Tokenize a text into pieces; equal pieces get equal ids. @param {string[]} pieces */
function tokenized(...pieces) {
  const ids = Int32Array.from(pieces, (piece) => Array.from(piece).reduce((sum, one) => sum * 31 + one.charCodeAt(0), 7));
  const byte_lengths = Int32Array.from(pieces, (piece) => new TextEncoder().encode(piece).length);
  return makeTokenization(pieces.join(""), { ids, byte_lengths, special: new Uint8Array(pieces.length) });
}

/** Apply a change to a text. @param {string} text @param {tries.Change | null} change */
const applied = (text, change) => change && text.slice(0, change.start) + change.replacement + text.slice(change.end);

/** @param {string} text @param {string} part @returns {[number, number]} */
const place = (text, part) => [text.indexOf(part), text.indexOf(part) + part.length];

test("capitalizing a token keeps its space", () => {
  const change = tries.useCapital("a super day", place("a super day", " super"));
  assert.equal(applied("a super day", change), "a Super day");
  assert.equal(change?.how, "with a capital");
});

test("capitalization cycles, and changes only the described part", () => {
  /** @type {[string, string, string][]} */
  const steps = [
    ["cat", "Cat", "with a capital"],
    ["Cat", "CAT", "all in capitals"],
    ["CAT", "cat", "all in small letters"],
    ["a", "A", "with a capital"],
    ["A", "a", "in a small letter"],
    ["iPhone", "IPhone", "with a capital"],
    ["McDonald", "mcdonald", "all in small letters"],
    ["'t", "'T", "with a capital"],
    ["ß", "Ss", "with a capital"],
    ["ﬁt", "Fit", "with a capital"],
    ["ŉ", "ʼN", "with a capital"],
  ];
  for (const [word, becomes, how] of steps) {
    const change = tries.useCapital(word, [0, word.length]);
    assert.deepEqual([change?.replacement, change?.how], [becomes, how]);
  }
  for (const word of ["水", "ª", "!!!", " "]) assert.equal(tries.useCapital(word, [0, word.length]), null, word);
});

test("without a selection, a word without capitals is skipped", () => {
  for (const [text, becomes] of [["123 Hello", "123 HELLO"], ["東京 Tokyo", "東京 TOKYO"], ["שלום HI", "שלום hi"], ["A cat", "A Cat"]])
    assert.equal(applied(text, tries.useCapital(text, [0, 0])), becomes);
  for (const text of ["", " ", "123 ½", "東京 שלום", "ª"]) assert.equal(tries.useCapital(text, [0, 0]), null, text);
});

test("a selection that begins with its space gets no second one", () => {
  assert.equal(tries.putSpaceInFront("a super day", place("a super day", " super")), null);
  assert.equal(applied("a super", tries.putSpaceInFront("a super", [2, 7])), "a  super");
  assert.equal(tries.putSpaceInFront("a super", [2, 7])?.how, "with one more space in front");
  assert.equal(applied("super", tries.putSpaceInFront("super", [0, 0])), " super");
  assert.equal(applied("a  b", tries.putSpaceInFront("a  b", [1, 2])), "a   b"); // a token of white space
});

test("another language is found for a token with its space", () => {
  const text = "a cat sat";
  assert.equal(applied(text, tries.writeInAnotherLanguage(text, place(text, " cat"))), "a बिल्ली sat");
});

test("a change of part of a word is described in whole tokens, before and after", () => {
  const before = tokenized("a", " super", "cal", "if", " day");
  const change = /** @type {tries.Change} */ (tries.useCapital(before.text, place(before.text, " super")));
  const after = tokenized("a", " Sup", "erc", "al", "if", " day");
  const tokens = tries.tokensAround(before, after, change);
  assert.equal(tokens.text, " supercal");
  assert.deepEqual(tokens.before, [...before.ids].slice(1, 3));
  assert.deepEqual(tokens.after, [...after.ids].slice(1, 4));
  assert.equal(
    tries.describeChange("·supercal", tokens.before, tokens.after, change.how),
    "“·supercal” was 2 tokens; with a capital it is 3 tokens.",
  );
});

test("a word that stays whole is compared only with itself", () => {
  const before = tokenized("a", " super", " day");
  const change = /** @type {tries.Change} */ (tries.useCapital(before.text, place(before.text, " super")));
  const after = tokenized("a", " Super", " day");
  const tokens = tries.tokensAround(before, after, change);
  assert.deepEqual([tokens.text, tokens.before, tokens.after], [" super", [before.ids[1]], [after.ids[1]]]);
});

test("tokens that share a character are counted together", () => {
  const bytes = { ids: Int32Array.of(1, 2, 3), byte_lengths: Int32Array.of(1, 3, 2), special: new Uint8Array(3) };
  const cut = makeTokenization("a 🍕", bytes); // the second token holds the space and half of the pizza
  assert.deepEqual(tries.tokensOf(cut, [1, 2]), { text: " 🍕", ids: [2, 3] });
});

test("an end of word without bytes belongs to its word", () => {
  const columns = { ids: Int32Array.of(1, 9, 2, 3, 9), byte_lengths: Int32Array.of(1, 0, 1, 1, 0), special: new Uint8Array(5) };
  const words = makeTokenization("a b", columns);
  assert.deepEqual(tries.tokensOf(words, [0, 1]), { text: "a", ids: [1, 9] });
  assert.deepEqual(tries.tokensOf(words, [2, 3]), { text: "b", ids: [3, 9] });
});
