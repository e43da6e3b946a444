import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { effectsOf, sayTogether } from "../../tokviz/widgets/compare/causes.js";
import { sayAgreement, sayBill, sayClasses, sayExtent, sayPlaces, saySecondText } from "../../tokviz/widgets/compare/summaries.js";

const [ALPHABET, SPLIT, VOCABULARY, ORDER, NORMALIZATION] = [1, 2, 4, 8, 16];
const [NOTHING, CHANGES, AGREES] = [0, 1, 2];

test("places are counted by what they differ by", () => {
  const say = (...bits) => sayPlaces({ bits: Uint8Array.from(bits) });
  assert.equal(say(), "No place differs: all of them cut this text alike.");
  assert.equal(say(SPLIT), "1 place differs, by split.");
  assert.equal(say(ORDER, ORDER), "2 places differ, all by merge order.");
  assert.equal(say(VOCABULARY, SPLIT, VOCABULARY), "3 places differ: 2 by vocabulary, 1 by split.");
  const both = SPLIT | VOCABULARY;
  assert.equal(say(both, both, SPLIT), "3 places differ: 2 by split and vocabulary, 1 by split.");
  assert.equal(say(0, 0), "2 places differ."); // their reasons are not loaded yet
});

describe("the bill", () => {
  const [names, counts] = [["GPT-2", "cl100k", "o200k"], [123, 100, 100]];
  const say = (tokens, prices = tokens.map(() => "")) =>
    sayBill({ names: names.slice(0, tokens.length), models: tokens.map((n) => ({ n })) }, prices);

  test("compares the dearest with the cheapest, at the same price per token", () => {
    assert.equal(say(counts), "GPT-2 costs 1.23 times what cl100k does, at the same price per token.");
    assert.equal(say([100, 250]), "cl100k costs 2.5 times what GPT-2 does, at the same price per token.");
    assert.equal(say([1001, 1000]), "GPT-2 costs 1.001 times what cl100k does, at the same price per token.");
    assert.equal(say([7, 7]), "All cost the same at the same price per token.");
    assert.equal(say([0, 0]), "Nothing to pay for: the text is empty.");
  });

  test("is at the reader's prices if there is one for each", () => {
    assert.equal(say([200, 100], ["1", "3"]), "cl100k costs 1.5 times what GPT-2 does, at your prices.");
    assert.equal(say([200, 100], ["1", ""]), "GPT-2 costs 2 times what cl100k does, at the same price per token.");
  });
});

test("the class with the largest difference is named", () => {
  const classNames = ["white space", "numbers", "Latin letters"];
  const say = (...classCounts) => sayClasses({ names: ["GPT-2", "cl100k"], classNames, classCounts });
  assert.equal(say([8, 2, 9], [3, 5, 9]), "The largest difference is in white space: 8 tokens of GPT-2, 3 of cl100k.");
  assert.equal(say([1, 0, 9], [1, 4, 9]), "The largest difference is in numbers: 4 tokens of cl100k, 0 of GPT-2.");
  assert.equal(say([1, 2, 3], [1, 2, 3]), "All of them spend as many tokens on every class of text.");
});

test("agreement is that of the two, or of the pairs that agree least and most", () => {
  const say = (names, agreement, n = 5) => sayAgreement({ names, models: names.map(() => ({ n })), agreement });
  const [one, half, most] = [[1, 0], [0.5, 0], [0.754, 0]];
  assert.equal(say(["A", "B"], [[one, most], [most, one]]), "A and B agree on 75 % of their cuts.");
  assert.equal(
    say(["A", "B", "C"], [[one, most, half], [most, one, [0.9, 0]], [half, [0.9, 0], one]]),
    "They agree on 50 % (A and C) to 90 % (B and C) of their cuts.",
  );
  const alike = [[one, one, one], [one, one, one], [one, one, one]];
  assert.equal(say(["A", "B", "C"], alike), "Any two of them agree on 100 % of their cuts.");
  assert.equal(say(["A", "B"], [[one, one], [one, one]], 1), "None of them cuts this text.");
});

test("the extent of the differences is in bytes, with the quarter that has most of them", () => {
  const boundaries = Int32Array.of(0, 10, 90, 100);
  const shares = (from, to) => Array.from({ length: 100 }, (_, k) => (k >= from && k < to ? 1 : 0));
  const say = (differing, ...range) => sayExtent({ boundaries, differing: Int32Array.from(differing) }, shares(...range));
  assert.equal(say([0], 0, 10), "10 % of the text is cut differently, most of that in the first quarter.");
  assert.equal(say([2], 90, 100), "10 % of the text is cut differently, most of that in the last quarter.");
  assert.equal(say([1], 10, 90), "80 % of the text is cut differently.");
  assert.equal(say([], 0, 0), "Nowhere: they all cut this text alike.");
});

test("a second text is counted against the first, unless one of them is empty", () => {
  const text = (tokens) => ({ tokens, bytes: 4 * tokens });
  assert.equal(saySecondText([text(200), text(150)]), "150 tokens against 200: −25 %.");
  assert.equal(saySecondText([text(0), text(1)]), "1 token.");
  for (const none of [null, [text(200), text(0)]]) assert.match(saySecondText(none), /^What does/);
});

describe("the effect of each cause alone", () => {
  test("is said for the split pattern, and for all else together", () => {
    assert.deepEqual(effectsOf([[SPLIT, CHANGES], [VOCABULARY, NOTHING]]), [
      { name: "split", bit: SPLIT, effect: CHANGES, says: "swapping only this changes the cut, but they still differ" },
      { name: "vocabulary", bit: VOCABULARY, effect: NOTHING, says: "swapping only this changes nothing here" },
    ]);
    assert.deepEqual(effectsOf([[ALPHABET, AGREES], [VOCABULARY, AGREES]]), [
      { name: "vocabulary and alphabet", bit: VOCABULARY, effect: AGREES, says: "swapping only these makes them agree here" },
    ]);
  });

  test("is not enough if only both together make them agree", () => {
    const effects = (...all) => all.map((effect, i) => ({ bit: [SPLIT, VOCABULARY][i], effect }));
    assert.match(sayTogether(effects(CHANGES, CHANGES)), /Only both swaps together/);
    assert.equal(sayTogether(effects(CHANGES, AGREES)), "");
    assert.equal(sayTogether(effects(AGREES)), "");
  });

  test("is said for the normalization by itself, without a word on what more would do", () => {
    const alone = effectsOf([[VOCABULARY, CHANGES], [NORMALIZATION, CHANGES]]);
    assert.deepEqual(alone.map(({ name }) => name), ["normalization", "vocabulary"]);
    assert.equal(sayTogether(alone), "");
  });
});
