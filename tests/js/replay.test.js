import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { captionAt, figuresAt, notableSteps, spokenOf, summaryAt } from "../../tokviz/widgets/replay/explain/captions.js";
import { detailsAt } from "../../tokviz/widgets/replay/explain/card.js";
import { lettersAt } from "../../tokviz/widgets/replay/explain/legend.js";
import { findSteps } from "../../tokviz/widgets/replay/explain/merges.js";
import { boundariesOf, firstPosition, makeReplay, stands, tintsOf, tokenAt, tokensAt, treeOf } from "../../tokviz/widgets/replay/model/replay.js";
import { nameOf, writingOf } from "../../tokviz/widgets/replay/model/names.js";
import { countPairs, hasOverlaps, pairsSeen, rankPairs, tiesAt } from "../../tokviz/widgets/replay/model/pairs.js";
import { sayBeginning } from "../../tokviz/widgets/replay/input/request.js";
import { shortened } from "../../tokviz/widgets/replay/stage/symbols.js";
import { unpackHeld } from "../../tokviz/widgets/shared/net/columns.js";
import { computed } from "./computed.js";
import { tinyReplay } from "./tinyreplay.js";

const { applied, learned, prepared } = computed;
const MOST = 10;

/** Caption as shown on the page. */
const written = (replay, k) =>
  captionAt(replay, k, "text")
    .map((part) => (typeof part === "string" ? part : (part.figure ?? part.name)))
    .join("");

