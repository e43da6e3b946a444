import assert from "node:assert/strict";
import test from "node:test";

import { examplesOf, exactLists, parseIds, sayAround } from "../../tokviz/widgets/tokens/lookup.js";
import { tokensFrom } from "./pieces.js";
import { writeInAnotherLanguage } from "../../tokviz/widgets/tokens/textchanges.js";

test("examples are tokens of the text on screen", () => {
  const model = tokensFrom(["?", " a", " cat", "s", "."]);
  const [cat, s, stop] = model.ids.slice(2);
  assert.equal(examplesOf(model), `${cat}   cat   [${cat}, ${s}, ${stop}]`);
  assert.equal(examplesOf(tokensFrom(["7", "\n"])), "");
});

test("a list of ids is read as people write it", () => {
  for (const typed of ["[1, 22, 333]", "1 22 333", "1,22,333"]) assert.deepEqual(parseIds(typed), [1, 22, 333]);
  for (const typed of ["hello", "1 and 2"]) assert.equal(parseIds(typed), null);
});

test("a known word cycles through all languages", () => {
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

test("the named language is that of the word", () => {
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

/** Headings with the ids under each. */
const headed = (/** @type {any} */ answer, /** @type {number[]} */ ids) =>
  exactLists({ special: false, one: null, ...answer }, ids.map((id) => ({ id, hex: "", text: "" }))).map(
    ({ says, tokens }) => [says, tokens.map(({ id }) => id)],
  );

test("a text is called one token only if encoding gives that token", () => {
  assert.deepEqual(headed({ read_as: 1, one: 5 }, [5]), [["This text is one token:", [5]]]);
  for (const [read_as, reading] of [[2, "2 tokens"], [1, "another token"]]) {
    const says = `There is a token with this text, but alone the text is read as ${reading}:`;
    assert.deepEqual(headed({ read_as, one: read_as === 1 ? 9 : null }, [5]), [[says, [5]]]);
  }
  const [[said]] = headed({ special: true, read_as: 7 }, [5]);
  assert.match(said, /^A special token .* 7 tokens:$/);
  assert.match(headed({ special: true, read_as: null }, [5])[0][0], /^A special token .* as ordinary text it can’t be read:$/);
});

test("among tokens with the same text, the one that encoding gives is listed separately", () => {
  const says = "There is a token with this text, but alone the text is read as another token:";
  assert.deepEqual(headed({ read_as: 1, one: 6 }, [5, 6]), [["This text is one token:", [6]], [says, [5]]]);
  const [, [special]] = headed({ special: true, read_as: 1, one: 6 }, [5, 6]);
  assert.match(special, /^A special token is written like this; as ordinary text it is read as another token:$/);
});

test("a truncated list gives the total", () => {
  assert.equal(sayAround(50, 50), "Tokens that contain it:");
  assert.equal(sayAround(1234, 50), "The first 50 of 1,234 tokens that contain it:");
});
