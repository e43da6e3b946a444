import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { canUnmerge, decodingAt, decodingCaption, lastPosition, readRuns } from "../../tokviz/widgets/replay/decode/unmerging.js";
import { makeReplay, tokensAt } from "../../tokviz/widgets/replay/model/replay.js";
import { unmergedRoleOf } from "../../tokviz/widgets/replay/tower/tower.js";
import { unpackHeld } from "../../tokviz/widgets/shared/net/columns.js";
import { computed } from "./computed.js";

const { applied, towers } = computed;

/** Blocks that are there and whole, in the order of the text. */
const present = (replay, decoding) =>
  replay.tower.blocks.filter((block) => unmergedRoleOf(block, decoding) === "now").sort((one, other) => one.start - other.start);

for (const { name, held } of applied) {
  const replay = makeReplay(unpackHeld(held));
  if (!canUnmerge(replay)) continue;
  describe(`the way back of ${name}`, () => {
    const all = replay.tokenCounts[replay.steps];
    const counts = [...new Set([1, 2, Math.ceil(all / 2), all])].filter((count) => count <= all);

    test("begins with the tokens of the text, and ends with its symbols", () => {
      for (const count of counts) {
        const tokens = tokensAt(replay, replay.steps).slice(0, count);
        const numbers = present(replay, decodingAt(replay, 0, count));
        assert.deepEqual(numbers.map(({ start, end, id }) => ({ start, end, id })), tokens);
        const last = decodingAt(replay, lastPosition(replay, count), count);
        assert.deepEqual(present(replay, last).map(({ step, start }) => [step, start]), Array.from({ length: last.end }, (_, i) => [-1, i]));
        assert.equal(last.shown, "text");
        assert.equal(decodingAt(replay, lastPosition(replay, count) - 1, count).shown, "hex");
      }
    });

    test("takes tokens apart into their two parts, and covers the same bytes all the way", () => {
      for (const count of counts) {
        let before = present(replay, decodingAt(replay, 0, count));
        for (let position = 1; decodingAt(replay, position, count).shown === "ids"; position++) {
          const now = present(replay, decodingAt(replay, position, count));
          assert.ok(now.length > before.length);
          assert.deepEqual([now[0].start, now.at(-1).end], [before[0].start, before.at(-1).end]);
          now.slice(1).forEach(({ start }, i) => assert.equal(start, now[i].end));
          for (const token of before.filter((block) => !now.includes(block))) {
            const parts = now.filter(({ start, end }) => start >= token.start && end <= token.end);
            assert.deepEqual(parts.map(({ id, gone }) => [id, gone]), [[replay.lefts[token.step], token.step], [replay.rights[token.step], token.step]]);
          }
          before = now;
        }
        assert.ok(before.every(({ step }) => step < 0));
      }
    });

    test("reads what a decoder reads", () => {
      for (let count = 1; count <= all; count++) {
        const decoding = decodingAt(replay, lastPosition(replay, count), count);
        const read = new TextDecoder("utf-8", { ignoreBOM: true }).decode(replay.data.subarray(0, replay.byteOffsets[decoding.end]));
        const runs = readRuns(replay, decoding);
        const spelled = runs.map(({ text, part }) =>
          part ? new TextDecoder().decode(Uint8Array.from(text.split(" "), (byte) => Number.parseInt(byte, 16))) : text,
        );
        assert.equal(spelled.join(""), read);
        const says = decodingCaption(replay, lastPosition(replay, count), count);
        assert.equal(/�/.test(says), runs.some(({ part }) => part));
        for (const { text, part } of runs) if (part) assert.ok(says.includes(text));
      }
    });
  });
}

test("equal words that are drawn once, and long texts, have no way back", () => {
  const words = makeReplay(unpackHeld(towers[0].held));
  assert.ok(!canUnmerge(words));
  assert.ok(!canUnmerge({ ...words, tower: null }));
});
