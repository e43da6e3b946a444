import assert from "node:assert/strict";
import test from "node:test";

import { makeTokenization } from "../../tokviz/widgets/shared/text/tokenization.js";
import { isUnknown, sayShortened, sayToken } from "../../tokviz/widgets/shared/text/speak.js";
import { cutInto } from "./pieces.js";

/** Cut a text into tokens of given lengths in bytes. @param {string} text @param {number[]} lengths repeated cyclically */
function cutEvery(text, ...lengths) {
  const bytes = new TextEncoder().encode(text).length;
  const round = lengths.reduce((sum, length) => sum + length, 0);
  const all = Array.from({ length: bytes / round }, () => lengths).flat();
  const ids = Int32Array.from(all, (_, i) => i);
  return makeTokenization(text, { ids, byte_lengths: Int32Array.from(all), special: new Uint8Array(all.length) });
}

test("a part of a flag names that flag, after any number of flags", () => {
  const flags = ["🇩🇪", "🇫🇷", "🇧🇷"];
  for (const lead of ["", "x"]) {
    const text = lead + flags.join("").repeat(40);
    const model = makeTokenization(text, {
      ids: new Int32Array(480 + lead.length),
      byte_lengths: Int32Array.from([...(lead ? [1] : []), ...Array(480).fill(2)]),
      special: new Uint8Array(480 + lead.length),
    });
    for (let k = 0; k < 120; k++) {
      const said = sayToken(model, lead.length + 4 * k);
      assert.match(said, new RegExp(`^bytes f0 9f, the first two of eight of ${flags[k % 3]}$`, "u"), `flag ${k}`);
    }
  }
});

test("a part of a letter under very many marks counts all of its bytes", () => {
  const model = cutEvery(`e${"\u0301".repeat(150)}x`, 1);
  assert.match(sayToken(model, 0), /^byte 65, the first of 301 of e/);
  assert.match(sayToken(model, 290), /^byte 81, number 291 of 301 of e/);
  assert.equal(sayToken(model, 301), "x");
});

test("a part of a family emoji names the whole family, in a row of many", () => {
  const family = "👨\u200d👩\u200d👧\u200d👦";
  const model = cutEvery(family.repeat(20), 3, 1, 2, 1, 3, 1, 2, 1, 3, 1, 2, 1, 3, 1);
  for (let i = 0; i < model.n; i += 14) assert.match(sayToken(model, i), /^bytes f0 9f 91, the first three of 25 of 👨 ZWJ 👩/u);
});

test("a sign that combines with the next letter is counted with that letter", () => {
  const model = cutEvery("x\u0600e\u0301", 1);
  assert.equal(sayToken(model, 0), "x");
  for (const [i, place] of [[1, "the first"], [3, "the third"], [5, "the last"]])
    assert.match(sayToken(model, i), new RegExp(`^byte .., ${place} of five of `));
});

test("a token is an unknown word only if the text differs from it", () => {
  const model = cutInto("a zz <unk>", [1, 1, 2, 1, 5], { special: [0, 0, 1, 0, 1], meta: { tokenizer: "words" } });
  assert.deepEqual([0, 1, 2, 3, 4].map((i) => isUnknown(model, i)), [false, false, true, false, false]);
  assert.equal(sayToken(model, 2), "unknown word zz");
  assert.match(sayToken(model, 4), /^special token /);
  assert.equal(isUnknown({ ...model, meta: { tokenizer: "gpt2" } }, 2), false);
});

test("white space is counted in full, and shortened text is marked", () => {
  assert.equal(sayShortened(" ".repeat(79), 40), "79 spaces");
  assert.equal(sayShortened(`${"\n".repeat(60)}x`, 40), "60 new lines and more");
  assert.equal(sayShortened("a".repeat(40), 40), "a".repeat(40));
  assert.equal(sayShortened("a".repeat(41), 40), `${"a".repeat(40)} and more`);
  assert.equal(sayShortened("😀".repeat(3), 3), "😀😀 and more");
});
