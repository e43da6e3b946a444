import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { tintsOf, tokensAt } from "../../tokviz/widgets/replay/model/replay.js";
import { piecesBetween } from "../../tokviz/widgets/replay/model/pretokens.js";
import { classesOf, rolesAt } from "../../tokviz/widgets/replay/stage/symbols.js";
import { SPACE_AB, tinyReplay } from "./tinyreplay.js";

/** Classes of the tiny replay's tokens, as in its drawing. @param {number} k @param {Record<string, any>} [view] */
function classesAt(k, { replay = tinyReplay(), next = true, selected = null } = {}) {
  const roles = rolesAt({ replay, k, next, selected }, tintsOf(replay));
  return tokensAt(replay, k).map((token) => classesOf(replay, token, roles).replace(/^sym ?/, ""));
}

describe("the marks on the stage", () => {
  test("are on all pairs that join next, and on both sides of each", () => {
    const [left, right] = ["next join-l", "next join-r"];
    assert.deepEqual(classesAt(0), [`opens ${left}`, right, left, right, "opens", left, right]);
  });

  test("tell tokens just made from those made before", () => {
    assert.deepEqual(classesAt(1), ["opens next join-l new tint-0", "next join-r new tint-2", "opens", "new tint-2"]);
    assert.deepEqual(classesAt(2), ["opens new tint-0", "opens next join-l", "next join-r made tint-2"]);
    assert.deepEqual(classesAt(3), ["opens made tint-0", "opens new tint-1"]);
  });

  test("leave out the next pair where it is a question", () => {
    assert.deepEqual(classesAt(2, { next: false }), ["opens new tint-0", "opens", "made tint-2"]);
  });

  test("show which token contains the selected symbol", () => {
    assert.deepEqual(classesAt(2, { selected: 6 }).map((classes) => classes.includes(" on")), [false, false, true]);
    assert.deepEqual(classesAt(3, { selected: 6 }), ["opens made tint-0", "opens new tint-1 on"]);
  });

  test("show special tokens", () => {
    assert.deepEqual(classesAt(3, { replay: tinyReplay({ special: [SPACE_AB] }) }), ["opens made tint-0", "opens new tint-1 control"]);
  });
});

describe("the pre-tokens in a window", () => {
  const encoder = new TextEncoder();
  const pretokens = ["añ", "🍕b", " 世"];
  const data = encoder.encode(pretokens.join(""));
  const lengths = pretokens.map((text) => encoder.encode(text).length);
  const replay = {
    data,
    byteOffsets: Int32Array.from({ length: data.length + 1 }, (_, i) => i),
    pieceOf: Int32Array.from(lengths.flatMap((length, number) => Array(length).fill(number))),
    pieceStarts: Int32Array.of(0, 3, 8, 12),
  };

  test("are all of them if the window shows the whole text", () => {
    const numbered = pretokens.map((text, number) => ({ number, text }));
    assert.deepEqual(piecesBetween(replay, 0, data.length), numbered);
  });

  test("are cut at its edges, where a character belongs to the side on which it begins", () => {
    assert.deepEqual(piecesBetween(replay, 4, 10), [
      { number: 1, text: "b" }, // the pizza begins before
      { number: 2, text: " 世" }, // and this character ends after
    ]);
  });

  test("of neighboring windows add up to the text", () => {
    for (let edge = 0; edge <= data.length; edge++) {
      const pieces = [...piecesBetween(replay, 0, edge), ...piecesBetween(replay, edge, data.length)];
      assert.equal(pieces.map(({ text }) => text).join(""), pretokens.join(""), `edge ${edge}`);
    }
  });
});
