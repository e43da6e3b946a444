import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { changeFrom, makeSeek, newestAt, newestTokensAt, stateAt, tokensAt } from "../../tokviz/widgets/seek/model.js";
import { mergesAt, placeOf } from "../../tokviz/widgets/seek/scale.js";
import { Seeking } from "../../tokviz/widgets/seek/seeking.js";
import { sayNewest, spokenOf, whatDecides } from "../../tokviz/widgets/seek/wording.js";
import { unpackHeld } from "../../tokviz/widgets/shared/net/columns.js";
import { makeTokenization } from "../../tokviz/widgets/shared/text/tokenization.js";
import { computed } from "./computed.js";

/** The names of the parts, as written. */
const written = (parts) => parts.map((part) => (typeof part === "string" ? part : part.name)).join("");

for (const { name, text, full, held, cuts } of computed.sought)
  describe(`a text with fewer merges, ${name}`, () => {
    const columns = unpackHeld(held);
    const seek = makeSeek(columns);
    const seeking = () => new Seeking(makeTokenization(text, unpackHeld(full)), columns, null);

    test("the tokens with k merges equal those of the tokenizer that was cut there", () => {
      for (const { k, ids, lengths, special, ranks } of cuts) {
        const found = tokensAt(seek, k);
        assert.deepEqual([...found.ids], ids, `${k}`);
        assert.deepEqual([...found.byte_lengths], lengths);
        assert.deepEqual([...found.special], special);
        for (const [i, rank] of ranks.entries()) if (found.ranks[i] >= 0) assert.equal(found.ranks[i], rank);
      }
    });

    test("models of these tokens equal those made of them", () => {
      const all = seeking();
      for (const { k, ids, lengths, special } of cuts) {
        const { tints, ranks, colorOf, ...model } = all.at(k);
        const expected = makeTokenization(text, { ids: Int32Array.from(ids), byte_lengths: Int32Array.from(lengths), special: Uint8Array.from(special) });
        for (const column of ["ids", "byteLengths", "byteOffsets", "starts", "inside"]) assert.deepEqual([...model[column]], [...expected[column]], column);
        assert.equal(tints.length, model.n);
      }
    });

    test("the text changes at the ticks, and nowhere else", () => {
      for (const [i, { k, ids }] of cuts.entries()) {
        if (!i || cuts[i - 1].k !== k - 1) continue;
        const isOther = String(ids) !== String(cuts[i - 1].ids);
        assert.equal(seek.changes.includes(k), isOther, `${k}`);
        assert.equal(stateAt(seek, k) !== stateAt(seek, k - 1), isOther);
      }
    });

    test("keys go from change to change, and to the ends", () => {
      const stops = [0, ...seek.changes];
      if (stops.at(-1) !== seek.merges) stops.push(seek.merges);
      for (const [i, stop] of stops.entries()) {
        assert.equal(changeFrom(seek, stop, 1), stops[i + 1] ?? seek.merges);
        assert.equal(changeFrom(seek, stop, -1), stops[i - 1] ?? 0);
        if (stop + 1 < stops[i + 1]) assert.equal(changeFrom(seek, stop + 1, -1), stop);
      }
      assert.equal(changeFrom(seek, 3, -Infinity), 0);
      assert.equal(changeFrom(seek, 3, Infinity), seek.merges);
    });

    test("the newest join is the last merge that changed something, as often as it did", () => {
      for (const { k, newest } of cuts) {
        const join = newestAt(seek, k);
        assert.deepEqual(join && [join.merge, join.places], newest, `${k}`);
      }
    });

    test("the newest join is marked in tokens that are other ones without it, and in all of these", () => {
      for (const [i, { k, ids }] of cuts.entries()) {
        const before = cuts[i - 1];
        if (!i || before.k !== k - 1 || String(ids) === String(before.ids)) continue;
        const [now, then] = [tokensAt(seek, k), tokensAt(seek, k - 1)];
        if (newestAt(seek, k).merge !== k) continue; // one that had to wait for a later one
        const extents = ({ firsts }) => Array.from(firsts, (first, j) => `${first} to ${firsts[j + 1] ?? columns.symbols.length}`);
        const old = new Set(extents(then));
        assert.deepEqual([...newestTokensAt(seek, k, ids.length)], extents(now).map((extent) => Number(!old.has(extent))), `${k}`);
      }
    });

    test("a token keeps the tint of its first symbol, and neighbors never have the same", () => {
      const all = seeking();
      /** @type {Map<number, number>} */
      const tintAt = new Map();
      for (const { k } of cuts) {
        const { n, tints, byteOffsets, byteLengths } = all.at(k);
        for (let i = 0; i < n; i++) {
          if (i) assert.notEqual(tints[i], tints[i - 1], `${k}`);
          if (!byteLengths[i]) continue;
          assert.equal(tintAt.get(byteOffsets[i]) ?? tints[i], tints[i]);
          tintAt.set(byteOffsets[i], tints[i]);
        }
      }
    });

    test("the sentence names the two parts, which stand side by side in the text", () => {
      const { bytes } = seeking();
      for (const { k, newest } of cuts) {
        const parts = sayNewest(seek, bytes, k);
        if (!newest) assert.match(written(parts), /^(No merge yet|The first .* nothing in this text)/);
        else {
          assert.ok(written(parts).startsWith(`Newest join in this text: merge ${newest[0].toLocaleString("en-US")}, `));
          assert.match(written(parts), new RegExp(`: ${newest[1].toLocaleString("en-US")} tokens? fewer\\.`));
          assert.equal(parts.filter((part) => typeof part !== "string").length, 2);
        }
        assert.ok(spokenOf(parts).length > 10);
      }
    });
  });

