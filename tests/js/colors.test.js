import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { alternate, colorer, COLORINGS, legend } from "../../tokviz/widgets/token_view/colors.js";
import { pretokensOf } from "../../tokviz/widgets/token_view/pretokens.js";
import { cutInto, dice, tokensFrom } from "./pieces.js";

/** Random words of a repetitive text. @param {() => number} roll */
const anyWords = (roll) => Array.from({ length: roll() % 12 }, () => ["a", " b", "cc", " d"][roll() % 4]);

/** The number in a color's name: "ramp-3" is step 3. @param {string} color */
const stepOf = (color) => Number(color.match(/^ramp-(\d+)$/)?.[1]);

describe("colors that only distinguish neighbors", () => {
  test("there are four, in turn", () => {
    assert.deepEqual([...alternate(tokensFrom(["a", "b", "a", "a", "c", "d"]), null)], [0, 1, 2, 3, 0, 1]);
  });

  test("neighbors never share a color, after any sequence of edits", () => {
    const roll = dice(3);
    for (let text = 0; text < 200; text++) {
      let words = anyWords(roll);
      let before = null;
      for (let edit = 0; edit < 8; edit++) {
        const model = tokensFrom(words);
        const tints = alternate(model, before);
        assert.equal(tints.length, words.length);
        for (let i = 0; i < words.length; i++) assert.ok(tints[i] < 4 && tints[i] !== tints[i - 1], words.join("|"));
        before = { model, tints };
        const at = roll() % (words.length + 1);
        words = words.toSpliced(at, roll() % 4, ...anyWords(roll).slice(0, roll() % 4));
      }
    }
  });

  test("a word typed in the middle changes at most the color of its neighbor", () => {
    const words = "one two three four five six".split(" ");
    const model = tokensFrom(words);
    const tints = alternate(model, null);
    for (let at = 0; at <= words.length; at++) {
      const after = [...alternate(tokensFrom(words.toSpliced(at, 0, "new")), { model, tints })];
      const kept = after.toSpliced(at, 1);
      assert.ok(kept.filter((tint, i) => tint !== tints[i]).length <= 1, `at ${at}: ${after}`);
      assert.deepEqual(kept.slice(0, at), [...tints.slice(0, at)]);
    }
  });

  test("a token keeps its color while others join or come apart, unless its neighbor would have the same", () => {
    const roll = dice(5);
    for (let text = 0; text < 200; text++) {
      let lengths = Array.from({ length: 12 }, () => 1);
      let shown = null;
      for (let step = 0; step < 30; step++) {
        const model = tokensFrom(piecesOf("abcdefghijkl", lengths));
        const tints = alternate(model, shown);
        for (let i = 0; i < model.n; i++) assert.ok(tints[i] < 4 && tints[i] !== tints[i - 1], `${tints}`);
        const kept = shown ? colorsKept(shown, { model, tints }) : [];
        assert.ok(kept.filter((isKept) => !isKept).length <= 1, `${lengths}: ${tints}`);
        shown = { model, tints };
        const at = roll() % lengths.length;
        const [left, right] = [lengths[at], lengths[at + 1]];
        if (roll() % 3 && right) lengths = lengths.toSpliced(at, 2, left + right);
        else if (left > 1) lengths = lengths.toSpliced(at, 1, 1, left - 1);
      }
    }
  });
});

/** @param {string} text @param {number[]} lengths */
function piecesOf(text, lengths) {
  let end = 0;
  return lengths.map((length) => text.slice(end, (end += length)));
}

/**
 * Whether tokens that stand in both cuts of a text have the same color in both.
 *
 * @param {import("../../tokviz/widgets/token_view/colors.js").Alternation} before
 * @param {import("../../tokviz/widgets/token_view/colors.js").Alternation} after
 */
