import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { pieceOf, textOf } from "../../tokviz/widgets/compare/pieces.js";
import { createExplaining, sentencesOf } from "../../tokviz/widgets/compare/explaining.js";
import { toCsv, toJson } from "../../tokviz/widgets/compare/export.js";
import {
  beginningOf,
  differenceAfter,
  differenceIn,
  firstAbove,
  makeComparison,
  placeOf,
  reasonBits,
  reasonNames,
  segmentOf,
  tokensIn,
} from "../../tokviz/widgets/compare/model.js";
import { classesBySize, sharesOf } from "../../tokviz/widgets/compare/breakdown.js";
import { CLASSES, compared } from "./comparisons.js";
import { anyLengths, bytesIn, dice } from "./pieces.js";

const RANDOM = (() => {
  const roll = dice(11);
  const any = () => Array.from({ length: roll() % 16 }, () => ["a", "é", "你", "🍕", " "][roll() % 5]).join("");
  return Array.from({ length: 200 }, () => {
    const text = any();
    return compared(text, [anyLengths(roll, bytesIn(text)), anyLengths(roll, bytesIn(text)), anyLengths(roll, bytesIn(text))]);
  });
})();

describe("segments", () => {
  test("each token is in exactly the segment that has its bytes", () => {
    for (const comparison of RANDOM) {
      const { models, boundaries } = comparison;
      models.forEach(({ n, byteOffsets }, t) => {
        let next = 0;
        for (let segment = 0; segment + 1 < boundaries.length; segment++) {
          const [first, end] = tokensIn(comparison, t, segment);
          assert.deepEqual([byteOffsets[first], byteOffsets[end]], [boundaries[segment], boundaries[segment + 1]]);
          assert.equal(first, next);
          next = end;
          for (let i = first; i < end; i++) assert.equal(segmentOf(comparison, t, i), segment);
        }
        assert.equal(next, n);
      });
    }
  });

  test("an end of word without bytes is in the segment that it ends", () => {
    const words = compared("ab c", [
      [2, 0, 1, 1, 0],
      [1, 1, 1, 1],
    ]);
    assert.deepEqual([...words.boundaries], [0, 2, 3, 4]);
    assert.deepEqual([0, 1, 2].map((segment) => tokensIn(words, 0, segment)), [[0, 2], [2, 3], [3, 5]]);
    assert.deepEqual([0, 1, 2, 3, 4].map((i) => segmentOf(words, 0, i)), [0, 0, 1, 2, 2]);
    assert.deepEqual([0, 1].map((i) => pieceOf(words, 0, i)), ["ab", "end of word"]);
  });

  test("a part of a character has the position of the whole, and bytes as its text", () => {
    const pizza = compared("a🍕b", [
      [2, 1, 2, 1],
      [1, 1, 3, 1],
    ]);
    assert.deepEqual([...pizza.boundaries], [0, 2, 5, 6]);
    assert.deepEqual([0, 1, 2].map((segment) => placeOf(pizza, segment)), [[0, 3], [1, 3], [3, 4]]);
    assert.equal(textOf(pizza, 1), "9f 8d 95");
    assert.equal(textOf(pizza, 2), "b");
    assert.deepEqual([0, 1].map((i) => pieceOf(pizza, 1, i)), ["a", "f0"]);
  });

  test("the first entry above a value is the same as by linear search", () => {
    const roll = dice(5);
    for (let k = 0; k < 200; k++) {
      const sorted = Int32Array.from({ length: roll() % 9 }, () => roll() % 12).sort();
      for (let value = -1; value < 13; value++) {
        const found = [...sorted, Infinity].findIndex((each) => each > value);
        assert.equal(firstAbove(sorted, value), found);
      }
    }
  });
});

test("the index of a segment among the differences", () => {
  // “ab” and “d” are cut alike, “c” into bytes by one only: “ç” is two bytes.
  const comparison = compared("abçdç", [[2, 2, 1, 2], [2, 1, 1, 1, 1, 1]]);
  assert.deepEqual([0, 1, 2, 3].map((segment) => differenceIn(comparison, segment)), [-1, 0, -1, 1]);
});

