// What the Train page says and draws, and how it follows a training.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { Busy, Refusal } from "../../tokviz/widgets/shared/net/client.js";
import { readFields, readText } from "../../tokviz/widgets/shared/net/links.js";
import { readLink } from "../../tokviz/widgets/replay/state/link.js";
import { makeTokenization } from "../../tokviz/widgets/shared/text/tokenization.js";
import { sayStart, startOf } from "../../tokviz/widgets/train/before.js";
import { addressesOf } from "../../tokviz/widgets/train/next.js";
import { tokensAfter, tintsOfWords } from "../../tokviz/widgets/train/picture.js";
import { countedAt, firstWords, newestOf, stepsAfter } from "../../tokviz/widgets/train/result.js";
import { sayFirstSymbols, sayKinds, sayLeftOut, sayRare, sayRead, sayToggle } from "../../tokviz/widgets/train/enginewording.js";
import { Run } from "../../tokviz/widgets/train/run.js";
import { canWatch, DEFAULTS, sayDuration } from "../../tokviz/widgets/train/settings.js";
import { searchOf } from "../../tokviz/widgets/train/vocabulary.js";
import { ratio, sayMeasured, sayProgress, saySize, sayStopped, shareDone } from "../../tokviz/widgets/train/wording.js";

const RUNNING = { state: "running", place: 0, at_a_time: 2, phase: "", done: 0, total: null, glimpse: null };

describe("progress", () => {
  test("is said for each phase", () => {
    const says = (change) => sayProgress({ ...RUNNING, ...change });
    assert.equal(says({ state: "waiting", place: 3 }), "Waiting in line: 2 before you. This server trains 2 at a time.");
    assert.equal(says({ state: "waiting", place: 1 }), "Waiting in line: You are next. This server trains 2 at a time.");
    assert.equal(says({}), "Starting");
    assert.equal(says({ phase: "cutting", done: 999, total: 1000 }), "Cutting the text: 99 %");
    assert.equal(says({ phase: "cutting", done: 999 }), "Cutting the text");
    assert.equal(says({ phase: "counting", total: 5 }), "Counting neighbors");
    assert.equal(says({ phase: "merging", done: 1234, total: 5000 }), "Merge 1,234 of 5,000");
    assert.equal(says({ phase: "measuring" }), "Measuring");
  });

  test("never goes back", () => {
    const order = [["cutting", 0, 10], ["cutting", 10, 10], ["counting", 0, 9], ["counting", 9, 9], ["merging", 0, 4], ["merging", 4, 4], ["measuring", 0, null]];
    const shares = order.map(([phase, done, total]) => shareDone({ ...RUNNING, phase, done, total }));
    assert.deepEqual(shares, shares.toSorted((a, b) => a - b));
    assert.equal(shareDone(RUNNING), null);
  });
});

