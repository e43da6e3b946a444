import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { sayToken } from "../../tokviz/widgets/shared/text/speak.js";
import {
  bytesOf,
  cutText,
  piecesOf,
  pretokenIndex,
  stripesOf,
  tokenAt,
  tokenEnd,
} from "../../tokviz/widgets/shared/text/tokenization.js";
import { anyLengths, bytesIn, cutInto, dice, tokensFrom } from "./pieces.js";

/** Graphemes of many kinds: letters with marks, conjuncts, flags, joined emoji, jamo, and single characters. */
const CHARACTERS = [
  ..."abc XYZ 123 .,!\n\t\u00a0",
  ..."éüßñ€",
  "e\u0301",
  "a\u0323\u0302",
  "и\u0306",
  "α\u0301",
  "क्षि",
  "नी",
  "สำ",
  "ش\u064e",
  "ש\u05b8",
  "か\u3099",
  "한",
  "\u1112\u1161\u11ab",
  "你",
  "好\ufe00",
  "🍕",
  "👍🏽",
  "👩\u200d👧",
  "🇫🇷",
  "🇺🇸",
  "1\ufe0f\u20e3",
  "\r\n",
  "\u200b",
];

/** Random text of these graphemes, cut between any two bytes. @param {() => number} roll */
function anything(roll) {
  const text = Array.from({ length: roll() % 30 }, () => CHARACTERS[roll() % CHARACTERS.length]).join("");
  return cutInto(text, anyLengths(roll, bytesIn(text)));
}

/** Start of each code point, and the end of the text, in bytes and in UTF-16 units. @param {string} text */
function codePoints(text) {
  const places = [{ byte: 0, unit: 0 }];
  for (const character of text) {
    const { byte, unit } = places.at(-1);
    places.push({ byte: byte + bytesIn(character), unit: unit + character.length });
  }
  return places;
}

const RANDOM = (() => {
  const roll = dice(7);
  return Array.from({ length: 400 }, () => anything(roll));
})();

describe("token positions", () => {
  test("a boundary is at the code point that begins there, or inside the one that began before", () => {
    for (const model of RANDOM) {
      const places = codePoints(model.text);
      let byte = 0;
      for (let i = 0; i <= model.n; i++) {
        const before = places.findLast((place) => place.byte <= byte);
        assert.deepEqual([model.byteOffsets[i], model.starts[i]], [byte, before.unit]);
        assert.equal(model.inside[i], before.byte < byte ? 1 : 0);
        byte += model.byteLengths[i] ?? 0;
      }
    }
  });

  test("a token that cuts a character ends where the character ends", () => {
    const pizza = cutInto("a🍕b", [2, 2, 1, 1]); // a f0 | 9f 8d | 95 | b
    assert.deepEqual([...pizza.starts], [0, 1, 1, 3, 4]);
    assert.deepEqual([...pizza.inside], [0, 1, 1, 0, 0]);
    assert.deepEqual([0, 1, 2, 3].map((i) => tokenEnd(pizza, i)), [3, 3, 3, 4]);
    const euro = cutInto("€", [1, 2]);
    assert.deepEqual([0, 1].map((i) => tokenEnd(euro, i)), [1, 1]);
  });

  test("the token at a position is the first with a byte of its character", () => {
    const pizza = cutInto("a🍕b", [2, 2, 1, 1]);
    assert.deepEqual([0, 1, 2, 3, 4].map((offset) => tokenAt(pizza, offset)), [0, 0, 0, 3, 3]);
    assert.equal(tokenAt(cutInto("", []), 0), -1);
    for (const model of RANDOM) {
      for (const [k, { byte, unit }] of codePoints(model.text).slice(0, -1).entries()) {
        const holds = model.byteOffsets.findIndex((offset, i) => i > 0 && offset > byte) - 1;
        assert.equal(tokenAt(model, unit), holds, `character ${k} of ${model.text}`);
      }
    }
  });

  test("a lone surrogate has the length of the U+FFFD sent for it", () => {
    assert.deepEqual([...cutInto("\ud83ca\udf55", [3, 1, 3]).starts], [0, 1, 2, 3]);
  });

  test("a token's bytes are the text's", () => {
    for (const model of RANDOM) {
      const bytes = Buffer.from(model.text);
      for (let i = 0; i < model.n; i++) {
        const own = bytes.subarray(model.byteOffsets[i], model.byteOffsets[i + 1]).toString("hex");
        assert.equal(bytesOf(model, i), own.replace(/..(?=.)/g, "$& "));
      }
    }
  });
});

