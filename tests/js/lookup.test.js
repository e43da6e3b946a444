import assert from "node:assert/strict";
import test from "node:test";

import { parseIds } from "../../tokviz/widgets/tokens/lookup.js";
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
