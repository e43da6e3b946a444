import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { firstChoices } from "../../tokviz/widgets/replay/state/choices.js";
import { bytesIn, firstBytes, mayUseBeginning, questionOf, textInUse } from "../../tokviz/widgets/replay/input/request.js";

const LIMIT = { maxBytes: 10, onlyBeginning: false };
const SHARED = { text: "shared", tokenizer: "gpt2", special: true };

/** Choices of a page. @param {Record<string, any>} rest @param {string} [training] */
const choose = (rest, training = "train") => {
  const choices = { ...firstChoices(), ...rest };
  return { ...choices, learn: { ...choices.learn, text: training, merges: 20 } };
};

describe("the text in use", () => {
  test("is the shared text, the training text, or the new word", () => {
    assert.equal(textInUse(choose({}), SHARED), "shared");
    assert.equal(textInUse(choose({ story: "learn" }), SHARED), "train");
    assert.equal(textInUse(choose({ tried: { merges: 3, word: "word" } }), SHARED), "word");
    // Back in the story of learning, the word is kept for later.
    assert.equal(textInUse(choose({ story: "learn", tried: { merges: 3, word: "word" } }), SHARED), "train");
  });
});

describe("the request", () => {
  test("to apply a tokenizer names it, and the order", () => {
    const question = questionOf(choose({ order: "pretoken" }), SHARED, LIMIT);
    assert.deepEqual(question, {
      route: "replay",
      query: { order: "pretoken", tokenizer: "gpt2", special: 1 },
      text: "shared",
    });
  });

  test("to learn merges has the trainer's options", () => {
    const question = questionOf(choose({ story: "learn" }), SHARED, LIMIT);
    const options = { pattern: "none", alphabet: "bytes", ties: "first-seen", end_of_word: 0 };
    assert.deepEqual(question, { route: "replay/learn", query: { ...options, merges: 20 }, text: "train" });
  });

  test("to try merges has as many as were learned, and says where the training text ends, in bytes", () => {
    const question = questionOf(choose({ tried: { merges: 3, word: "wörd" } }, "träin"), SHARED, LIMIT);
    assert.equal(question?.route, "replay/try");
    assert.equal(question?.text, "träinwörd");
    assert.deepEqual([question?.query.merges, question?.query.known, question?.query.order], [3, 6, "rank"]);
  });

  test("is for an empty text too, but there is nothing to learn from one", () => {
    assert.equal(questionOf(choose({}), { ...SHARED, text: "" }, LIMIT)?.text, "");
    assert.equal(questionOf(choose({ tried: { merges: 3, word: "" } }), SHARED, LIMIT)?.text, "train");
    assert.equal(questionOf(choose({ story: "learn" }, ""), SHARED, LIMIT), null);
  });

  test("is not sent for a text over the limit, which is in bytes", () => {
    const fits = { ...SHARED, text: "é".repeat(5) };
    const tooLong = { ...SHARED, text: "é".repeat(6) };
    assert.equal(questionOf(choose({}), fits, LIMIT)?.text, fits.text);
    assert.equal(questionOf(choose({}), tooLong, LIMIT), null);
    assert.equal(questionOf(choose({ story: "learn" }, tooLong.text), SHARED, LIMIT), null);
  });

  test("has the beginning of a text over the limit if that is wanted, but never of a training text", () => {
    const limit = { ...LIMIT, onlyBeginning: true };
    assert.equal(questionOf(choose({}), { ...SHARED, text: "🍕🍕🍕" }, limit)?.text, "🍕🍕");
    assert.equal(questionOf(choose({}), { ...SHARED, text: "short" }, limit)?.text, "short");
    assert.equal(questionOf(choose({ story: "learn" }, "x".repeat(11)), SHARED, limit), null);
  });
});

test("sizes are in UTF-8 bytes, and a beginning has whole characters", () => {
  assert.equal(bytesIn("aé世🍕"), 1 + 2 + 3 + 4);
  assert.equal(firstBytes("aé世🍕", 5), "aé");
  assert.equal(firstBytes("aé世🍕", 6), "aé世");
});

test("only a text to be read may be replayed in part, even if that was asked for before the story changed", () => {
  assert.equal(mayUseBeginning(choose({}), true), true);
  assert.equal(mayUseBeginning(choose({}), false), false);
  assert.equal(mayUseBeginning(choose({ story: "learn" }), true), false);
});