describe("the result", () => {
  test("a vocabulary is the sum of what it holds", () => {
    const size = { tokens: 1259, merged: 1000, special: 3, alphabet: 256, ids: 1259 };
    assert.equal(saySize(size, 1000, "bytes"), "A vocabulary of 1,259 tokens: 1,000 merged, 256 bytes, 3 special.");
    assert.match(saySize({ tokens: 6, merged: 3, special: 0, alphabet: 3, ids: 6 }, 4, "bytes"), /6 tokens: 3 merged \(by 4 merges: several make the same one\), 3 bytes\./);
  });

  test("ids without a token are counted as such", () => {
    const cl100k = { tokens: 100_261, merged: 100_000, special: 5, alphabet: 256, ids: 100_277 };
    assert.equal(saySize(cl100k, 100_000, "bytes"), "A vocabulary of 100,261 tokens (100,277 ids): 100,000 merged, 256 bytes, 5 special.");
  });

  test("an early end and the measured text are explained", () => {
    assert.equal(sayStopped("size", true, 9), "");
    assert.match(sayStopped("min_count", true, 1), /after 1 merge: .* within a piece of the split any more/);
    assert.match(sayStopped("min_count", false, 2), /occurred twice any more/);
    assert.match(sayMeasured("itself", []), /too short to set lines aside/);
    assert.equal(sayMeasured("", []), "");
    assert.match(sayMeasured("lines", [{ bytes: 47_685 }]), /Every tenth line is not counted: 47,685 bytes/);
    assert.deepEqual([ratio({ spelled: 9, tokens: 2 }), ratio({ spelled: 9, tokens: null })], ["4.50", "–"]);
  });

  test("tokens are counted between the points of the curve", () => {
    const curve = [[0, 100], [10, 50], [20, 40]];
    assert.deepEqual([0, 5, 10, 20, 99].map((merges) => tokensAfter(curve, merges)), [100, 75, 50, 40, 40]);
  });

  test("single letters have no tint, of one or of several bytes, and parts of them", () => {
    const text = "ab é🍕xy";
    const model = makeTokenization(text, { ids: new Int32Array(7), byte_lengths: Int32Array.of(2, 1, 1, 1, 2, 2, 2), special: new Uint8Array(7) });
    assert.deepEqual([...tintsOfWords(model, Uint8Array.of(0, 1, 2, 3, 0, 1, 2))], [0, 4, 4, 4, 4, 4, 2]);
  });

  test("the tokens counted are those after the merges shown", () => {
    const learned = [{ label: "yours", bytes: 12, tokens: 6, problem: "" }]; // one of its tokens is special
    const shown = { merges: 3, left: [9, 7, 6, 5], glimpse: { curve: [[0, 9], [3, 5]] }, units: "bytes", learned };
    assert.deepEqual([0, 1, 2, 3].map((at) => countedAt(shown, at).tokens), [10, 8, 7, 6]);
    assert.deepEqual(countedAt(shown, 1), { tokens: 8, isExact: true, from: "12 bytes" });
    const long = { ...shown, left: null };
    assert.deepEqual([0, 2, 3].map((at) => countedAt(long, at).isExact), [true, false, true]);
    assert.equal(countedAt({ ...shown, learned: [] }, 2).from, "9 bytes");
    assert.equal(countedAt({ ...shown, learned: [], glimpse: null }, 2), null);
  });

  test("a merge of the vocabulary is found among the steps of a text", () => {
    const replay = { ranks: Int32Array.of(2, 5, 9) };
    assert.deepEqual([0, 2, 3, 6, 9, 10, 99].map((merges) => stepsAfter(replay, merges)), [0, 0, 1, 2, 2, 3, 3]);
  });

  test("the newest token is the one that the last merge made, if it made one in the text", () => {
    const replay = { ranks: Int32Array.of(2, 5), newIds: Int32Array.of(258, 261) };
    assert.deepEqual([0, 3, 4, 6].map((merges) => newestOf(replay, stepsAfter(replay, merges), merges)), [null, 258, null, 261]);
  });

  test("towers are of whole words", () => {
    assert.equal(firstWords("short"), "short");
    const long = "twelve chars ".repeat(9);
    assert.equal(firstWords(long), "twelve chars twelve chars twelve chars twelve");
    assert.equal([...firstWords("🍕".repeat(99))].length, 12); // a tower of 50 bytes at most
  });
});

test("before, each byte or character is a token", () => {
  const lists = ({ ids, lengths }) => [Array.from(ids), Array.from(lengths)];
  assert.deepEqual(lists(startOf("aä", false)), [[0x61, 0xc3, 0xa4], [1, 1, 1]]);
  assert.deepEqual(lists(startOf("aä🍕", true)), [[0x61, 0xe4, 0x1f355], [1, 2, 4]]);
  assert.equal(startOf("ab".repeat(999), false).shown, "ab".repeat(300));
  const says = (algorithm, text, shown = text) => sayStart(text, shown, shown.length, { algorithm, alphabet: "bytes" });
  assert.equal(says("bpe", "T"), "The text is 1 token so far, as each byte is one. Press Train to join them.");
  assert.match(says("wordpiece", "the cat", "the"), /^The beginning of the text is 3 tokens so far, as each character is one/);
  assert.match(says("sentencepiece-unigram", "ab"), /Unigram doesn’t join them/);
  assert.equal(says("bpe", ""), "Type a text, or choose one.");
});

test("escapes are read before a search is sent", () => {
  assert.deepEqual(searchOf("escapes", "\\n\\u00e9"), { by: "text", query: "\né" });
  assert.deepEqual(searchOf("regex", "\\n"), { by: "regex", query: "\\n" });
});

test("durations are rough", () => {
  assert.deepEqual([3, 42, 200].map(sayDuration), ["a few seconds", "about 40 seconds", "about 3 minutes"]);
});