function colorsKept(before, after) {
  const [old, now] = [before, after].map(({ model, tints }) => {
    let start = 0;
    return new Map([...model.byteLengths].map((length, i) => [`${start}-${(start += length)}`, tints[i]]));
  });
  return [...old].filter(([place]) => now.has(place)).map(([place, tint]) => now.get(place) === tint);
}

describe("colors with a meaning", () => {
  const columns = { tints: new Uint8Array(9) };

  test("by bytes: 1, 2, 3 to 4, 5 to 8, 9 to 16, and more", () => {
    const lengths = [1, 2, 3, 4, 5, 8, 9, 16, 17];
    const model = cutInto("x".repeat(65), lengths);
    const colorOf = colorer("bytes", model, columns);
    assert.deepEqual(lengths.map((_, i) => stepOf(colorOf(i))), [0, 1, 2, 2, 3, 3, 4, 4, 5]);
    assert.deepEqual(
      legend("bytes", model).rows.map(({ label }) => label),
      ["1 byte", "2 bytes", "3 to 4 bytes", "5 to 8 bytes", "9 to 16 bytes", "17 and more bytes"],
    );
  });

  test("the legend of bytes has a row for each color in the text, and no others", () => {
    const model = cutInto("xxxxx!!", [5, 1, 1]);
    const colorOf = colorer("bytes", model, columns);
    assert.deepEqual(
      legend("bytes", model).rows.map(({ color, label }) => [color, label]),
      [
        [colorOf(1), "1 byte"],
        [colorOf(0), "5 to 8 bytes"],
      ],
    );
  });

  test("by rank: each token has the color of the row that names its merge", () => {
    const model = tokensFrom(["a", "b"]);
    const { rows } = legend("rank", model);
    const number = (/** @type {string} */ digits) => Number(digits.replaceAll(",", ""));
    const colorOf = (/** @type {number} */ rank) => colorer("rank", model, { ...columns, ranks: Int32Array.of(rank) })(0);
    assert.equal(colorOf(-1), rows[0].color);
    assert.match(rows[0].label, /^not merged/);
    let end = 0;
    for (const { color, label } of rows.slice(1)) {
      const [least, most = "999,999"] = label.match(/[\d,]+/g) ?? [];
      assert.equal(number(least), end + 1); // merges are counted from 1, ranks from 0
      end = number(most);
      assert.equal(colorOf(number(least) - 1), color, label);
      assert.equal(colorOf(end - 1), color, label);
    }
    assert.match(rows.at(-1).label, /^merge 50,001 and more$/);
  });

  test("the legend of ranks has a row for each color in the text, and no others", () => {
    for (const ranks of [[-1, 7, 7000, 7], [-1, -1], []]) {
      const model = cutInto("x".repeat(ranks.length), ranks.map(() => 1));
      model.colorOf = colorer("rank", model, { ...columns, ranks: Int32Array.from(ranks) });
      const colors = new Set(ranks.map((_, i) => model.colorOf?.(i)));
      assert.deepEqual(new Set(legend("rank", model).rows.map(({ color }) => color)), colors);
    }
  });

  test("without ranks or pre-tokens, colors distinguish neighbors", () => {
    const model = tokensFrom(["a", "b"]);
    for (const colorBy of ["rank", "pretoken"]) assert.equal(colorer(colorBy, model, { tints: Uint8Array.of(2, 3) })(1), "tint-3");
  });

  test("one id has one color, of eight, and ids up to four apart have different ones", () => {
    const ids = Array.from({ length: 3000 }, (_, id) => id);
    const model = cutInto("x".repeat(3001), [...ids.map(() => 1), 1], { ids: [...ids, 7] });
    const colorOf = colorer("id", model, columns);
    assert.equal(colorOf(3000), colorOf(7));
    assert.deepEqual(new Set(ids.map(colorOf)), new Set(Array.from({ length: 8 }, (_, hue) => `hue-${hue}`)));
    for (const id of ids.slice(4)) for (const apart of [1, 2, 3, 4]) assert.notEqual(colorOf(id), colorOf(id - apart));
  });

  test("tokens of one pre-token share a color, and neighbors don't", () => {
    const colorOf = colorer("pretoken", tokensFrom([..."abcd"]), { ...columns, pretokenIndex: Int32Array.of(3, 3, 4, 5) });
    assert.deepEqual([0, 1, 2, 3].map(colorOf), ["tint-3", "tint-3", "tint-0", "tint-1"]);
  });

  test("every coloring has a legend", () => {
    const sentences = COLORINGS.map(({ value }) => legend(value, tokensFrom(["a"])).sentence);
    assert.equal(new Set(sentences).size, COLORINGS.length);
    assert.ok(sentences.every((sentence) => /^[A-Z].*\.$/.test(sentence)));
  });
});