for (const { name, held, steps } of applied)
  describe(`how a text is read, ${name}`, () => {
    const replay = makeReplay(unpackHeld(held));

    test("the tokens after each step equal the package's", () => {
      assert.equal(replay.steps, steps.length - 1);
      steps.forEach(({ tokens }, k) => {
        const found = tokensAt(replay, k);
        assert.deepEqual(
          found.map(({ start, id }) => [start, id]),
          tokens,
        );
        assert.equal(replay.tokenCounts[k], tokens.length);
        assert.ok(found.every(({ start }) => stands(replay, start, k)));
        for (const { start, end } of found) for (let i = start; i < end; i++) assert.equal(tokenAt(replay, i, k), start);
      });
    });

    test("a part of the text has the tokens with a symbol in it", () => {
      const [from, to] = [Math.floor(replay.n / 3), Math.ceil((2 * replay.n) / 3)];
      for (const k of [0, replay.steps >> 1, replay.steps]) {
        const all = tokensAt(replay, k).filter(({ start, end }) => end > from && start < to);
        if (to > from) assert.deepEqual(tokensAt(replay, k, from, to), all);
      }
    });

    test("current pairs are ranked, and the lowest rank is merged next", () => {
      for (let k = 0; k <= replay.steps; k++) {
        const { top } = rankPairs(replay, k, MOST);
        if (replay.meta.order === "rank")
          assert.deepEqual(
            top.map(({ rank }) => rank),
            steps[k].ranks.slice(0, MOST),
          );
        if (k === replay.steps) continue;
        const { left, right, rank } = top[0];
        assert.deepEqual([left, right, rank], [replay.lefts[k], replay.rights[k], replay.ranks[k]]);
      }
    });

    test("pairs are counted within pre-tokens, in the order first seen", () => {
      for (let k = 0; k <= replay.steps; k++) {
        const counts = new Map();
        const [left, right] = [replay.lefts[k], replay.rights[k]];
        let overlap = false;
        for (const [number, from] of [...replay.pieceStarts.slice(0, -1).entries()]) {
          const isWorkedOn = number === replay.pieceOf[boundariesOf(replay, k)[0]];
          if (replay.meta.order === "pretoken" && k < replay.steps && !isWorkedOn) continue;
          const ids = steps[k].tokens.filter(([at]) => at >= from && at < replay.pieceStarts[number + 1]).map(([, id]) => id);
          for (let i = 1; i < ids.length; i++) {
            const pair = `${ids[i - 1]} ${ids[i]}`;
            counts.set(pair, (counts.get(pair) ?? 0) + 1);
            overlap ||= i > 1 && [ids[i - 2], ids[i - 1], ids[i]].every((id) => id === left && id === right);
          }
        }
        const { size, lefts, rights, values } = countPairs(replay, k);
        const found = Array.from({ length: size }, (_, i) => [`${lefts[i]} ${rights[i]}`, values[i]]);
        assert.deepEqual(found, [...counts]);
        const seen = pairsSeen(replay, k);
        assert.deepEqual(seen.map(({ left, right, count }) => [`${left} ${right}`, count]), found);
        const { top } = rankPairs(replay, k, MOST);
        for (const pair of top) assert.deepEqual(seen.filter(({ left, right }) => left === pair.left && right === pair.right), [pair]);
        if (k < replay.steps) assert.equal(hasOverlaps(replay, k), overlap, `step ${k}`);
      }
    });

    test("a merge is found by its rank, counted from 1, and by part of its token", () => {
      for (let k = 0; k < replay.steps; k++) {
        const rank = replay.ranks[k] + 1;
        for (const typed of [String(rank), rank.toLocaleString("en-US"), ` ${rank} `]) {
          const found = findSteps(replay, typed, replay.steps);
          assert.ok(found.includes(k), typed);
          if (rank < 100) continue; // bytes in hex may have such digits
          assert.ok(found.every((step) => replay.ranks[step] === replay.ranks[k]), typed);
        }
        const text = new TextDecoder().decode(replay.bytes.get(replay.newIds[k]));
        if (/^[ a-z]+$/i.test(text)) assert.ok(findSteps(replay, text.toUpperCase(), replay.steps).includes(k), text);
        assert.deepEqual(findSteps(replay, String(rank), k).filter((step) => step >= k), []);
      }
      assert.equal(findSteps(replay, "", replay.steps).length, replay.steps);
      assert.deepEqual(findSteps(replay, "no such text", replay.steps), []);
    });

    test("a token keeps the tint of its first symbol, and neighbors never have the same", () => {
      const tints = tintsOf(replay);
      for (let k = 0; k <= replay.steps; k++) {
        const shown = tokensAt(replay, k).map(({ start }) => tints[start]);
        for (const [i, tint] of shown.entries()) assert.ok(tint < 4 && tint !== shown[i - 1], `step ${k}`);
        if (k === replay.steps) assert.deepEqual(shown, shown.map((_, i) => i % 4));
      }
    });

    test("notable steps are in order, from the text to the end", () => {
      const notable = notableSteps(replay).map(({ k }) => k);
      assert.deepEqual(notable, notable.toSorted((one, other) => one - other));
      assert.equal(notable[0], replay.n ? -2 : 0);
      assert.equal(notable.at(-1), replay.steps);
    });

    test("notable steps match their labels", () => {
      for (const { k, label } of notableSteps(replay)) {
        if (label.startsWith("at most half")) {
          assert.ok(steps[k].tokens.length * 2 <= replay.n && steps[k - 1].tokens.length * 2 > replay.n);
        }
        const [, length] = /, (\d+) bytes long$/.exec(label) ?? [];
        if (length) assert.equal(replay.bytes.get(replay.newIds[k - 1]).length, Number(length));
        assert.doesNotMatch(label, /^half/);
      }
    });

    test("each token's tree consists of the parts that were joined", () => {
      const check = ({ start, end, id, step, children }) => {
        if (step < 0) return assert.deepEqual([end - start, id], [1, replay.symbols[start]]);
        assert.deepEqual(
          [children[0].id, children[1].id, id],
          [replay.lefts[step], replay.rights[step], replay.newIds[step]],
        );
        assert.deepEqual([children[0].start, children[0].end, children[1].end], [start, children[1].start, end]);
        children.forEach(check);
      };
      for (const { start } of tokensAt(replay, replay.steps)) check(treeOf(replay, start, replay.steps));
    });

    test("the caption gives the merge, the token that it makes and the number of places", () => {
      for (let k = 0; k < replay.steps; k++) {
        const said = written(replay, k);
        assert.ok(said.includes(`merge ${(replay.ranks[k] + 1).toLocaleString("en-US")}. `), said);
        assert.ok(said.includes(`They become ${nameOf(replay, replay.newIds[k])}`), said);
        assert.equal(said.includes(`in ${replay.places[k]} places`), replay.places[k] > 1, said);
        const everywhere = replay.pieceStarts.length > 2 ? "that may join" : "here";
        assert.ok(said.includes(`Of all pairs ${replay.meta.order === "pretoken" ? "in this pre-token" : everywhere}, `), said);
      }
      if (!replay.n) return;
      const isCut = replay.pieceStarts.length > 2;
      const said = written(replay, replay.steps);
      assert.ok(said.includes(`Nothing is left to join: no merge joins two neighbors${isCut ? " within a pre-token" : ""}.`), said);
      const { tokens } = steps[replay.steps];
      assert.ok(said.endsWith(` ${tokens.length} token${tokens.length === 1 ? "" : "s"}: that is what this tokenizer makes of the text.`));
    });
  });

test("a rewritten text is described as such, and an initial whole token isn't called a byte", () => {
  for (const { held, rewritten, bytes, cut_out: cutOut, other_bytes: otherBytes } of prepared) {
    const replay = makeReplay(unpackHeld(held));
    const [text, begin] = [written(replay, -2), written(replay, 0)];
    assert.equal(text.startsWith("This is the text:"), !rewritten, text);
    assert.equal(text.startsWith("This tokenizer first "), rewritten, text);
    assert.ok(text.includes(`are ${bytes} bytes in UTF-8`), text);
    assert.equal(replay.n, otherBytes + cutOut["added token"] + cutOut["special token"]);
    assert.equal(/\beach byte\b/i.test(begin), otherBytes > 0, begin);
    for (const [kind, times] of Object.entries(cutOut))
      assert.equal(new RegExp(`\\beach ${kind}\\b`, "i").test(begin), times > 0, begin);
  }
});

