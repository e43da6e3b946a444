import assert from "node:assert/strict";
import test from "node:test";

import { frameOf, sayOnce } from "../../tokviz/widgets/compare/differencetable.js";

const LACKS = ["A has the token “x”, which B lacks.", "A has the token “y”, which B lacks."];

test("sentences that differ only in what they quote have the same frame", () => {
  assert.equal(frameOf(LACKS[0]), frameOf(LACKS[1]));
  assert.notEqual(frameOf(LACKS[0]), frameOf("B has the token “x”, which A lacks."));
  assert.equal(frameOf("first “p + er” (merge 270 of 50,000)."), frameOf("first “ic + e” (merge 246 of 50,000)."));
});

test("they are said once, with gaps only for what differs", () => {
  assert.deepEqual(sayOnce(LACKS), { sentence: "A has the token “…”, which B lacks.", fillings: [["“x”"], ["“y”"]] });
  assert.deepEqual(sayOnce(LACKS.slice(1)), { sentence: LACKS[1], fillings: [[]] });
  assert.deepEqual(sayOnce(["“a” and “b”", "“a” and “c” (merge 7 of 9)"]), { sentence: "“a” and “…”", fillings: [["“b”"], ["“c” (merge 7 of 9)"]] });
  assert.deepEqual(sayOnce(["", ""]), { sentence: "", fillings: [[], []] });
});

test("with its fillings in the gaps, each sentence is there again, whatever it quotes", () => {
  for (const quoted of ["", "”", "“", "$&", "a|b"]) {
    const sentences = [`It has “${quoted}”, and “z”.`, "It has “other”, and “w”."];
    if (frameOf(sentences[0]) !== frameOf(sentences[1])) continue;
    const { sentence, fillings } = sayOnce(sentences);
    fillings.forEach((each, k) => assert.equal(each.reduce((said, filling) => said.replace("“…”", () => filling), sentence), sentences[k]));
  }
});