test("the first difference that ends after a place", () => {
  const comparison = compared("abçdç", [[2, 2, 1, 2], [2, 1, 1, 1, 1, 1]]);
  // “ç” at 2 is segment 1 and ends at 3; “ç” at 4 is segment 3 and ends at 5. Places are in UTF-16 units, not in bytes.
  assert.deepEqual([0, 2, 3, 4, 5].map((place) => differenceAfter(comparison, place)), [1, 1, 3, 3, undefined]);
});

describe("reasons", () => {
  test("a difference combines the reasons of all tokenizers", () => {
    const columns = { reasons_1: Uint8Array.of(2, 0, 4), reasons_2: Uint8Array.of(4, 8, 0), reasons_3: Uint8Array.of(0, 8, 1) };
    assert.deepEqual([...reasonBits(columns, 4, 3)], [6, 8, 5]);
    const text = "abcdef";
    const one = [...text].map(() => 1);
    const comparison = compared(text, [one, [2, 2, 2], [2, 2, 2], [2, 2, 2]], columns);
    assert.deepEqual([...comparison.bits].map(reasonNames), [
      ["split", "vocabulary"],
      ["merge order"],
      ["vocabulary", "alphabet"],
    ]);
  });

  test("there are none until they are loaded", () => {
    assert.deepEqual([...reasonBits({}, 3, 2)], [0, 0]);
    assert.deepEqual(reasonNames(0), []);
  });

  test("a sentence shared by several tokenizers is given once", () => {
    const reasons = ["One.", null, "Two.", "One."].map((sentence) => sentence && { sentence, because: "", alone: [] });
    assert.deepEqual(sentencesOf({ splits: [], reasons }), ["One.", "Two."]);
    assert.deepEqual(sentencesOf(null), []);
  });
});

describe("where differences come from", () => {
  test("text classes are sorted by size, without empty ones", () => {
    assert.deepEqual(classesBySize([[3, 0, 9, 1], [4, 0, 2, 7]]), [2, 3, 0]);
    assert.deepEqual(classesBySize([[0, 0]]), []);
  });

  test("the share of a stretch is the share of its bytes in differences", () => {
    const roll = dice(4);
    for (let k = 0; k < 50; k++) {
      const bounds = new Set([0, 1 + (roll() % 400)]);
      const end = Math.max(...bounds);
      for (let each = 0; each < 20; each++) bounds.add(roll() % end);
      const boundaries = Int32Array.from(bounds).sort();
      const differing = Int32Array.from([...boundaries.keys()].slice(0, -1).filter(() => roll() % 2));
      // Each byte counts as a hundred parts, so that a stretch is `end` parts long.
      const parts = Array.from({ length: end }, (_, byte) => differing.some((s) => boundaries[s] <= byte && byte < boundaries[s + 1]));
      const wanted = Array.from({ length: 100 }, (_, stretch) => {
        const own = Array.from({ length: end }, (_, part) => parts[Math.floor((stretch * end + part) / 100)]);
        return own.filter(Boolean).length / end;
      });
      const shares = sharesOf({ boundaries, differing });
      assert.equal(shares.length, wanted.length);
      shares.forEach((share, stretch) => assert.ok(Math.abs(share - wanted[stretch]) < 1e-9));
    }
  });
});

