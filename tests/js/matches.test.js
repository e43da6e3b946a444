import assert from "node:assert/strict";
import test from "node:test";

import { attemptsOf, captionAt, tokensOf } from "../../tokviz/widgets/matches/model.js";

const data = { tokenizer: "", prefix: "##", longest: 9, unknown: { text: "[UNK]", id: 0 }, words: [] };
/** With the pieces un, ##aff and ##able: the example of tokviz/subwords/word_piece.py. */
const whole = { text: "unaffable", matches: [[0, 2, 4], [2, 5, 5], [5, 9, 6]], stuck: null };
const stuck = { text: "unx", matches: [[0, 2, 4]], stuck: 2 };

const said = (parts) => parts.map((part) => (typeof part === "string" ? part : `“${part.text}”`)).join("");

test("each search goes from the whole rest down to what is found", () => {
  const found = attemptsOf(whole, data).map(({ text, id }) => (id === null ? text : `${text}=${id}`));
  assert.deepEqual(found, [
    ...["unaffable", "unaffabl", "unaffab", "unaffa", "unaff", "unaf", "una", "un=4"],
    ...["##affable", "##affabl", "##affab", "##affa", "##aff=5", "##able=6"],
  ]);
  assert.deepEqual(attemptsOf(stuck, data).map(({ text }) => text), ["unx", "un", "##x"]);
  assert.deepEqual(attemptsOf({ text: "0123456789", matches: [], stuck: 0 }, data), []);
});

test("characters are code points", () => {
  const word = { text: "🍕🍕", matches: [[0, 1, 1], [1, 2, 2]], stuck: null };
  assert.deepEqual(attemptsOf(word, data).map(({ text }) => text), ["🍕🍕", "🍕", "##🍕"]);
});

test("a word that nothing fits is one unknown token", () => {
  assert.deepEqual(tokensOf(stuck, data), [{ text: "[UNK]", id: 0 }]);
  assert.deepEqual(tokensOf(whole, data).map(({ text }) => text), ["un", "##aff", "##able"]);
});

test("captions say what was looked for, and the result", () => {
  assert.equal(said(captionAt(whole, data, 1)), "“unaffable” is not a piece. Next, try it without its last character.");
  assert.equal(said(captionAt(whole, data, 8)), "“un” is a piece, id 4: the longest that fits. Next: “##affable”, what is left of the word.");
  assert.equal(said(captionAt(whole, data, 14)), "“##able” is a piece, id 6: the longest that fits. That is the whole word: 3 tokens after 14 looks.");
  assert.equal(said(captionAt(stuck, data, 3)), "“##x” is not a piece either, so the whole word becomes “[UNK]”.");
  assert.match(said(captionAt({ text: "0123456789", matches: [], stuck: 0 }, data, 0)), /10 characters, and words of more than 9 are not tried/);
});
