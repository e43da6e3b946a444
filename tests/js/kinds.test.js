import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { kindsOf, sayHeadline } from "../../tokviz/widgets/compare/kinds.js";
import { tokensIn } from "../../tokviz/widgets/compare/model.js";
import { compared } from "./comparisons.js";

const NAMES = ["GPT-2", "cl100k", "o200k"];

/** What is said of a text cut in these ways. */
function headline(text, ...cuts) {
  const comparison = { ...compared(text, cuts), names: NAMES.slice(0, cuts.length) };
  return sayHeadline(comparison, kindsOf(comparison).kinds);
}

describe("the headline", () => {
  test("says most only above half", () => {
    assert.equal(headline("    a12", [1, 1, 1, 1, 1, 1, 1], [4, 1, 2]), "cl100k needs 4 tokens fewer. Most of them: runs of spaces.");
    assert.equal(headline("  a'tb\nc12", [1, 1, 1, 1, 1, 1, 1, 1, 1, 1], [2, 3, 2, 1, 2]), "cl100k needs 5 tokens fewer. 2 of them: apostrophes.");
    assert.equal(headline("   a12b3", [1, 1, 1, 1, 1, 1, 1, 1], [3, 1, 2, 2]), "cl100k needs 4 tokens fewer. 2 of them: runs of spaces.");
  });

  test("does not take what others cost for part of the sum", () => {
    assert.equal(headline("     a'tb", [1, 1, 1, 1, 1, 4], [5, 1, 1, 1, 1]), "cl100k needs 1 token fewer. Runs of spaces save 4, apostrophes cost 3.");
  });

  test("says of one cause that it is all", () => {
    assert.equal(headline("   a", [1, 1, 1, 1], [3, 1]), "cl100k needs 2 tokens fewer. All of them: runs of spaces.");
    assert.equal(headline("  a", [1, 1, 1], [2, 1]), "cl100k needs 1 token fewer. The reason: runs of spaces.");
  });

  test("is of the one with the fewest tokens among several", () => {
    assert.equal(headline("   a", [1, 1, 1, 1], [2, 1, 1], [3, 1]), "o200k needs 2 tokens fewer than GPT-2. All of them: runs of spaces.");
  });

  test("says so where the reference has the fewest", () => {
    assert.equal(headline("   a", [3, 1], [1, 1, 1, 1]), "cl100k needs 2 tokens more. All of them: runs of spaces.");
  });

  test("says that as many tokens may be cut differently, or alike", () => {
    assert.equal(headline("abcd", [1, 3], [3, 1]), "Both need 2 tokens, but cut 1 place differently.");
    assert.equal(headline("abcd", [1, 3], [3, 1], [2, 2]), "All need 2 tokens, but cut 1 place differently.");
    assert.equal(headline("ab", [2], [2]), "No difference: all cut this text alike, into 1 token.");
    assert.equal(headline("", [], []), "Nothing to compare yet.");
  });
});

test("the kinds of all differences add up to what each tokenizer needs", () => {
  const text = "  if x:\n\tDON'T 1234567 he said ‘don’t’ 好好\n\n  end";
  const bytes = new TextEncoder().encode(text).length;
  const random = (seed) => {
    const cuts = [];
    for (let left = bytes; left > 0; ) {
      seed = (seed * 1103515245 + 12345) % 2 ** 31;
      cuts.push(Math.min(left, (seed >> 16) % 5)); // a token may have no bytes
      left -= cuts.at(-1);
    }
    return cuts;
  };
  for (let seed = 1; seed < 60; seed++) {
    const comparison = compared(text, [random(seed), random(seed + 100), random(seed + 200)]);
    const { kinds, of } = kindsOf(comparison);
    const slow = comparison.models.map((_, t) =>
      comparison.differing.reduce((sum, segment) => {
        const [[first, end], [from, to]] = [tokensIn(comparison, t, segment), tokensIn(comparison, 0, segment)];
        return sum + end - first - (to - from);
      }, 0),
    );
    assert.deepEqual(kinds.reduce((sums, { more }) => sums.map((sum, t) => sum + more[t]), [0, 0, 0]), slow);
    assert.equal(of.length, comparison.differing.length);
    for (const kind of kinds) assert.equal(comparison.differing[of.indexOf(kind)], kind.segment);
  }
});
