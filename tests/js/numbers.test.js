import assert from "node:assert/strict";
import test from "node:test";

import { looksOf, partsOf, startsWord } from "../../tokviz/widgets/token_view/piece.js";
import { cutText } from "../../tokviz/widgets/shared/text/tokenization.js";
import { anyLengths, bytesIn, cutInto, dice } from "./pieces.js";

test("an id stands beneath the text of its token, without white space before it and line ends after it", () => {
  assert.deepEqual(partsOf(" the"), [" ", "the", ""]);
  assert.deepEqual(partsOf(".\n\n"), ["", ".", "\n\n"]);
  assert.deepEqual(partsOf("\n"), ["", "", "\n"]);
  assert.deepEqual(partsOf("  "), ["", "  ", ""]);
  assert.deepEqual(partsOf(" a b\t\n"), [" ", "a b\t", "\n"]);
  assert.deepEqual(partsOf(""), ["", "", ""]);
});

test("of a token over several lines, the id stands beneath its text in the first line that has any", () => {
  assert.deepEqual(partsOf("\nword"), ["\n", "word", ""]);
  assert.deepEqual(partsOf(" \n\n  word \n "), [" \n\n  ", "word ", "\n "]);
  assert.deepEqual(partsOf("a\nb"), ["", "a", "\nb"]);
  assert.deepEqual(partsOf("  \n "), ["  ", "", "\n "]);
});

test("a word begins with the space before it, or after a piece that ends in it", () => {
  assert.deepEqual([[" the", "cat"], ["the", "cat "]].map(([text, before]) => startsWord(text, before)), [true, true]);
  assert.deepEqual([["at", "c"], ["t", " "], [" ", " "], ["the", "\n"], ["\n", "cat"], ["cat", "the\n"]].map(([text, before]) => startsWord(text, before)), [false, false, false, false, false, false]);
});

test("where numbers take the place of the text, each token stands in one block, in the text's order", () => {
  const characters = [..."ab \n\né🍕"];
  const roll = dice(1);
  for (let k = 0; k < 30; k++) {
    const text = Array.from({ length: 900 }, () => characters[roll() % characters.length]).join("");
    const lengths = [...anyLengths(roll, bytesIn(text)), 0]; // the last one ends a word
    const model = cutInto(text, lengths);
    let from = 0;
    const shown = cutText(text, 0, text.length).flatMap((to) => {
      const block = { text: text.slice(from, to), from, to, element: /** @type {any} */ ({ dir: "ltr" }) };
      from = to;
      return looksOf({ model, colorOf: () => "tint-0", view: "numbers" }, block).map(({ piece }) => piece.first);
    });
    assert.deepEqual(shown, [...lengths.keys()]);
  }
});