test("the symbols on the stage make up the text, including white space covered by added tokens", () => {
  for (const { held, read } of prepared) {
    const replay = makeReplay(unpackHeld(held));
    assert.equal(replay.text, read);
    for (const k of [0, replay.steps]) {
      const tokens = tokensAt(replay, k);
      const runs = tokens.flatMap(({ start, id }) => writingOf(replay, id, "hex", replay.covered.get(start)));
      assert.equal(runs.map(({ text }) => text).join(" "), Buffer.from(read).toString("hex").replace(/..(?=.)/g, "$& "));
    }
  }
});

test("the card says of an unmerged token what it is", () => {
  for (const { held } of prepared) {
    const replay = makeReplay(unpackHeld(held));
    replay.symbols.forEach((id, i) => {
      const { added, special, rank, tree } = detailsAt(replay, i, 0);
      assert.deepEqual([added, special, rank, tree?.children], [id === 257, id === 258, null, []]);
    });
  }
});

for (const { name, held, steps } of learned)
  describe(`how merges are learned, ${name}`, () => {
    const replay = makeReplay(unpackHeld(held));

    test("counts, ties and the winner are those of a recount", () => {
      assert.equal(replay.steps, steps.length);
      steps.forEach(({ counts, next, tied, tokens }, k) => {
        const { top, distinct } = rankPairs(replay, k, MOST);
        assert.deepEqual(
          top.map(({ count }) => count),
          counts.slice(0, MOST),
        );
        assert.equal(distinct, counts.length);
        assert.deepEqual([top[0].left, top[0].right, replay.newIds[k]], next);
        assert.equal(tiesAt(replay, k), tied);
        assert.equal(replay.tokenCounts[k], tokens);
      });
    });

    test("the caption gives the pair's count, and mentions overlaps", () => {
      steps.forEach(({ count, next }, k) => {
        const said = written(replay, k);
        assert.ok(said.includes(`${count} time${count === 1 ? "" : "s"}`), said);
        assert.ok(said.includes(`token ${next[2]}.`), said);
        assert.equal(said.includes("Because some overlap"), count > replay.places[k], said);
      });
    });

    test("screen readers get words for signs, and the summary has counts", () => {
      for (let k = 0; k <= replay.steps; k++) {
        assert.ok(!/[·↵→]/.test(spokenOf(captionAt(replay, k, "text"))));
        assert.match(summaryAt(replay, k), new RegExp(`^Step ${k} of ${replay.steps}: `));
      }
    });
  });

test("a replay begins with its scenes, or at 0", () => {
  const meta = (/** @type {string} */ story, /** @type {boolean} */ split) => /** @type {any} */ ({ story, split });
  assert.equal(firstPosition({ n: 5, meta: meta("apply", true) }), -2);
  assert.equal(firstPosition({ n: 5, meta: meta("learn", true) }), -1);
  for (const [n, story] of /** @type {[number, string][]} */ ([[5, "learn"], [0, "apply"]]))
    assert.equal(firstPosition({ n, meta: meta(story, false) }), 0); // and not -0, which would be read "-0 of 7"
});

test("figures count tokens from the first merge on, and the vocabulary while it grows", () => {
  assert.deepEqual(figuresAt(tinyReplay(), -1), []);
  assert.deepEqual(figuresAt(tinyReplay(), 0), [["tokens left", "7"], ["bytes per token", "1.00"]]);
  assert.deepEqual(figuresAt(tinyReplay(), 3), [["tokens left", "2"], ["bytes per token", "3.50"]]);
  const learning = tinyReplay({ story: "learn", alphabet: 1000 });
  assert.deepEqual([-1, 0, 3].map((k) => figuresAt(learning, k).at(-1)?.[1]), ["1,000", "1,000", "1,003"]);
});

test("the beginning of a long text is cut after a whole character", () => {
  assert.match(sayBeginning("a".repeat(105), 100), /^The first 100 of 105 bytes/);
  assert.match(sayBeginning("あ".repeat(40), 100), /^The first 99 of 120 bytes/);
  assert.match(sayBeginning("🍕".repeat(1000), 1003), /^The first 1,000 of 4,000 bytes/);
});

test("a shortened symbol gives its length in characters or bytes", () => {
  assert.equal(shortened("🍕".repeat(60), false), "🍕".repeat(60));
  assert.equal(shortened("🍕".repeat(61), false), `${"🍕".repeat(60)}… (61)`);
  const hex = (/** @type {number} */ bytes) => Array(bytes).fill("20").join(" ");
  assert.equal(shortened(hex(20), true), hex(20));
  assert.equal(shortened(hex(64), true), `${hex(20)}… (64)`);
});