describe("drawn pieces", () => {
  const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

  test("a grapheme cut by tokens is one piece of all these tokens", () => {
    const cut = (text, lengths) => piecesOf(cutInto(text, lengths), 0, text.length).map(({ from, to }) => text.slice(from, to));
    assert.deepEqual(cut("be\u0301c", [2, 2, 1]), ["b", "e\u0301", "c"]);
    assert.deepEqual(cut("ke\u0300", [1, 1, 2]), ["k", "e\u0300"]);
    assert.deepEqual(cut("о\u0308", [2, 2]), ["о\u0308"]);
    assert.deepEqual(cut("🇫🇷🇺🇸", [4, 4, 8]), ["🇫🇷", "🇺🇸"]);
    assert.deepEqual(cut("का", [3, 3]), ["का"]);
    assert.deepEqual(cut("ab\u0301", [1, 3]), ["a", "b\u0301"]);
  });

  test("each token without bytes is a piece, wherever it is, if its place is not within a character", () => {
    const tokens = (text, lengths) => piecesOf(cutInto(text, lengths), 0, text.length).map(({ first, from, to }) => [first, text.slice(from, to)]);
    assert.deepEqual(tokens("ab", [0, 1, 1]), [[0, ""], [1, "a"], [2, "b"]]);
    assert.deepEqual(tokens("ab", [0, 0, 1, 0, 1, 0]), [[0, ""], [1, ""], [2, "a"], [3, ""], [4, "b"], [5, ""]]);
    assert.deepEqual(tokens("éa", [0, 1, 1, 1]), [[0, ""], [1, "é"], [3, "a"]]);
    const lines = cutInto("a\nb", [0, 2, 0, 1]);
    assert.deepEqual([[0, 2], [2, 3]].flatMap(([from, to]) => piecesOf(lines, from, to).map(({ first }) => first)), [0, 1, 2, 3]);
  });

  test("a line end of two characters is two pieces if tokens cut it, because it has no glyph", () => {
    assert.deepEqual(piecesOf(tokensFrom(["a\r", "\nb"]), 0, 4).map(({ to }) => to), [2, 4]);
  });

  test("pieces are adjacent; a character with a token boundary inside is one piece", () => {
    for (const model of RANDOM) {
      const { text, n, starts, inside } = model;
      const pieces = piecesOf(model, 0, text.length);
      let at = 0;
      const opened = [];
      for (const { first, last, from, to, opens } of pieces) {
        assert.equal(from, at);
        at = to;
        if (opens) opened.push(first);
        const characters = [...graphemes.segment(text)].filter(({ index, segment }) => index < to && index + segment.length > from);
        if (first !== last) assert.deepEqual(characters.map(({ segment }) => segment), [text.slice(from, to)]);
        // The tokens of a piece are those with a byte in it.
        const [begin, end] = [bytesIn(text.slice(0, from)), bytesIn(text.slice(0, to))];
        const holding = [...Array(n).keys()].filter((i) => model.byteOffsets[i] < end && model.byteOffsets[i + 1] > begin);
        assert.deepEqual([first, last], [holding[0], holding.at(-1)]);
      }
      assert.equal(at, text.length);
      for (let i = 0; i < n; i++) {
        const unit = starts[i];
        const within = [...graphemes.segment(text)].some(
          ({ index, segment }) => segment !== "\r\n" && index < unit && unit < index + segment.length,
        );
        if (!within && !inside[i]) assert.ok(pieces.some(({ from }) => from === unit), `${i} of ${JSON.stringify(text)}`);
      }
    }
  });

  test("a stretch of the text has the same pieces as in the whole text", () => {
    for (const model of RANDOM) {
      const places = [...graphemes.segment(model.text)].map(({ index }) => index);
      const from = places[places.length >> 1] ?? 0;
      const all = piecesOf(model, 0, model.text.length);
      if (!all.some((piece) => piece.from === from)) continue; // within a token, which then is drawn in two pieces
      assert.deepEqual(piecesOf(model, from, model.text.length), all.filter((piece) => piece.from >= from));
    }
  });

  test("the stripes of a cut character are its bytes, token by token", () => {
    for (const model of RANDOM)
      for (const piece of piecesOf(model, 0, model.text.length)) {
        const stripes = stripesOf(model, piece);
        const bytes = Buffer.from(model.text.slice(piece.from, piece.to)).toString("hex");
        assert.equal(stripes.map((stripe) => stripe.bytes).join(" ").replaceAll(" ", ""), bytes);
        assert.deepEqual([stripes[0].token, stripes.at(-1).token], [piece.first, piece.last]);
      }
    const pizza = cutInto(" 🍕", [3, 1, 1]);
    const [space, glyph] = piecesOf(pizza, 0, 3);
    assert.deepEqual([space.first, space.last, space.opens], [0, 0, true]);
    assert.deepEqual([glyph.first, glyph.last, glyph.opens], [0, 2, false]);
    assert.deepEqual(stripesOf(pizza, glyph), [
      { token: 0, bytes: "f0 9f" },
      { token: 1, bytes: "8d" },
      { token: 2, bytes: "95" },
    ]);
  });

  test("a token without bytes within a cut character has a stripe, too", () => {
    const pizza = cutInto("🍕", [2, 0, 2]);
    const [piece] = piecesOf(pizza, 0, 2);
    assert.deepEqual(stripesOf(pizza, piece), [
      { token: 0, bytes: "f0 9f" },
      { token: 1, bytes: "" },
      { token: 2, bytes: "8d 95" },
    ]);
    assert.equal(sayToken(pizza, 2), "bytes 8d 95, the last two of four of 🍕");
  });

  test("a token without bytes is a piece of its own", () => {
    const words = cutInto("ab c", [2, 0, 1, 1, 0]);
    assert.deepEqual(
      piecesOf(words, 0, 4).map(({ first, from, to }) => [first, from, to]),
      [
        [0, 0, 2],
        [1, 2, 2],
        [2, 2, 3],
        [3, 3, 4],
        [4, 4, 4],
      ],
    );
  });
});