describe("pre-tokens", () => {
  const meta = { branches: ["letters", "digits"] };
  const pretokens = (/** @type {string[]} */ tokens, /** @type {number[]} */ lengths, /** @type {number[]} */ branches) =>
    pretokensOf(tokensFrom(tokens), { byte_lengths: Int32Array.from(lengths), branches: Uint8Array.from(branches), meta });

  test("a pre-token contains its first and last token", () => {
    const found = pretokens(["He", "llo", " wor", "ld", "42"], [5, 6, 2], [0, 0, 1]);
    assert.deepEqual([...found.index], [0, 0, 1, 1, 2]);
    assert.deepEqual([0, 1, 2, 3, 4].map((i) => found.at(i)), [
      ...Array(2).fill({ text: "Hello", branch: "letters" }),
      ...Array(2).fill({ text: " world", branch: "letters" }),
      { text: "42", branch: "digits" },
    ]);
  });

  test("a token without bytes ends the word before it, unless the server counts the tokens of each", () => {
    const model = cutInto("a b", [1, 0, 1, 1]); // a, the mark of its end, a space, b
    const columns = { byte_lengths: Int32Array.of(1, 1, 1), branches: new Uint8Array(3), meta };
    assert.deepEqual([...pretokensOf(model, columns).index], [0, 0, 1, 2]);
    const spaced = cutInto("<s>b", [3, 0, 1]); // a special token, the space put in front of b, and b
    const counted = { byte_lengths: Int32Array.of(3, 1), tokens: Int32Array.of(1, 2), branches: new Uint8Array(2), meta };
    assert.deepEqual([...pretokensOf(spaced, counted).index], [0, 1, 1]);
    assert.equal(pretokensOf(spaced, counted).at(1).text, "b");
    const first = cutInto("\nhi", [0, 1, 2]); // a space that is a pre-token by itself, and no text
    const apart = { byte_lengths: Int32Array.of(0, 1, 2), tokens: Int32Array.of(1, 1, 1), branches: new Uint8Array(3), meta };
    assert.deepEqual([...pretokensOf(first, apart).index], [0, 1, 2]);
    assert.equal(pretokensOf(first, apart).at(0).text, "");
  });

  test("a pre-token covers the whole of a cut character", () => {
    const model = cutInto("a🍕", [1, 2, 2]);
    const columns = { byte_lengths: Int32Array.of(1, 4), branches: Uint8Array.of(0, 7), meta };
    assert.deepEqual(pretokensOf(model, columns).at(1), { text: "🍕", branch: null });
  });

  test("white space that the tokenizer drops is no part of a pre-token", () => {
    const dropping = { branches: ["words"], drops_spaces: true };
    const columns = { byte_lengths: Int32Array.of(2, 3, 2), branches: Uint8Array.of(0, 255, 0), tokens: Int32Array.of(1, 1, 1), meta: dropping };
    const found = pretokensOf(tokensFrom(["a ", " <>", " b"]), columns);
    assert.deepEqual([0, 1, 2].map((i) => found.at(i).text), ["a", " <>", "b"]);
  });
});
