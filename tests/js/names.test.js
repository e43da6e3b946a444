import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { hex } from "../../tokviz/widgets/shared/text/tokenization.js";
import { hasLetters, nameOf, runsOf, sayingOf } from "../../tokviz/widgets/replay/model/names.js";
import { sayText, sayToken } from "../../tokviz/widgets/shared/text/speak.js";
import { cutInto, tokensFrom } from "./pieces.js";

const bytes = (/** @type {string} */ hex) => Uint8Array.from(Buffer.from(hex.replaceAll(" ", ""), "hex"));
/** Runs of bytes: whole characters as text, parts as hex in brackets. @param {string} hex */
const read = (hex) => runsOf(bytes(hex)).map(({ text, part }) => (part ? `[${text}]` : text));

describe("bytes as text", () => {
  test("whole characters are text, parts of characters are hex", () => {
    assert.deepEqual(read("68 69"), ["hi"]);
    assert.deepEqual(read("20 f0 9f"), [" ", "[f0 9f]"]);
    assert.deepEqual(read("8d 95 21"), ["[8d 95]", "!"]);
    assert.deepEqual(read("e4 bd a0 e5"), ["你", "[e5]"]);
    assert.deepEqual(read(""), []);
  });

  test("strict UTF-8: no overlong forms, no surrogates, nothing beyond U+10FFFF", () => {
    for (const hex of ["c0 80", "ed a0 80", "f4 90 80 80", "ff", "e0 80 80", "f8 88 80 80"]) {
      const found = read(hex);
      assert.ok(found.every((run) => run.startsWith("[")), hex);
      assert.equal(found.map((run) => run.slice(1, -1)).join(" "), hex);
    }
    assert.deepEqual(read("f4 8f bf bf ef bb bf"), ["\u{10ffff}\ufeff"]);
  });

  test("any bytes survive a round trip", () => {
    for (let seed = 0; seed < 500; seed++) {
      const any = Uint8Array.from({ length: seed % 9 }, (_, i) => (seed * 97 + i * i * 61 + i * seed * 13) & 255);
      const back = runsOf(any).flatMap(({ text, part }) => [...(part ? bytes(text) : Buffer.from(text))]);
      assert.deepEqual(back, [...any]);
    }
  });
});

/** The fields of a replay that names use. */
const replay = {
  bytes: new Map([
    [1, bytes("20 74")],
    [2, bytes("f0 9f")],
    [3, bytes("74 f0 9f 8d")],
    [4, bytes("")],
    [5, bytes("65 73 74")],
    [6, Uint8Array.from(Buffer.from("x".repeat(60)))],
    [7, bytes("0a")],
  ]),
  endsWord: new Set([4, 5]),
  newIds: Int32Array.of(5, 1),
  steps: 2,
  meta: { end_of_word: "</w>", order: "rank" },
};

test("a symbol's name shows invisible characters, parts of characters and ends of words", () => {
  const names = [1, 2, 3, 4, 5, 6, 7].map((id) => nameOf(replay, id));
  assert.deepEqual(names, ["·t", "f0 9f", "t f0 9f 8d", "</w>", "est</w>", `${"x".repeat(40)}…`, "↵"]);
});

test("a symbol can be written in hex, as its id or as a letter", () => {
  assert.equal(nameOf(replay, 5, "hex"), "65 73 74 </w>");
  assert.equal(nameOf(replay, 5, "ids"), "5");
  assert.deepEqual([5, 1, 7].map((id) => nameOf(replay, id, "letters")), ["Z", "Y", "↵"]);
  assert.equal(hex(bytes("0a ff")), "0a ff");
});

test("there are letters for up to 26 merges in order of rank", () => {
  assert.equal(hasLetters(replay), true);
  assert.equal(hasLetters({ ...replay, steps: 26 }), true);
  assert.equal(hasLetters({ ...replay, steps: 27 }), false);
  assert.equal(hasLetters({ ...replay, meta: { order: "pretoken" } }), false);
});

test("a symbol has a spoken name", () => {
  assert.deepEqual([1, 2, 3, 7].map((id) => sayingOf(replay, id)), ["space t", "bytes f0 9f", "t bytes f0 9f 8d", "new line"]);
  assert.equal(sayingOf(replay, 1, "ids"), "1");
});

describe("spoken text", () => {
  test("silent and invisible characters are named", () => {
    assert.equal(sayText(" say"), "space say");
    assert.equal(sayText("   "), "3 spaces");
    assert.equal(sayText("a\n\n\tb"), "a 2 new lines tab b");
    assert.equal(sayText("\u00a0"), "no-break space");
    assert.equal(sayText("!"), "exclamation mark");
    assert.equal(sayText("’"), "right curly quote");
    assert.equal(sayText("a\u200db"), "a ZWJ b");
    assert.equal(sayText("❤\ufe0f葛\u{e0100}"), "❤ VS16 葛 VS17");
    assert.equal(sayText("🍕"), "🍕");
  });

  test("a part of a character is described by its position in the character", () => {
    const pizza = cutInto("🍕!", [2, 1, 1, 1]);
    assert.deepEqual([0, 1, 2, 3].map((i) => sayToken(pizza, i)), [
      "bytes f0 9f, the first two of four of 🍕",
      "byte 8d, the third of four of 🍕",
      "byte 95, the last of four of 🍕",
      "exclamation mark",
    ]);
    const accent = cutInto("xe\u0301", [1, 1, 2]);
    assert.equal(sayToken(accent, 2), "bytes cc 81, the last two of three of e\u0301");
    const family = cutInto("👩\u200d👩\u200d👧", [4, 3, 4, 3, 4]);
    assert.equal(sayToken(family, 2), "bytes f0 9f 91 a9, 8 to 11 of 18 of 👩 ZWJ 👩 ZWJ 👧");
  });

  test("a token with a whole character and part of the next describes both", () => {
    assert.equal(sayToken(cutInto(" 🍕", [3, 2]), 0), "space, bytes f0 9f, the first two of four of 🍕");
  });

  test("special tokens, unknown words and ends of words are described as such", () => {
    const special = cutInto("<s>", [3], { special: [1] });
    assert.equal(sayToken(special, 0), "special token <s>");
    assert.equal(sayToken(cutInto("dog", [3], { special: [1], meta: { tokenizer: "words" } }), 0), "unknown word dog");
    assert.equal(sayToken(cutInto("ab", [2, 0]), 1), "the end of a word, no bytes");
  });

  test("a token far into a text is described as at the start", () => {
    const pieces = ["नमस्ते ".repeat(100), "🍕"];
    const far = cutInto(pieces.join(""), [pieces[0].length * 3 - 200, 2, 2]);
    assert.equal(sayToken(far, 1), "bytes f0 9f, the first two of four of 🍕");
    assert.equal(sayToken(tokensFrom(["a".repeat(500), " b"]), 1), "space b");
  });
});
