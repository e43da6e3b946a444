import assert from "node:assert/strict";
import test from "node:test";

import { parseIds, sayAround, sayExact } from "../../tokviz/widgets/tokens/lookup.js";
import { writeInAnotherLanguage } from "../../tokviz/widgets/tokens/tries.js";

test("a list of ids is read as people write it", () => {
  for (const typed of ["[1, 22, 333]", "1 22 333", "1,22,333"]) assert.deepEqual(parseIds(typed), [1, 22, 333]);
  for (const typed of ["hello", "1 and 2"]) assert.equal(parseIds(typed), null);
});

test("a word that is known goes through all languages and comes back", () => {
  let text = "a cat";
  const seen = new Set();
  for (let k = 0; k < 7; k++) {
    seen.add(text);
    const change = writeInAnotherLanguage(text, [2, text.length]);
    text = text.slice(0, change.start) + change.replacement + text.slice(change.end);
  }
  assert.equal(text, "a cat");
  assert.equal(seen.size, 7);
  assert.equal(writeInAnotherLanguage("xyzzy", [0, 0]), null);
});

test("the language that is named is the one that the word is written in", () => {
  const scripts = {
    Hindi: /^\p{Script=Devanagari}+$/u,
    Russian: /^\p{Script=Cyrillic}+$/u,
    Arabic: /^\p{Script=Arabic}+$/u,
    Japanese: /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+$/u,
    German: /^Wasser$/,
    Spanish: /^agua$/,
    English: /^water$/,
  };
  let word = "water";
  for (const [language, written] of Object.entries(scripts)) {
    const change = writeInAnotherLanguage(word, [0, 0]);
    word = change.replacement;
    assert.equal(change.how, `in ${language}`);
    assert.match(word, written);
  }
});

test("a text is called one token only if encoding makes one of it", () => {
  assert.equal(sayExact({ special: false, read_as: 1 }), "This text is one token:");
  assert.match(sayExact({ special: false, read_as: 2 }), /read as 2 tokens:$/);
  assert.match(sayExact({ special: true, read_as: 7 }), /^A special token .* 7 tokens:$/);
});

test("a list that was cut short says of how many", () => {
  assert.equal(sayAround(50, 50), "Tokens that contain it:");
  assert.equal(sayAround(1234, 50), "The first 50 of 1,234 tokens that contain it:");
});