describe("differences as a file", () => {
  const comparison = compared(
    'say "a,b"',
    [
      [3, 1, 1, 3, 1],
      [3, 1, 1, 1, 1, 1, 1],
    ],
    { reasons_1: Uint8Array.of(6), classes: Uint8Array.of(2) },
  );
  const reason = { sentence: "A “reason”.", because: "", alone: [] };
  const explanations = [{ splits: [], reasons: [reason, null] }];

  test("JSON has bytes, texts, ids and reasons", () => {
    assert.deepEqual(JSON.parse(toJson(comparison, [0], explanations)), [
      {
        start_byte: 5,
        end_byte: 8,
        text: "a,b",
        class: "other",
        reasons: ["split", "vocabulary"],
        why: "A “reason”.",
        tokens: {
          "tokenizer 0": [{ id: 3, bytes: "61 2c 62", text: "a,b" }],
          "tokenizer 1": [
            { id: 3, bytes: "61", text: "a" },
            { id: 4, bytes: "2c", text: "," },
            { id: 5, bytes: "62", text: "b" },
          ],
        },
      },
    ]);
  });

  test("tokens that share a rewritten character are shown as their vocabulary bytes", () => {
    // In NFC, “é” is c3 a9, one token per byte here; the text has it as two code points.
    const own = { own_tokens_0: Int32Array.of(0, 1), own_lengths_0: Int32Array.of(1, 1), own_bytes_0: Uint8Array.of(0xc3, 0xa9) };
    const nfc = compared("e\u0301", [[0, 3], [1, 2]], own);
    assert.deepEqual([0, 1].map((i) => pieceOf(nfc, 0, i)), ["c3", "a9"]);
    assert.equal(pieceOf(nfc, 1, 0), "e");
    const [{ tokens }] = JSON.parse(toJson(nfc, [0], []));
    assert.deepEqual(tokens["tokenizer 0"].map(({ bytes, own_bytes }) => [bytes, own_bytes]), [["", "c3"], ["65 cc 81", "a9"]]);
    assert.match(toCsv(nfc, [0], []), /,c3\|a9,0 1,/);
    // If the rewritten text is whole characters, they are readable: “ﬁ” in NFKC.
    const letters = { ...own, own_bytes_0: Uint8Array.of(0x66, 0x69) };
    assert.deepEqual([0, 1].map((i) => pieceOf(compared("\ufb01", [[3, 0], [1, 1, 1]], letters), 0, i)), ["f", "i"]);
  });

  test("CSV quotes only fields with a comma, a quote or a line end", () => {
    const [title, row, end] = toCsv(comparison, [0], explanations).split("\r\n");
    assert.equal(title, "start_byte,end_byte,text,class,reasons,why,tokenizer 0,tokenizer 0 ids,tokenizer 1,tokenizer 1 ids");
    assert.equal(row, '5,8,"a,b",other,split and vocabulary,A “reason”.,"a,b",3,"a|,|b",3 4 5');
    assert.equal(end, "");
    const quoted = compared('"\n"', [[3], [1, 2]]);
    assert.match(toCsv(quoted, [0], []), /\r\n0,3,"""\n""",letters,,,"""↵""",0,/);
  });

  test("a part of a character has bytes and no text", () => {
    const pizza = compared("🍕", [
      [2, 1, 1],
      [2, 2],
    ]);
    const [{ text, tokens }] = JSON.parse(toJson(pizza, [0], []));
    assert.equal(text, null);
    assert.deepEqual(tokens["tokenizer 1"], [{ id: 1, bytes: "8d 95", text: null }]);
  });
});

