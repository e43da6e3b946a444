import assert from "node:assert/strict";
import test from "node:test";

import { labelsOf, partsOf } from "../../tokviz/widgets/token_view/numbers.js";
import { looksOf } from "../../tokviz/widgets/token_view/piece.js";
import { cutText, piecesOf } from "../../tokviz/widgets/shared/text/tokenization.js";
import { anyLengths, bytesIn, cutInto, dice } from "./pieces.js";

/** A face in which all letters are as wide as a digit of full size. */
const measure = (/** @type {string} */ text) => text.length * 0.6;

/** Labels of a text of these tokens. @param {string[]} tokens @param {number[]} ids @param {boolean} [isParted] */
function labels(tokens, ids, isParted = false) {
  const model = cutInto(tokens.join(""), tokens.map(bytesIn), { ids });
  return labelsOf(model, piecesOf(model, 0, model.text.length), measure, () => isParted);
}

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
  const [first, second] = labels(["one", "\n  I"], [123456, 123456]);
  assert.equal(first.isParted, false);
  assert.equal(second.isParted, true);
  const beside = (6 * 0.68 * 0.6 + 0.3 - 0.6) / 2;
  for (const room of second.room) assert.ok(Math.abs(room - beside) < 1e-9); // what stands in the line before is no room
});

test("a token that begins with a line end has its id beneath its text also where that is drawn in another block", () => {
  const model = cutInto("one\ntwo", [3, 4], { ids: [7, 8] });
  const idsOf = (/** @type {number} */ from, /** @type {number} */ to) => labelsOf(model, piecesOf(model, from, to), measure, () => false).map(({ ids }) => ids);
  assert.deepEqual([...idsOf(0, 4), ...idsOf(4, 7)], ["7", "", "8"]);
  assert.deepEqual(idsOf(0, 7), ["7", "8"]);
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
      return looksOf({ model, colorOf: () => "tint-0", view: "numbers", measure }, block).map(({ piece }) => piece.first);
    });
    assert.deepEqual(shown, [...lengths.keys()]);
  }
});

test("a piece is widened for an id that is wider", () => {
  const [wide, narrow, spaced, line] = labels(["something", "I", " I", "\n"], [123456, 123456, 123456, 198]);
  assert.deepEqual(wide, { ids: "123456", room: [0, 0], isParted: false, run: null });
  const beside = (6 * 0.68 * 0.6 + 0.3 - 0.6) / 2;
  for (const room of narrow.room) assert.ok(Math.abs(room - beside) < 1e-9);
  assert.ok(Math.abs(spaced.room[0] - (beside - 0.6)) < 1e-9); // the space is room, too
  assert.deepEqual(line, { ids: "198", room: [0, 0], isParted: false, run: null });
});

test("white space that may be drawn elsewhere is no room", () => {
  const [parted] = labels([" I"], [123456], true);
  const beside = (6 * 0.68 * 0.6 + 0.3 - 0.6) / 2;
  for (const room of parted.room) assert.ok(Math.abs(room - beside) < 1e-9);
});

test("letters that join their neighbors are not set apart: the ids of a run stand together beneath its middle", () => {
  const [first, second, third] = labels([" مر", "ح", "با"], [1111, 2222, 3333]);
  assert.equal(first.ids, "3333 2222 1111"); // as the letters are drawn
  assert.deepEqual([second.ids, third.ids, second.room], ["", "", [0, 0]]);
  const width = 14 * 0.68 * 0.6;
  const letters = 5 * 0.6;
  const beside = (width + 0.3 - letters) / 2;
  assert.ok(Math.abs(first.room[0] - (beside - 0.6)) < 1e-9); // the space is room, too
  assert.equal(first.room[1], 0);
  assert.ok(Math.abs(third.room[1] - beside) < 1e-9);
  assert.ok(first.run && Math.abs(first.run.inset + width / 2 - letters / 2) < 1e-9);
});

test("each token's id stands once, also where a token goes on in another piece", () => {
  const model = cutInto(" 🍕", [3, 1, 1], { ids: [11410, 235, 243] });
  const pieces = piecesOf(model, 0, model.text.length);
  assert.deepEqual(labelsOf(model, pieces, measure, () => false).map(({ ids }) => ids), ["11410", "235 243"]);
});
