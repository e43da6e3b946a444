import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { sayCuts, sayPicture } from "../../tokviz/widgets/compare/drawing.js";
import { isBoxed, splitCuts } from "../../tokviz/widgets/compare/model.js";
import { lineStarts, pictureOf, visualOrder } from "../../tokviz/widgets/compare/picture.js";
import { compared } from "./comparisons.js";
import { anyLengths, bytesIn, dice } from "./pieces.js";

/** The labels of a line's columns, from left to right. */
const labels = ({ columns }) => columns.map(({ label }) => label).join("|");
/** The blocks of one tokenizer in a line: the columns, and what stands in them. */
const blocks = ({ bands }, t) => bands[t].blocks.map(({ from, to, label }) => [from, to, label]);
/** The only line of a picture of the first segment. */
function lineOf(text, cuts, splits = [], segment = 0) {
  const { lines } = pictureOf(compared(text, cuts), segment, splits);
  assert.equal(lines.length, 1);
  return lines[0];
}

test("tokens are blocks over the characters, and cuts of split patterns are beside them", () => {
  // GPT-2 leaves “5678” whole before any merge, cl100k cuts it after three digits.
  const line = lineOf("5678", [[1, 3], [3, 1]], [[0, 4], [0, 3, 4]]);
  assert.equal(labels(line), "5|6|7|8");
  assert.deepEqual(blocks(line, 0), [[0, 1, "5"], [1, 4, "678"]]);
  assert.deepEqual(blocks(line, 1), [[0, 3, "567"], [3, 4, "8"]]);
  assert.deepEqual(line.bands.map(({ cuts }) => cuts), [[0, 4], [0, 3, 4]]);
  assert.deepEqual(line.characters, []);
});

test("a pre-token that reaches beyond the segment has no cut at that end", () => {
  // The segment is “bc” of “abcd”.
  const line = lineOf("abcd", [[1, 2, 1], [1, 1, 1, 1]], [[], [2]], 1);
  assert.equal(labels(line), "b|c");
  assert.deepEqual(line.bands.map(({ cuts }) => cuts), [[], [2]]);
});

describe("characters that are cut", () => {
  test("are bytes, under the whole character", () => {
    const line = lineOf(" 🍕", [[3, 1, 1], [5]]);
    assert.equal(labels(line), "·|f0|9f|8d|95");
    assert.deepEqual(line.characters, [{ from: 1, to: 5, text: "🍕" }]);
    assert.deepEqual(blocks(line, 0), [[0, 3, null], [3, 4, null], [4, 5, null]]);
    assert.deepEqual(blocks(line, 1), [[0, 5, "·🍕"]]); // whole to a tokenizer that doesn't cut it
  });

  test("are bytes also if the cut is between two code points", () => {
    const line = lineOf("e\u0301", [[1, 2], [3]]);
    assert.equal(labels(line), "65|cc|81");
    assert.deepEqual(line.characters, [{ from: 0, to: 3, text: "e\u0301" }]);
  });

  test("and are not whole in the segment have only the bytes in it", () => {
    const line = lineOf("a🍕b", [[2, 1, 2, 1], [1, 1, 3, 1]], [], 1);
    assert.equal(labels(line), "9f|8d|95");
    assert.deepEqual(line.characters, [{ from: 0, to: 3, text: "🍕" }]);
  });

  test("are two if they are alike and neighbors", () => {
    const line = lineOf("éé", [[1, 2, 1], [4]]);
    assert.equal(labels(line), "c3|a9|c3|a9");
    assert.deepEqual(line.characters.map(({ from, to }) => [from, to]), [[0, 2], [2, 4]]);
  });

  test("do not include line ends of two characters", () => {
    const line = lineOf("\r\n", [[1, 1], [2]]);
    assert.equal(labels(line), "[CR]|↵");
  });
});