describe("what next", () => {
  const made = { name: "an-id", recipe: "code" };
  const recipe = { ...DEFAULTS, source: "text", ties: "lowest-ids" };

  test("watching learns the same from the same text", async () => {
    const { watch, isLearning } = await addressesOf(made, { recipe, text: "low lower", piece: "low lower", merges: 7 });
    const fields = readFields(new URL(watch, "http://x/").hash);
    const { choices } = readLink(fields, []);
    assert.equal(isLearning, true);
    assert.equal(await readText(fields), "low lower");
    assert.deepEqual([choices.story, choices.learn.pattern, choices.learn.ties, choices.learn.merges], ["learn", "cl100k", "lowest-ids", 7]);
    const own = await addressesOf(made, { recipe: { ...recipe, pattern: "my own", own: "a|b", off: "0" }, text: "low lower", piece: "low", merges: 7 });
    const { learn } = readLink(readFields(new URL(own.watch, "http://x/").hash), []).choices;
    assert.deepEqual([learn.pattern, learn.own, learn.off], ["my own", "a|b", "0"]);
  });

  test("what that page can't learn is watched as it is applied", async () => {
    for (const change of [{ specials: "<s>" }, { alphabet: "characters", mark: true, markLabel: "_" }])
      assert.equal(canWatch({ ...recipe, ...change }, "low", 5), false);
    assert.equal(canWatch(recipe, "ä".repeat(50_001), 5), false);
    assert.equal(canWatch(recipe, "low", 5_001), false);
    const { watch } = await addressesOf(made, { recipe: DEFAULTS, text: null, piece: "The", merges: 5 });
    const fields = readFields(new URL(watch, "http://x/").hash);
    assert.deepEqual([fields.story, fields.tokenizer, fields.made], ["apply", "an-id", "an-id.code"]);
    assert.equal(await readText(fields), "The");
  });

  test("the reader's own text, which all pages share, is not in the addresses", async () => {
    const { read } = await addressesOf(made, { recipe, text: "low lower", piece: "low lower", merges: 7 });
    assert.deepEqual(readFields(new URL(read, "http://x/train").hash), { tokenizer: "an-id", made: "an-id.code" });
    assert.equal(new URL(read, "http://x/a/train").pathname, "/a/");
  });
});

describe("a training", () => {
  /** Server that gives these answers, one after another, and what the page heard. */
  function following(...answers) {
    const heard = [];
    const asked = [];
    const client = {
      async json(route, { id, merges }) {
        if (route === "train") return { id: "one" };
        asked.push(route === "train/cancel" ? ["cancel", id] : [id, merges]);
        if (route === "train/cancel") return {};
        const answer = answers.shift();
        if (answer instanceof Error) throw answer;
        return answer;
      },
    };
    const run = new Run(client, {
      started: (id) => heard.push(["started", id]),
      progress: ({ phase }) => heard.push(["progress", phase]),
      done: (tokenizer) => heard.push(["done", tokenizer]),
      failed: (sentence) => heard.push(["failed", sentence]),
      cancelled: () => heard.push(["cancelled"]),
      connection: (isLost) => isLost && heard.push(["lost"]),
    });
    return { run, heard, asked };
  }
  const glimpse = { curve: [[0, 9], [4, 5]] };

  test("is followed until there is a tokenizer", async (context) => {
    context.mock.timers.enable({ apis: ["setTimeout"] });
    const { run, heard, asked } = following({ ...RUNNING, phase: "merging", glimpse }, new TypeError("offline"), { state: "done", made: "tok" });
    await run.start({}, "");
    for (let k = 0; k < 3; k++) {
      await settled();
      context.mock.timers.tick(2_000);
    }
    await settled();
    assert.deepEqual(heard, [["started", "one"], ["progress", "merging"], ["lost"], ["done", "tok"]]);
    assert.deepEqual(asked, [["one", 0], ["one", 4], ["one", 4]]); // only newer merges are sent
    assert.equal(run.isRunning, false);
  });

  test("that fails says why, and one that the server is too busy to speak of goes on", async (context) => {
    context.mock.timers.enable({ apis: ["setTimeout"] });
    const { run, heard } = following(new Busy("later"), new Refusal("gone"));
    run.follow("one");
    await settled();
    context.mock.timers.tick(2_000);
    await settled();
    assert.deepEqual(heard, [["lost"], ["failed", "gone"]]);
  });

  test("that is cancelled is not heard of any more", async () => {
    const { run, heard, asked } = following({ state: "done", made: "tok" });
    run.follow("one");
    await run.cancel();
    await settled();
    assert.deepEqual(heard, [["cancelled"]]);
    assert.deepEqual(asked.at(-1), ["cancel", "one"]);
  });

  test("whose page is left is not asked about any more", async (context) => {
    context.mock.timers.enable({ apis: ["setTimeout"] });
    const { run, asked } = following({ ...RUNNING, phase: "merging", glimpse });
    run.follow("one");
    await settled();
    run.dispose();
    context.mock.timers.tick(2_000);
    await settled();
    assert.deepEqual(asked, [["one", 0]]);
  });
});