describe("pre-tokens", () => {
  test("each token is in the pre-token that contains its bytes", () => {
    assert.deepEqual([...pretokenIndex(cutInto("abc def", [1, 2, 1, 3]), Int32Array.of(3, 4))], [0, 0, 1, 1]);
    assert.deepEqual([...pretokenIndex(cutInto("", []), Int32Array.of())], []);
  });

  test("an end of word without bytes is in the word that it ends", () => {
    assert.deepEqual([...pretokenIndex(cutInto("ab c", [2, 0, 1, 1, 0]), Int32Array.of(2, 1, 1))], [0, 0, 1, 2, 2]);
  });
});

describe("chunks", () => {
  const parts = (text, from = 0, to = text.length) => {
    const ends = cutText(text, from, to);
    return ends.map((end, k) => text.slice(k ? ends[k - 1] : from, end));
  };

  test("a short text is one chunk, an empty one none", () => {
    assert.deepEqual(cutText("one\ntwo\n", 0, 8), [8]);
    assert.deepEqual(cutText("", 0, 0), []);
  });

  test("lines are kept whole, and a chunk has as many as fit in 500 characters", () => {
    const line = "x".repeat(199) + "\n";
    assert.deepEqual(parts(line.repeat(5)), [line.repeat(2), line.repeat(2), line]);
    const long = "y".repeat(3000) + "\n";
    assert.deepEqual(parts(long + line), [long, line]);
  });

  test("a very long line is cut after a space, and never within a character", () => {
    const words = "word ".repeat(5000);
    assert.ok(parts(words).slice(0, -1).every((part) => part.endsWith(" ")));
    for (const character of ["🍕", "e\u0301", "👩\u200d👧"]) {
      const cut = parts(character.repeat(6000));
      assert.ok(cut.length > 1);
      for (const part of cut) assert.equal(part.replaceAll(character, ""), "");
    }
  });

  test("chunks are contiguous, even for a character longer than a chunk", () => {
    for (const text of ["e" + "\u0301".repeat(20_000), "a\n".repeat(4000), "🍕".repeat(3000) + "\n" + "b".repeat(9000)]) {
      assert.equal(parts(text).join(""), text);
      assert.equal(parts(text, 2, text.length - 1).join(""), text.slice(2, -1));
    }
  });
});
