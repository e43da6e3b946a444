import assert from "node:assert/strict";
import test from "node:test";

import { readValue, writeValue } from "../../tokviz/widgets/course/figures/apart.js";
import { sayOf as sayBytes } from "../../tokviz/widgets/course/figures/bytes.js";
import { whyNot } from "../../tokviz/widgets/course/figures/character.js";
import { sayOf as saySpellings } from "../../tokviz/widgets/course/figures/spellings.js";
import { addressOf, placeIn } from "../../tokviz/widgets/course/link.js";
import { readFields } from "../../tokviz/widgets/shared/net/links.js";

const CHAPTERS = [{ name: "letters" }, { name: "pairs" }];

test("an address says what is on screen", () => {
  for (const value of ["", "é", "a&b=c#d", "ef bb", "1,2;👨‍👩‍👧‍👦", "e\u0323\u0302"]) {
    const place = { chapter: "letters", figure: "apart", value };
    const address = addressOf(place, "/course");
    assert.deepEqual(placeIn(readFields(address.slice("/course".length)), CHAPTERS), place);
  }
  assert.equal(addressOf({ chapter: "", figure: "", value: "" }, "/course"), "/course");
  assert.equal(addressOf({ chapter: "pairs", figure: "", value: "" }, "/course"), "/course#chapter=pairs");
});

test("a chapter that is not here leads to the contents", () => {
  const contents = { chapter: "", figure: "", value: "" };
  assert.deepEqual(placeIn({ chapter: "other", figure: "apart", value: "x" }, CHAPTERS), contents);
  assert.deepEqual(placeIn(null, CHAPTERS), contents);
});

test("what was taken out of a text is in the link, whatever the text", () => {
  for (const text of ["", "abc", "1,2;x", ";", "a\nb", "👨‍👩‍👧"])
    for (const off of [[], [0], [1, 12]]) assert.deepEqual(readValue(writeValue(text, off)), { text, off });
});

test("a number that is no character is refused with the reason", () => {
  for (const code of [0xd800, 0xdfff]) assert.match(whyNot(code), /surrogates/);
  assert.match(whyNot(0x110000), /beyond the end/);
  for (const code of [0, 0xd7ff, 0xe000, 0x10ffff]) assert.equal(whyNot(code), "");
});

test("the first bytes that are no UTF-8 are named", () => {
  const why = "no character begins with this byte";
  const pieces = [{ start: 0, end: 1, text: "a", why: "" }, { start: 1, end: 2, text: "\ufffd", why }];
  assert.match(sayBytes({ bytes: [0x61, 0xff], pieces, text: "a\ufffd", mark: false }), /At ff: no character begins/);
  assert.equal(sayBytes({ bytes: [0x61], pieces: pieces.slice(0, 1), text: "a", mark: false }), "All of it is UTF-8.");
  assert.equal(sayBytes({ bytes: [], pieces: [], text: "", mark: false }), "No bytes, no text.");
});

test("spellings are counted, and what NFKC makes of them is said", () => {
  const row = { text: "", points: [], forms: [], tokens: {}, bytes: 1 };
  assert.equal(saySpellings({ char: "a", rows: [row], count: 1, compatible: null }), "1 spelling of a.");
  assert.equal(saySpellings({ char: "ﬁ", rows: [row], count: 1, compatible: "fi" }), "1 spelling of ﬁ. NFKC makes it “fi”.");
  assert.match(saySpellings({ char: "a", rows: [row], count: 40, compatible: null }), /The first 1 are shown/);
});