/** A replay without merges. @param {string} text @param {number[]} branches @param {Record<string, any>} meta @returns {any} */
function still(text, branches, meta) {
  const data = new TextEncoder().encode(text);
  return {
    ...{ text, data, n: data.length, steps: 0, tokenCounts: [1], branches: Uint8Array.from(branches) },
    symbols: Int32Array.from(branches.keys()),
    pieceOf: Int32Array.from(branches.keys()),
    bytes: new Map(branches.map((_, i) => [i, Uint8Array.of(i)])),
    meta: { story: "apply", split: true, units: "bytes", end_of_word: null, special: [], added: [], ...meta },
  };
}

test("a special token is not attributed to the split pattern, nor called bytes", () => {
  const alone = still("<|endoftext|>", [255], {});
  assert.match(spokenOf(captionAt(alone, -1, "text")), /^This text is one special token/);
  assert.match(spokenOf(captionAt(alone, 0, "text")), /^Each special token is a symbol now\. /);
  const unsplit = still("<s>a", [255, 1], { split: false });
  assert.match(spokenOf(captionAt(unsplit, -1, "text")), /only cuts special and added tokens out of the text/);
  assert.match(spokenOf(captionAt(still("a", [1], {}), -1, "text")), /in one piece, called a pre-token\.$/);
  assert.match(spokenOf(captionAt(still("a", [1], {}), 0, "text")), /^Each byte is a symbol now\. /);
});

test("the end of a word is described as a symbol, and one character takes a singular verb", () => {
  const marked = still("é", [0], { units: "characters", end_of_word: "</w>", split: false });
  assert.match(spokenOf(captionAt(marked, 0, "text")), /^Each character is a symbol now, and so is each end of a word\. /);
  assert.equal(spokenOf(captionAt(marked, -2, "text")), "This is the text: 1 character, which is 2 bytes in UTF-8.");
  const unknown = { ...marked, meta: { ...marked.meta, size: [9, 12] } };
  assert.equal(spokenOf(captionAt(unknown, -2, "text")), "This is the text: 9 characters, which are 12 bytes in UTF-8.");
  const tokens = unknown.tokenCounts[0];
  assert.deepEqual(figuresAt(unknown, 0)[1], ["bytes per token", (12 / tokens).toFixed(2)]);
});

test("characters without a piece are named, and how many bytes they are", () => {
  const spelled = (/** @type {string} */ text, /** @type {string[]} */ inBytes) => {
    const symbols = Array.from(text).flatMap((char) => (inBytes.includes(char) ? [...new TextEncoder().encode(char)].map((byte) => [byte, 1]) : [[999, new TextEncoder().encode(char).length]]));
    const byteOffsets = Int32Array.from([0, ...symbols.map((_, i) => symbols.slice(0, i + 1).reduce((sum, [, length]) => sum + length, 0))]);
    const base = still(text, symbols.map(() => 0), { units: "characters", byte_ids: Array.from({ length: 256 }, (_, id) => id) });
    const replay = { ...base, byteOffsets, n: symbols.length, symbols: Int32Array.from(symbols, ([id]) => id) };
    return spokenOf(captionAt(replay, 0, "text"));
  };
  assert.match(spelled("Naïve 🍕 🍕", ["🍕"]), /^Each character is a symbol now; 🍕 has no piece, so it is 4 bytes\. /);
  assert.match(spelled("习🍕", ["🍕", "习"]), /^Each character is a symbol now; 习 and 🍕 have no piece, so they are bytes\. /);
  assert.match(spelled("äöüß", [..."äöüß"]), /; ä, ö, ü and 1 more have no piece, so they are bytes\. /);
  assert.match(spelled("ä", []), /^Each character is a symbol now\. /);
});

test("what no merge crosses is called a word where the tokenizer cuts nothing, but no piece crosses it", () => {
  const words = still("ab", [0, 0], { split: false, words: true, order: "pretoken" });
  assert.match(spokenOf(captionAt(words, -1, "text")), /doesn't cut the text first\. Still, .* so the 2 words are merged separately\.$/);
  assert.match(spokenOf(captionAt(words, 0, "text")), /no merge joins two neighbors within a word\. /);
  assert.deepEqual(notableSteps(words).map(({ label }) => label), ["the text", "the words", "bytes"]);
});

test("letters are explained by the pairs that they stand for", () => {
  const replay = tinyReplay();
  assert.deepEqual(lettersAt(replay, 0), []);
  assert.deepEqual(lettersAt(replay, 3), ["Z = ab", "Y = ZZ", "X = ·Z"]);
});