test("the scale is one of powers of ten, with a place for no merge", () => {
  for (const merges of [1, 7, 100, 50_000, 100_000, 199_742]) {
    assert.equal(placeOf(0, merges), 0);
    assert.equal(placeOf(merges, merges), 1);
    for (let k = 0; k <= merges; k = Math.max(k + 1, Math.floor(k * 1.3))) assert.equal(mergesAt(placeOf(k, merges), merges), k);
    assert.deepEqual([mergesAt(-1, merges), mergesAt(2, merges)], [0, merges]);
  }
  assert.ok(Math.abs(placeOf(10, 1e5) - placeOf(1, 1e5) - (placeOf(1e5, 1e5) - placeOf(1e4, 1e5))) < 1e-12);
  assert.equal(placeOf(0, 0), 0);
});

test("the sentence says how often, and hex where a part is no text", () => {
  const columns = { symbols: [1, 2, 1, 2, 3, 4], symbol_lengths: [1, 1, 1, 1, 1, 1], special: [0, 0, 0, 0, 0, 0], removed_at: [2, 0, 2, 0, 1, 2], ranks: [4, 7], known: [5, 8], new_ids: [9, 10] };
  const typed = Object.fromEntries(Object.entries(columns).map(([name, values]) => [name, Int32Array.from(values)]));
  const seek = makeSeek({ ...typed, meta: { merges: 20, units: "bytes" } });
  const bytes = new TextEncoder().encode(" a aé");
  assert.equal(written(sayNewest(seek, bytes, 0)), "No merge yet: each byte is a token. A letter may have several: é has 2.");
  assert.equal(written(sayNewest(seek, bytes.fill(0x61, 4), 4)), "The first 4 merges join nothing in this text: each byte is still a token, and each letter is one byte.");
  bytes.set([0xc3, 0xa9], 4);
  assert.equal(written(sayNewest(seek, bytes, 5)), "Newest join in this text: merge 5, · + a, twice: 2 tokens fewer.");
  assert.equal(written(sayNewest(seek, bytes, 8)), "Newest join in this text: merge 8, ·a + c3 (bytes of ·aé), once: 1 token fewer.");
  assert.equal(spokenOf(sayNewest(seek, bytes, 20)), "Newest join in this text: merge 8, space a + byte c3 (bytes of ·aé), once: 1 token fewer. No later merge joins anything in it.");
});

test("what decides where there are no merges", () => {
  assert.equal(whatDecides("bpe"), "");
  assert.match(whatDecides("wordpiece"), /longest piece/);
  assert.match(whatDecides("unigram"), /most probable/);
  for (const algorithm of ["bytes", "code-points", "words", null]) assert.match(whatDecides(algorithm), /no merges/);
});