describe("right to left", () => {
  test("Hebrew and Arabic run from the right, with their cuts", () => {
    const line = lineOf("שלום", [[2, 6], [8]], [[0, 2, 8], [0, 8]]);
    assert.equal(labels(line), "ם|ו|ל|ש");
    assert.deepEqual(blocks(line, 0), [[3, 4, "ש"], [0, 3, "לום"]]);
    assert.deepEqual(line.bands[0].cuts.toSorted(), [0, 3, 4]);
  });

  test("the bytes of a letter run from the right, too", () => {
    assert.equal(labels(lineOf("ק", [[1, 1], [2]])), "a7|d7");
  });

  test("a number in them runs from the left", () => {
    const line = lineOf("של123", [[2, 3, 2], [7]]);
    assert.equal(labels(line), "1|2|3|ל|ש");
    // The token “ל1” stands in two places.
    assert.deepEqual(blocks(line, 0), [[4, 5, "ש"], [0, 1, "1"], [3, 4, "ל"], [1, 3, "23"]]);
    assert.deepEqual(line.bands[0].blocks.filter(({ isRest }) => isRest).length, 1);
  });

  test("so does a Latin word in them, and they in a Latin line", () => {
    assert.equal(labels(lineOf("של ab", [[2, 5], [7]])), "a|b|·|ל|ש");
    assert.equal(labels(lineOf("ab של", [[2, 5], [7]])), "a|b|·|ל|ש");
  });

  test("columns are reversed level by level", () => {
    assert.deepEqual(visualOrder([0, 1, 1, 0]), [0, 2, 1, 3]);
    assert.deepEqual(visualOrder([1, 1, 2, 2, 1]), [4, 2, 3, 1, 0]);
    assert.deepEqual(visualOrder([]), []);
  });
});

describe("tokens without bytes", () => {
  test("have a column of their own, which others leave out", () => {
    const line = lineOf("ab", [[2, 0], [1, 1]]);
    assert.equal(labels(line), "a|b|");
    assert.deepEqual(blocks(line, 0), [[0, 2, "ab"], [2, 3, "end of word"]]);
    assert.deepEqual(blocks(line, 1), [[0, 1, "a"], [1, 2, "b"]]);
  });
});

test("each token of any text is over exactly its bytes", () => {
  const roll = dice(7);
  for (let round = 0; round < 300; round++) {
    const text = Array.from({ length: 1 + (roll() % 8) }, () => ["a", "é", "你", "🍕", " ", "ש", "e\u0301", "7"][roll() % 8]).join("");
    const comparison = compared(text, [anyLengths(roll, bytesIn(text)), anyLengths(roll, bytesIn(text))]);
    for (let segment = 0; segment + 1 < comparison.boundaries.length; segment++) {
      const { lines, isWhole } = pictureOf(comparison, segment, []);
      assert.ok(isWhole);
      comparison.models.forEach(({ byteOffsets }, t) => {
        /** @type {Map<number, number[]>} */
        const covered = new Map();
        for (const { columns, bands } of lines) {
          for (const { from, to, token } of bands[t].blocks) {
            const bytes = columns.slice(from, to).flatMap(({ start, end }) => Array.from({ length: end - start }, (_, k) => start + k));
            covered.set(token, [...(covered.get(token) ?? []), ...bytes]);
          }
        }
        for (const [token, bytes] of covered) {
          const own = Array.from({ length: byteOffsets[token + 1] - byteOffsets[token] }, (_, k) => byteOffsets[token] + k);
          assert.deepEqual(bytes.toSorted((a, b) => a - b), own);
        }
      });
    }
  }
});

describe("long segments", () => {
  test("have several lines, each narrow", () => {
    assert.deepEqual(lineStarts([10, 10, 10, 40, 10]), [0, 2, 3, 4]);
    assert.deepEqual(lineStarts([]), [0]);
    const { lines } = pictureOf(compared("a".repeat(50), [[50], [25, 25]]), 0, []);
    assert.ok(lines.length > 1);
    assert.equal(lines.map(labels).join("|"), "a|".repeat(50).slice(0, -1));
    // A token has its id where it begins.
    assert.deepEqual(lines.map(({ bands }) => bands[0].blocks[0].isRest), lines.map((_, k) => k > 0));
  });

  test("of more characters than can be looked at are drawn only in part", () => {
    const { lines, isWhole } = pictureOf(compared("a".repeat(5000), [[5000], [1, 4999]]), 0, []);
    assert.equal(isWhole, false);
    assert.ok(lines.flatMap(({ columns }) => columns).length < 100);
  });
});

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
  const comparison = { ...compared("5678", [[1, 3], [3, 1]]), unknown: [null, 1] };
  comparison.models[0].special[0] = 1;
  assert.deepEqual([0, 1].map((i) => isBoxed(comparison, 0, i)), [true, false]);
  assert.deepEqual([0, 1].map((i) => isBoxed(comparison, 1, i)), [false, true]);
});