describe("explanations", () => {
  /** A server that answers each segment with the bytes it was asked about. */
  const server = (explain = (/** @type {string} */ piece, /** @type {any} */ _goesOn) => [piece]) => {
    const asked = [];
    const send = async (text, segments, goesOn) => {
      asked.push({ text, segments, goesOn });
      return { explanations: segments.map(([from, to]) => explain(Buffer.from(text).subarray(from, to).toString(), goesOn)) };
    };
    return { asked, ...createExplaining(send) };
  };

  test("each segment is requested once", async () => {
    const { asked, explain, recall } = server();
    const comparison = compared("abcd", [[1, 1, 1, 1], [2, 2]]);
    assert.equal(recall(comparison, 0), null);
    assert.deepEqual(await explain(comparison, [0]), [["ab"]]);
    assert.deepEqual(await explain(comparison, [0, 1]), [["ab"], ["cd"]]);
    assert.deepEqual(asked.map(({ segments }) => segments), [[[0, 2]], [[2, 4]]]);
    assert.deepEqual(recall(comparison, 1), ["cd"]);
    assert.equal(recall(compared("abcd", [[1, 1, 1, 1], [2, 2]]), 1), null);
  });

  test("those of an earlier comparison are forgotten", async () => {
    const { explain } = server();
    for (const text of ["abcd", "wxyz"])
      assert.deepEqual(await explain(compared(text, [[1, 1, 1, 1], [2, 2]]), [0]), [[text.slice(0, 2)]]);
  });

  test("a stretch begins with a whole character, also where a token begins inside of one", async () => {
    const { asked, explain } = server();
    const word = "éa ";
    const comparison = comparedLong(word.repeat(30_000), Array.from({ length: 60_000 }, (_, k) => (k % 2 ? 3 : 1)), bytesIn(word));
    assert.deepEqual(await explain(comparison, [15_000]), [[word]]);
    assert.ok(asked.length === 1 && asked[0].text.startsWith("é"));
  });

  test("for a long text, stretches around the segments are sent", async () => {
    const { asked, explain } = server();
    const word = "née ";
    const text = word.repeat(30_000);
    const ones = Array(bytesIn(text)).fill(1);
    const comparison = comparedLong(text, ones, bytesIn(word));
    const segments = [0, 7, 14_000, 29_999];
    assert.deepEqual(await explain(comparison, segments), segments.map(() => [word]));
    assert.ok(asked.length > 1);
    assert.ok(asked.every((each) => each.text.length <= 65_000));
  });

  test("what a stretch can't explain is requested with the whole text, marked as complete", async () => {
    const word = "née ";
    const text = word.repeat(50_000);
    const unknown = 25_000;
    let times = 0;
    const { asked, explain, recall } = server((piece, { before, after }) => (before && after && times++ === 0 ? null : [piece]));
    const comparison = comparedLong(text, Array(bytesIn(text)).fill(1), bytesIn(word));
    assert.deepEqual(await explain(comparison, [0, unknown, 49_999]), [[word], [word], [word]]);
    assert.deepEqual(asked.map(({ goesOn }) => [goesOn.before, goesOn.after]), [[false, true], [true, true], [true, false], [false, false]]);
    const [last] = asked.slice(-1);
    assert.equal(last.text, text);
    assert.deepEqual(last.segments, [[unknown * bytesIn(word), (unknown + 1) * bytesIn(word)]]);
    assert.deepEqual(recall(comparison, unknown), [word]);
  });

  /** Faster version of `compared` for a text of equal words of a length in bytes, each one token of the second. */
  function comparedLong(text, firsts, length) {
    const words = bytesIn(text) / length;
    const boundaries = Int32Array.from({ length: words + 1 }, (_, k) => k * length);
    const column = (lengths) => ({ ids: new Int32Array(lengths.length), byte_lengths: lengths, special: new Uint8Array(lengths.length) });
    const columns = { boundaries, differing: Int32Array.from({ length: words }, (_, k) => k), classes: new Uint8Array(words) };
    [Int32Array.from(firsts), new Int32Array(words).fill(length)].forEach((lengths, t) => {
      for (const [name, values] of Object.entries(column(lengths))) columns[`${name}_${t}`] = values;
    });
    return makeComparison(text, { ...columns, meta: { names: ["one", "other"], colors: [0, 1], classes: CLASSES } });
  }
});

test("the beginning of a comparison ends with a line, or else with a word, where all tokenizers cut", () => {
  const text = "one two\nthree fours";
  const cuts = [[3, 4, 1, 5, 3, 3], [3, 4, 1, 5, 6]];
  const comparison = compared(text, cuts);
  for (const [bytes, beginning] of [[19, text], [18, "one two\n"], [8, "one two\n"], [7, "one"], [3, "one"], [2, ""]]) {
    assert.equal(beginningOf(comparison, bytes), beginning);
  }
});
