import assert from "node:assert/strict";
import test from "node:test";

import { differencesOf, linesOf, pathThrough, readLattice, scoreText, timesLess } from "../../tokviz/widgets/lattice/model.js";
import { sayBlocks, sayWays, whyBest, whyNotPath, whyPiece } from "../../tokviz/widgets/lattice/sentences.js";

/** The example of tokviz/subwords/unigram.py: a -3, b -4, ab -5, abc -9, c -1. */
const ABC = readLattice({
  tokenizer: "abc",
  text: "abc",
  starts: [0, 0, 0, 1, 2],
  ends: [1, 2, 3, 2, 3],
  ids: [1, 3, 4, 2, 5],
  scores: [-3, -5, -9, -4, -1],
  rows: [0, 1, 2, 0, 0],
  unknown: [],
  special: [],
  bytes: false,
  unknown_token: "<unk>",
  paths: [
    { score: -6, pieces: [1, 4] },
    { score: -8, pieces: [0, 3, 4] },
    { score: -9, pieces: [2] },
  ],
  ways: "3",
});

/** All ways to write the characters from `start` on. */
function* ways(pieces, length, start = 0) {
  if (start === length) yield [];
  for (const [i, piece] of pieces.entries()) if (piece.start === start) for (const rest of ways(pieces, length, piece.end)) yield [i, ...rest];
}

const sumOf = (pieces, way) => way.reduce((sum, i) => sum + pieces[i].score, 0);

/** A lattice whose single characters always fit. */
function randomLattice(random, length) {
  const pieces = [];
  for (let start = 0; start < length; start++)
    for (let end = start + 1; end <= Math.min(length, start + 4); end++)
      if (end === start + 1 || random() < 0.4) pieces.push({ start, end, score: -Math.round(random() * 100) / 10 });
  return pieces;
}

const randomNumbers = (seed) => () => ((seed = (seed * 16807) % 2147483647) - 1) / 2147483646;

test("the path through a piece is the best of all ways that have it", () => {
  const random = randomNumbers(7);
  for (let round = 0; round < 40; round++) {
    const pieces = randomLattice(random, 6);
    const all = [...ways(pieces, 6)];
    const data = { ...ABC.data, text: "abcdef", paths: [], ids: pieces.map((_, i) => i) };
    const columns = Object.fromEntries(["start", "end", "score"].map((name) => [`${name}s`, pieces.map((piece) => piece[name])]));
    const lattice = readLattice({ ...data, ...columns });
    pieces.forEach((_, i) => {
      const best = Math.max(...all.filter((way) => way.includes(i)).map((way) => sumOf(pieces, way)));
      const path = pathThrough(lattice, i);
      assert.ok(path.includes(i));
      assert.ok(Math.abs(sumOf(pieces, path) - best) < 1e-9);
    });
  }
});

test("lines hold all characters, and all pieces that cross them", () => {
  const random = randomNumbers(3);
  for (let round = 0; round < 40; round++) {
    const all = randomLattice(random, 30);
    const lines = linesOf(all, 30, 8);
    assert.equal(lines[0].start, 0);
    assert.equal(lines.at(-1).end, 30);
    lines.forEach(({ start, end, pieces }, i) => {
      assert.ok(end > start && end - start <= 8);
      assert.equal(lines[i + 1]?.start ?? 30, end);
      all.forEach((piece, number) => assert.equal(pieces.includes(number), piece.start < end && piece.end > start));
    });
  }
});

test("a line breaks where no piece goes on", () => {
  const single = Array.from({ length: 6 }, (_, start) => ({ start, end: start + 1 }));
  const spans = linesOf([...single, { start: 3, end: 5 }], 6, 4).map(({ start, end }) => [start, end]);
  assert.deepEqual(spans, [[0, 3], [3, 6]]);
  const torn = linesOf([...single, { start: 0, end: 6 }], 6, 4).map(({ start, end }) => [start, end]);
  assert.deepEqual(torn, [[0, 4], [4, 6]]);
});

test("paths differ in the stretches that they write as different pieces", () => {
  assert.deepEqual(differencesOf(ABC, [1, 4], [0, 3, 4]), [{ best: [1], other: [0, 3] }]);
  assert.deepEqual(differencesOf(ABC, [1, 4], [2]), [{ best: [1, 4], other: [2] }]);
  assert.deepEqual(differencesOf(ABC, [1, 4], [1, 4]), []);
});

test("sentences give the difference of the scores", () => {
  const words = (parts) => parts.map((part) => (typeof part === "string" ? part : part.pieces.map((i) => ABC.pieces[i].text).join(" + "))).join("");
  assert.equal(
    words(whyBest(ABC)),
    "The best way to write this text scores −6.00, the sum of its pieces' scores. " +
      "The next best has a + b (−7.00) instead of ab (−5.00). That is 2.00 lower, 7.4 times less likely.",
  );
  assert.equal(words(whyNotPath(ABC, 2)), "Way 3 has abc (−9.00) instead of ab + c (−6.00). That is 3.00 lower, 20 times less likely.");
  assert.equal(words(whyPiece(ABC, 1)), "ab scores −5.00, and is in the best way.");
  assert.match(words(whyPiece(ABC, 2)), /^abc scores −9.00. With it, the best way has abc/);
});

test("a character that is in no piece is named, with what stands for it and its penalty", () => {
  const words = (parts) => parts.map((part) => (typeof part === "string" ? part : "[]")).join("");
  const unknown = { ...ABC.data, text: "ab🍕", scores: [-3, -5, -9, -4, -15], starts: [0, 0, 0, 1, 2], unknown: [4], ways: "2" };
  const lattice = readLattice({ ...unknown, unknown_token: "<unk>", paths: [{ score: -20, pieces: [1, 4] }, { score: -22, pieces: [0, 3, 4] }] });
  assert.match(words(whyBest(lattice)), /pieces' scores\. 🍕 is in no piece, so <unk> stands for it, with a penalty as the score: −15\.00\. The next best/);
  assert.equal(words(whyPiece(lattice, 4)), "[] scores −15.00, a penalty: it is in no piece, so <unk> stands for it, and is in the best way.");
  assert.equal(sayWays(lattice), "There are 2 ways to write this text as pieces, counting <unk> for 🍕 as a piece.");
  assert.match(sayBlocks(lattice), /A dashed block is a character that is in no piece: <unk> stands for it/);
  const spelled = { ...lattice, data: { ...lattice.data, bytes: true } };
  assert.match(words(whyBest(spelled)), / 🍕 is in no piece, so its bytes stand for it, f0 9f 8d 95, with a penalty/);
  assert.equal(sayWays(ABC), "There are 3 ways to write this text as pieces.");
  assert.doesNotMatch(sayBlocks(ABC), /dashed/);
});

test("scores have a true minus sign", () => {
  assert.deepEqual([scoreText(-1.234), scoreText(2), scoreText(-0.001)], ["−1.23", "2.00", "0.00"]);
});

test("differences of scores are said as likelihoods", () => {
  assert.deepEqual([timesLess(0), timesLess(Math.log(2)), timesLess(Math.log(1234)), timesLess(Math.log(1e9))], [
    "just as likely",
    "2.0 times less likely",
    "1,234 times less likely",
    "10^9 times less likely",
  ]);
});
