import assert from "node:assert/strict";
import test from "node:test";

import { Highlights, sameToken } from "../../tokviz/widgets/token_view/highlights.js";
import { tokensFrom } from "./pieces.js";

test("a token is found again before and after an edit", () => {
  const before = tokensFrom(["The", " cat", " sat", "."]);
  const after = tokensFrom(["The", " old", " cat", " sat", "."]);
  assert.deepEqual([0, 1, 2, 3].map((i) => sameToken(before, i, after)), [0, 2, 3, 4]);
  assert.deepEqual([0, 1, 2, 3, 4].map((i) => sameToken(after, i, before)), [0, null, 1, 2, 3]);
});

test("an equal token elsewhere is another one", () => {
  const before = tokensFrom(["a", "b", "a"]);
  assert.equal(sameToken(before, 0, tokensFrom(["xx", "a", "y"])), null);
  assert.equal(sameToken(before, 1, tokensFrom(["xx", "b", "yy"])), null);
  assert.equal(sameToken(null, 0, before), null);
  assert.equal(sameToken(before, null, before), null);
});

test("the selected token and the keyboard's move with the text; a range does not", () => {
  const highlights = new Highlights();
  Object.assign(highlights, { selected: 1, active: 0, id: 5, range: [0, 2], chosen: [0, 1] });
  highlights.carryOver(tokensFrom(["The", " cat"]), tokensFrom(["The", " old", " cat"]));
  const { selected, active, id, range, chosen } = highlights;
  assert.deepEqual({ selected, active, id, range, chosen }, { selected: 2, active: 0, id: 5, range: [0, 0], chosen: [0, 0] });
});

/** Stand-in for a drawn token, which records its classes. @param {number} first @param {any} [stripes] @param {any} [ends] */
function drawn(first, stripes = null, ends = {}) {
  const classes = new Set();
  const style = new Map();
  const element = {
    classList: {
      add: (name) => classes.add(name),
      remove: (...names) => names.forEach((name) => classes.delete(name)),
      toggle: (name, on) => (on ? classes.add(name) : classes.delete(name)),
    },
    style: { setProperty: (name, value) => style.set(name, value) },
  };
  const last = stripes ? stripes.at(-1).token : first;
  return { element, classes, style, look: { piece: { first, last, opens: true, closes: true, ...ends }, stripes, rightToLeft: false } };
}

test("equal ids, the range, the selected and the keyboard's token are highlighted, and nothing from before", () => {
  const model = tokensFrom(["a", "b", "a", "c", "d"]);
  const tokens = [0, 1, 2, 3, 4].map((i) => drawn(i));
  const chunks = /** @type {any} */ ([{ drawn: tokens.slice(0, 2) }, { drawn: null }, { drawn: tokens.slice(2) }]);
  const shown = () => tokens.map(({ classes }) => [...classes].join());
  const highlights = new Highlights();
  Object.assign(highlights, { id: model.ids[0], selected: 1, active: 2 });
  highlights.draw(chunks, model);
  assert.deepEqual(shown(), ["same", "on", "same,active", "", ""]);
  Object.assign(highlights, { id: null, selected: null, active: null, range: [3, 5] });
  highlights.draw(chunks, model);
  assert.deepEqual(shown(), ["", "", "", "same", "same"]);
  Object.assign(highlights, { range: [0, 0], chosen: [0, 2] });
  highlights.draw(chunks, model);
  assert.deepEqual(shown(), ["on", "on", "", "", ""]);
});

test("of a cut character, the highlight is as wide as the token's stripe", () => {
  const cut = drawn(0, [{ token: 0, bytes: "f0 9f" }, { token: 1, bytes: "8d" }, { token: 2, bytes: "95" }]);
  const highlights = new Highlights();
  highlights.selected = 1;
  highlights.draw(/** @type {any} */ ([{ drawn: [cut] }]), tokensFrom(["a", "b", "c"]));
  assert.deepEqual([...cut.classes], ["on"]);
  assert.deepEqual([...cut.style], [["--lit-left", "50.00%"], ["--lit-width", "25.00%"]]);
});

test("the outline of a token is open where it runs into a cut character", () => {
  const begins = drawn(0, null, { closes: false });
  const cut = drawn(0, [{ token: 0, bytes: "20 f0" }, { token: 1, bytes: "9f 8d 95" }], { opens: false });
  const highlights = new Highlights();
  highlights.selected = 0;
  highlights.draw(/** @type {any} */ ([{ drawn: [begins, cut] }]), tokensFrom(["a", "b"]));
  assert.deepEqual([[...begins.classes], [...cut.classes]], [["on", "runs-on"], ["on", "ran-in"]]);
  Object.assign(highlights, { selected: 1 });
  highlights.draw(/** @type {any} */ ([{ drawn: [begins, cut] }]), tokensFrom(["a", "b"]));
  assert.deepEqual([[...begins.classes], [...cut.classes]], [[], ["on"]]);
});

test("a character that the tokens of a range cut is highlighted whole", () => {
  const begins = drawn(0, null, { closes: false });
  const cut = drawn(0, [{ token: 0, bytes: "20 f0 9f" }, { token: 1, bytes: "8d" }, { token: 2, bytes: "95" }], { opens: false });
  const highlights = new Highlights();
  for (const chosen of [[0, 3], [1, 3], [2, 3]]) {
    Object.assign(highlights, { chosen });
    highlights.draw(/** @type {any} */ ([{ drawn: [begins, cut] }]), tokensFrom(["a", "b", "c"]));
    assert.deepEqual([...cut.style], [["--lit-left", "0.00%"], ["--lit-width", "100.00%"]]);
    assert.equal(cut.classes.has("ran-in"), chosen[0] === 0);
  }
});
