import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { compareMerges, editBetween, mergesOf, shareMerges } from "../../tokviz/widgets/replay/corpus/mergelists.js";
import { headsOf, ordinal, sayCompared, sentenceOf } from "../../tokviz/widgets/replay/corpus/wording.js";
import { firstOptions } from "../../tokviz/widgets/replay/input/classics.js";
import { tinyReplay } from "./tinyreplay.js";

/** Merges by their keys, such as "ab". @param {string[]} keys */
const listOf = (keys) => keys.map((key, id) => ({ key, id, left: key[0], right: key[1], made: key }));
const compared = (before, after) => compareMerges(listOf(before), listOf(after));
const keysOf = (changes, kind) => changes.filter((change) => change.kind === kind).map(({ merge }) => merge.key).sort();
/** Random numbers, always the same. @param {number} seed */
const randomFrom = (seed) => () => (seed = (seed * 1103515245 + 12345) % 2 ** 31) / 2 ** 31;

describe("two lists of merges", () => {
  test("that are equal have no changes", () => {
    assert.deepEqual(compared(["ab", "cd"], ["ab", "cd"]), []);
    assert.deepEqual(compared([], []), []);
  });

  test("name what is new, gone and moved, with ranks, the earliest first", () => {
    const changes = compared(["th", "he", "an", "in"], ["he", "xy", "an", "th"]);
    assert.deepEqual(changes.map(({ kind, merge, before, after }) => [kind, merge.key, before, after]), [
      ["moved", "th", 0, 3],
      ["new", "xy", -1, 1],
      ["gone", "in", 3, -1],
    ]);
  });

  test("don't count a merge as moved that only follows a new one", () => {
    assert.deepEqual(keysOf(compared(["ab", "cd", "ef"], ["xy", "ab", "cd", "ef"]), "moved"), []);
  });

  test("say of as few merges as possible that they have moved: without them, the others are in the same order", () => {
    const random = randomFrom(5);
    const names = ["ab", "cd", "ef", "gh", "ij", "kl", "mn"];
    const some = () => names.filter(() => random() < 0.8).sort(() => random() - 0.5);
    for (let round = 0; round < 300; round++) {
      const [before, after] = [some(), some()];
      const changes = compared(before, after);
      const moved = keysOf(changes, "moved");
      assert.deepEqual(keysOf(changes, "new"), after.filter((key) => !before.includes(key)).sort());
      assert.deepEqual(keysOf(changes, "gone"), before.filter((key) => !after.includes(key)).sort());
      const common = before.filter((key) => after.includes(key));
      const inOrder = (/** @type {string[]} */ left) => after.filter((key) => left.includes(key)).join() === left.join();
      const fewest = Math.min(...Array.from({ length: 2 ** common.length }, (_, bits) => {
        const left = common.filter((__, i) => (bits >> i) & 1);
        return inOrder(left) ? common.length - left.length : Infinity;
      }));
      assert.equal(inOrder(common.filter((key) => !moved.includes(key))), true);
      assert.equal(moved.length, fewest);
    }
  });
});

test("merges are known by what they join, whatever their ids", () => {
  const [one, other] = [1, 2].map(() => tinyReplay({ story: "learn", end_of_word: "</w>" }));
  other.newIds = other.newIds.map((id) => id + 7);
  for (const id of one.newIds) other.bytes.set(id + 7, one.bytes.get(id));
  other.lefts = other.lefts.map((id) => (id > 255 ? id + 7 : id));
  other.rights = other.rights.map((id) => (id > 255 ? id + 7 : id));
  assert.deepEqual(mergesOf(other).map(({ key }) => key), mergesOf(one).map(({ key }) => key));
  assert.deepEqual(mergesOf(one).map(({ made }) => made.name), ["ab", "abab", "·ab"]);
  one.endsWord.add(98); // another b, which ends a word
  assert.notEqual(mergesOf(one)[0].key, mergesOf(other)[0].key);
});

