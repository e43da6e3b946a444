import assert from "node:assert/strict";
import test from "node:test";

import { makeTokenization, writeToken } from "../../tokviz/widgets/shared/text/tokenization.js";
import { pieceOf } from "../../tokviz/widgets/compare/pieces.js";
import { sayToken } from "../../tokviz/widgets/shared/text/speak.js";
import { isAscii, joinedOthers, learned, ownBytes, sayMark, sayWhenMerged, standsForOther, symbolsOf } from "../../tokviz/widgets/token_view/card.js";
import { legend } from "../../tokviz/widgets/token_view/colors.js";
import { labelOf } from "../../tokviz/widgets/token_view/tree.js";

const encoder = new TextEncoder();

/** @param {string} text @param {import("../../tokviz/widgets/token_view/tree.js").TreeNode[]} [children] @returns {any} */
function node(text, children = []) {
  return { id: 0, hex: Array.from(encoder.encode(text), (byte) => byte.toString(16)).join(" "), text, rank: null, children };
}

/** @param {any} tree @param {"bytes" | "characters"} units @returns {any} */
function details(tree, units) {
  const code_points = Array.from(tree.text, (char) => ({ code: "", name: "", char }));
  return { ...tree, tree, units, merges: 9, special: false, code_points };
}

test("an initial token is called a byte or a character", () => {
  assert.equal(learned(details(node("a"), "bytes")), "no: a single byte, a token from the start");
  assert.equal(learned(details(node("a"), "characters")), "no: a single character, a token from the start");
  assert.equal(learned(details(node("é"), "characters")), "no: a single character, a token from the start");
  assert.equal(learned(details(node("é"), "bytes")), "no: no merge makes it");
  assert.equal(learned(details(node(""), "characters")), "no: no merge makes it"); // the mark of a word's end
});

test("a token is counted in the tokenizer's initial symbols", () => {
  const für = node("für", [node("fü", [node("f"), node("ü")]), node("r")]);
  assert.equal(symbolsOf(details(für, "bytes")), "4 bytes");
  assert.equal(symbolsOf(details(für, "characters")), "3 characters");
  const marked = node("r", [node("r"), node("")]);
  assert.equal(symbolsOf(details(marked, "characters")), "1 character and the mark of a word's end");
});

test("an end-of-word mark without bytes is named in the count", () => {
  assert.equal(labelOf(node("")), "end of word");
  assert.equal(labelOf({ ...node(""), text: "</w>" }), "</w>");
  assert.equal(labelOf({ id: 1, hex: "f0 9f", text: null }), "f0 9f");
});

test("an added token is called added, not special", () => {
  assert.match(learned({ ...details(node("  "), "bytes"), added: true }), /^no: it was added by hand/);
  assert.match(learned({ ...details(node("<s>"), "bytes"), special: true }), /^no: a special token/);
});

test("a token both added and merged is described as both, and its tree as unused by texts", () => {
  const both = { ...details(node("  "), "bytes"), rank: 4, read_as: [] };
  assert.match(learned({ ...both, added: true }), /^merge 5 of 9: it was also added by hand/);
  assert.match(learned({ ...both, special: true }), /^merge 5 of 9: but it is also a special token/);
  for (const kind of ["added", "special"]) assert.match(sayWhenMerged({ ...both, [kind]: true }), /would merge/);
  assert.equal(sayWhenMerged(both), "");
});

test("tokens with the same text are distinguished, and an added one is named", () => {
  const merged = (/** @type {boolean} */ added) => ({ ...details(node("  "), "bytes"), read_as: [{ ...node("  "), id: 7, added }] });
  assert.equal(joinedOthers(merged(true)), "·· (the added token 7)");
  assert.equal(joinedOthers(merged(false)), "·· (token 7)");
  assert.match(sayWhenMerged(merged(true)), /would merge\. Alone, an added token is cut out/);
  assert.match(sayWhenMerged(merged(false)), /where nothing cuts them apart/);
  const parts = { ...details(node("ab"), "bytes"), read_as: [node("a"), node("b")] };
  assert.equal(joinedOthers(parts), "a + b");
});