/** Wait until all pending promises are settled. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("what another library trained", () => {
  const way = { fallback: false, ids: [1, 0], lengths: [3, 5], pieces: ["the", "<unk>"], unknown: [false, true], bytes: [false, false], decoded: "the ⁇", vocabulary: 60 };
  const bytes = { ...way, fallback: true, ids: [1, 4, 5], unknown: [false, false, false], bytes: [false, true, true], decoded: "the é" };

  test("a vocabulary's kinds, and what the text did not give", () => {
    assert.equal(sayKinds({ piece: 1, character: 20, special: 2 }, 23), "A vocabulary of 23 pieces: 1 longer piece, 20 of one character, 2 special.");
    assert.match(sayKinds({ piece: 2, unknown: 1 }, 3_800_001), /^A vocabulary of 3 pieces \(3,800,001 ids\): /);
    assert.match(sayKinds({ piece: 20 }, 20, 1000), /The text gave no more of the 1,000 asked for\.$/);
  });

  test("what is rare is lost or spelled in bytes", () => {
    const training = { tokens: 1000, unknown: 3, from_bytes: 0, num_rare: 2 };
    assert.equal(sayRare(training, false), "2 different characters without pieces, lost as <unk>: 3 tokens, 0.3 % of all. Decoding can’t restore them.");
    assert.equal(sayRare({ ...training, unknown: 0, from_bytes: 8 }, false), "2 different characters without pieces, spelled in bytes: 8 tokens, 0.8 % of all.");
    assert.equal(sayRare({ ...training, num_rare: 0 }, true), "Every word of the text can be spelled.");
  });

  test("bytes that no token stands for are said not to count, in either row", () => {
    const [whole, part] = [{ bytes: 900, spelled: 900 }, { bytes: 4000, spelled: 3688 }];
    const effects = [{ option: "lowercase", value: "False" }, { option: "normalization_rule_name", value: "nmt_nfkc" }];
    assert.equal(sayLeftOut([whole], effects), "");
    const left = "Only bytes that tokens spell are counted. Yours leaves out 312 of 4,000 bytes, such as spaces, line breaks or unknown characters.";
    assert.equal(sayLeftOut([whole, part], effects), left);
    const capitals = "It does not tell capitals from small letters, which saves tokens too.";
    assert.equal(sayLeftOut([part], [{ option: "lowercase", value: "True" }]), `${left} ${capitals}`);
    assert.equal(sayLeftOut([whole], [{ option: "normalization_rule_name", value: "nfkc_cf" }]), capitals);
  });

  test("a text's tokens, and what decoding gives", () => {
    assert.equal(sayRead(way, "the é"), "2 tokens, 1 unknown. Decoding gives: the ⁇");
    assert.equal(sayRead(bytes, "the é"), "3 tokens, 2 for single bytes. Decoding gives the text back.");
  });

  test("the switch says that it changes a preview only, and what changes the tokenizer", () => {
    assert.equal(sayToggle(way, way), "This tokenizer has byte fallback off. The switch changes only this preview, not the tokenizer.");
    assert.match(sayToggle(way, bytes), /plus 256 for single bytes\. The tokenizer still has byte fallback off\..* byte_fallback on: .* 256 fewer/);
    assert.match(sayToggle(bytes, way), /minus its 256 for single bytes\. The tokenizer still has byte fallback on\..* byte_fallback off: .* 256 more/);
  });

  test("code points and bytes are compared in vocabularies of one size, or it is said why not", () => {
    const [asked, more, fewer] = [512, 300, 1000].map((size) => sayFirstSymbols(512, 2000, size, 400)[1]);
    assert.match(asked, /the same size: 512 pieces, as asked for\. .* 2,000 characters .*: 50 % of this vocabulary, but only 0\.26 % of/);
    assert.match(more, /512 pieces, more than the 300 asked for/);
    assert.match(fewer, /512 pieces, the most that all three can learn from this text \(1,000 were asked for\)/);
    assert.match(sayFirstSymbols(null, 80, 1000, 334)[1], /^This text is too short .* at least 334 pieces, .* 1,500 characters are enough/);
  });
});