test("two texts are compared by what moved among the merges of both, what is new and gone, and whether there are any", () => {
  const changes = compared(["ab", "cd"], ["xy", "ab", "cd"]);
  assert.equal(sayCompared(changes, true), "Compared with the kept one: 1 new.");
  assert.equal(sayCompared(compared(["ab", "cd", "ef"], ["cd", "ab", "xy"]), true), "Compared with the kept one: 1 moved, 1 new, 1 gone.");
  assert.equal(sayCompared([], true), "Both give the same merges, in the same order.");
  assert.equal(sayCompared(compared(["ab"], ["cd"]), shareMerges(listOf(["ab"]), listOf(["cd"]))), "They share no merge.");
  assert.equal(shareMerges(listOf(["ab", "cd"]), listOf(["ef", "cd"])), true);
});

test("an edit is what was taken out and what was put in its place", () => {
  assert.deepEqual(editBetween("the cat", "the fat cat"), { removed: "", added: "fat " });
  assert.deepEqual(editBetween("aaa", "aa"), { removed: "a", added: "" });
  assert.deepEqual(editBetween("the mat", "the cat in the hat"), { removed: "mat", added: "cat in the hat" }); // not "cat in the h", before "at"
  assert.deepEqual(editBetween("the cat sat", "the cat"), { removed: " sat", added: "" });
  assert.deepEqual(editBetween("😀b", "😁b"), { removed: "😀", added: "😁" });
  const random = randomFrom(9);
  const word = () => Array.from({ length: Math.floor(random() * 6) }, () => "ab😀"[Math.floor(random() * 2)]).join("");
  for (let round = 0; round < 300; round++) {
    const [start, end, old, now] = [word(), word(), word(), word()];
    const { removed, added } = editBetween(start + old + end, start + now + end);
    assert.ok(removed.length <= old.length && added.length <= now.length);
    assert.equal(removed.length - added.length, old.length - now.length);
  }
});

test("the sentence names the edit, two changes, and how many more there are", () => {
  const said = (edit, changes) => sentenceOf(edit, changes).map((part) => part.name ?? part).join("");
  const changes = compared(["th", "he", "an", "in"], ["he", "xy", "an", "th"]);
  assert.equal(said({ removed: "the ", added: "" }, changes), "Without the·, t + h comes 4th instead of 1st; x + y is new, 2nd; and 1 more change.");
  assert.equal(said({ removed: "", added: "x" }, changes.slice(2)), "With x, i + n is gone, which was 4th.");
  assert.equal(said({ removed: "", added: "with all of the words" }, []), "With with·all·of·the…, the same merges are learned.");
  assert.equal(said({ removed: "a", added: "b" }, []), "With b for a, the same merges are learned.");
  assert.deepEqual([0, 1, 2, 3, 10, 11, 12, 20, 110, 1001].map(ordinal), ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "111th", "1,002nd"]);
});

test("two ways to learn are told apart by the place where their texts differ, or by the options that do", () => {
  const alternatives = ["letters", "numbers", "", "line break", "white space"].map((name) => ({ name, text: "x+| " }));
  const learn = (change) => ({ ...firstOptions(), alternatives, ...change });
  const heads = (one, other) => headsOf(learn(one), learn(other));
  assert.deepEqual(heads({ text: "a cat" }, { text: "a dog" }), ["“a cat”", "“a dog”"]);
  const same = "the quick brown fox jumps over the lazy dog, and ";
  const [was, is] = heads({ text: `${same}sleeps` }, { text: `${same}eats` });
  assert.match(was, /^“….*and sleeps”$/);
  assert.match(is, /^“….*and eats”$/);
  assert.deepEqual(heads({ pattern: "gpt2" }, { pattern: "gpt2", off: "2,4", merges: 5 }), ["split: GPT-2's, merges: 20", "split: GPT-2's without “x+|·” and “white space”, merges: 5"]);
  const [one, other] = heads({}, {});
  assert.equal(one, other);
});