test("a token whose bytes differ from the text's explains why, by what was done at this place", () => {
  const own = details(node(" I"), "bytes");
  const spaced = ["puts a space in front"];
  assert.deepEqual(ownBytes(own, "49", spaced), { hex: "20 49", text: "·I", why: "this tokenizer first puts a space in front" });
  assert.equal(ownBytes(own, "20 49", spaced), null);
  const lower = { hex: "65", text: "e", why: "this tokenizer first removes accents and makes all letters lower case" };
  assert.deepEqual(ownBytes({ ...details(node("e"), "bytes") }, "c3 89", ["removes accents", "makes all letters lower case"]), lower);
  assert.deepEqual(ownBytes({ ...own, hex: "3c", text: null }, "20 3c", []), { hex: "3c", text: "", why: "" });
  for (const kind of ["special", "added"]) {
    const says = { hex: "3c", text: "<", why: "where it is found, it takes in the white space beside it" };
    assert.deepEqual(ownBytes({ ...own, hex: "3c", text: "<", [kind]: true }, "20 3c", []), says);
  }
});

test("a token for the unknown stands for other text, unless the text itself says so", () => {
  const unknown = { ...details(node("[UNK]"), "characters"), unknown: true };
  assert.equal(standsForOther(unknown, "f0 9f 8d 95"), true);
  assert.equal(standsForOther(unknown, unknown.hex), false);
  assert.equal(standsForOther(details(node("a"), "bytes"), "41"), false);
});

test("a mark of a piece is said not to be part of the text", () => {
  assert.equal(sayMark({ spelled: "##ing", mark: "##", place: "inside" }), "it continues a word; ## is not part of the text");
  assert.equal(sayMark({ spelled: "ing</w>", mark: "</w>", place: "end" }), "a word ends here; </w> is not part of the text");
});

test("a token for a single byte is said to spell what no other token holds", () => {
  const byte = { ...details(node(""), "characters"), hex: "9f", byte: true };
  assert.equal(learned(byte), "no: byte fallback. <0x9F> is one byte of a character that has no token of its own");
});

test("a token without bytes is an end of word only if nothing was rewritten", () => {
  const model = (/** @type {object} */ meta) => /** @type {any} */ ({ byteLengths: [0], n: 1, meta });
  const nfc = { rewriting: ["converts the text to the Unicode form NFC"] };
  for (const meta of [{}, { rewriting: [] }]) {
    assert.equal(sayToken(model(meta), 0), "the end of a word, no bytes");
    assert.equal(pieceOf(/** @type {any} */ ({ models: [model(meta)] }), 0, 0), "end of word");
    assert.equal(writeToken(model(meta), 0), "end of word");
    assert.deepEqual(legend("bytes", model(meta)).rows.map(({ label }) => label), ["1 byte, or none: the end of a word"]);
  }
  assert.equal(sayToken(model(nfc), 0), "nothing of the text: the tokenizer made it when it rewrote the text");
  assert.equal(pieceOf(/** @type {any} */ ({ models: [model(nfc)] }), 0, 0), "no bytes");
  assert.equal(writeToken(model(nfc), 0), "no bytes");
  assert.deepEqual(legend("bytes", model(nfc)).rows.map(({ label }) => label), ["1 byte, or none"]);
});

test("a token without bytes isn't called a byte", () => {
  const model = makeTokenization("a", { ids: Int32Array.of(1, 2), byte_lengths: Int32Array.of(1, 0), special: new Uint8Array(2) });
  assert.deepEqual(legend("bytes", model).rows.map(({ label }) => label), ["1 byte, or none: the end of a word"]);
  const [first] = legend("rank", model).rows; // of whatever tokenizer: its first symbols may be characters
  assert.doesNotMatch(first.label, /byte|special/);
});

test("code points are folded where all are ASCII", () => {
  const points = (/** @type {string} */ text) => Array.from(text, (char) => ({ code: "", name: "", char }));
  assert.equal(isAscii(points(" the")), true);
  for (const text of ["thé", "\x7f", "“", "🍕"]) assert.equal(isAscii(points(text)), false);
});
