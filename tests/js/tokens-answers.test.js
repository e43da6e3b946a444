import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { Answers } from "../../tokviz/widgets/tokens/answers.js";
import { bytesIn } from "./pieces.js";

/** Longer than the pause in typing after which a long text is counted. */
const PAUSE = 1000;
const LONG = "a".repeat(20_001);

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  globalThis.window = new EventTarget();
});

/** Let pending tasks run. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

/**
 * Answers about a text, from a server for which every character is a token.
 *
 * @param {Record<string, any>} [change] to the settings
 */
function page(change) {
  const shown = { text: "hi" };
  const settings = { tokenizer: "gpt2", special: false, known: "", colorBy: "alternate", merges: null, ...change };
  const needs = { merges: false };
  const requests = [];
  const heard = [];
  /** When the server has counted a long text. */
  const counting = { done: Promise.resolve() };
  const lengths = (text) => Int32Array.from([...text], bytesIn);
  const client = {
    async tokensAndMore({ counts, pretokens, merges, ...question }) {
      const tokens = await client.tokenize(question, counts);
      return { tokens, pretokens: pretokens ? await client.pretokens(question) : null, seek: merges ? await client.seek(question) : null };
    },
    /** A tokenizer whose only merge joins the first two characters. */
    async seek({ text, tokenizer }) {
      requests.push(`merges by ${tokenizer}`);
      if (tokenizer === "bert") return { refusal: "It has none." };
      const symbol_lengths = lengths(text);
      const removed_at = symbol_lengths.map((_, i) => (i === 1 ? 0 : 1));
      const [ranks, known, new_ids] = [[4], [5], [9]].map((column) => Int32Array.from(column));
      const special = new Uint8Array(text.length);
      return { columns: { symbols: symbol_lengths, symbol_lengths, special, removed_at, ranks, known, new_ids, meta: { merges: 10, units: "bytes" } } };
    },
    async tokenize({ text, tokenizer, ranks: withRanks }, withCounts) {
      requests.push(`tokens${withCounts ? " and counts" : ""}${withRanks ? " and ranks" : ""}`);
      if (withCounts && text === LONG) await counting.done;
      const byte_lengths = lengths(text);
      const counts = withCounts ? { characters: text.length } : {};
      const ranks = withRanks ? { ranks: byte_lengths.map((_, i) => i - 1) } : {};
      return { ids: byte_lengths, byte_lengths, special: new Uint8Array(byte_lengths.length), ...ranks, meta: { tokenizer, ...counts } };
    },
    async pretokens({ text, tokenizer }) {
      requests.push(`pretokens by ${tokenizer}`);
      return { byte_lengths: Int32Array.of(bytesIn(text)), branches: Uint8Array.of(0), meta: { branches: ["letters"] } };
    },
  };
  const sources = { client, settings, editor: { reading: () => shown }, needsMerges: () => needs.merges, alternation: () => null };
  const answers = new Answers(sources, {
    pretokens: () => heard.push("pretokens"),
    ranks: () => heard.push("ranks"),
    counts: ({ characters }) => heard.push(["characters", characters]),
    refusal: (message) => heard.push(message),
    connection: (connection) => heard.push(connection),
  });
  return { shown, settings, needs, requests, heard, counting, answers };
}

test("a short text is counted with its tokens, a long one in a pause", async () => {
  const { answers, shown, requests, heard } = page();
  const short = await answers.ask();
  mock.timers.tick(PAUSE);
  assert.deepEqual([requests.splice(0), short?.meta.characters], [["tokens and counts"], 2]);
  shown.text = LONG;
  const long = await answers.ask();
  assert.deepEqual([requests, long?.text, long?.meta.characters], [["tokens"], LONG, undefined]);
  mock.timers.tick(PAUSE);
  await settled();
  assert.deepEqual([requests, heard], [["tokens", "tokens and counts"], [["characters", LONG.length]]]);
});

test("late counts of a text that has changed are dropped", async () => {
  const { answers, shown, heard, requests, counting } = page();
  let finish = () => {};
  counting.done = new Promise((resolve) => (finish = resolve));
  shown.text = LONG;
  await answers.ask();
  mock.timers.tick(PAUSE);
  shown.text = "short";
  await answers.ask();
  finish();
  await settled();
  assert.deepEqual([requests, heard], [["tokens", "tokens and counts", "tokens and counts"], []]);
});

test("tokens of a text that has changed meanwhile are dropped", async () => {
  const { answers, shown } = page();
  const first = answers.ask();
  shown.text = "hi!";
  const second = answers.ask();
  assert.deepEqual([await first, (await second)?.text, answers.model?.text], [null, "hi!", "hi!"]);
});

test("tokens are current until the editor's text is another", async () => {
  const { answers, shown } = page();
  assert.equal(answers.current, null);
  answers.ask();
  await settled();
  assert.equal(answers.current, answers.model);
  shown.text = "hi!";
  assert.equal(answers.current, null);
  assert.equal(answers.model?.text, "hi");
});

test("pre-tokens come with the tokens where they are the color, and otherwise when asked for", async () => {
  const colored = page({ colorBy: "pretoken" });
  colored.answers.ask();
  await settled();
  assert.deepEqual(colored.requests, ["tokens and counts", "pretokens by gpt2"]);
  assert.deepEqual([...(colored.answers.pretokens?.index ?? [])], [0, 0]);
  const plain = page();
  plain.answers.ask();
  await settled();
  assert.equal(plain.answers.pretokens, null);
  plain.answers.askPretokens();
  await settled();
  assert.equal(plain.answers.pretokens?.at(1).text, "hi");
  assert.equal(plain.heard.at(-1), "pretokens");
});

test("ranks come with the tokens where they are the color, whatever the tokenizer, and otherwise when asked for", async () => {
  const colored = page({ colorBy: "rank", tokenizer: "qwen3" });
  await colored.answers.ask();
  assert.deepEqual([colored.requests, [...(colored.answers.model?.ranks ?? [])]], [["tokens and counts and ranks"], [-1, 0]]);
  const { answers, requests, heard, shown } = page();
  await answers.ask();
  assert.deepEqual([answers.model?.ranks, heard], [null, []]);
  await answers.askRanks();
  assert.deepEqual([requests, [...(answers.model?.ranks ?? [])], heard], [["tokens and counts", "tokens and ranks"], [-1, 0], ["ranks"]]);
  shown.text = "how";
  await answers.askRanks();
  assert.deepEqual([answers.model?.ranks?.length, heard], [2, ["ranks"]]); // not those of the tokens shown
});

test("pre-tokens of another text or tokenizer, or with special tokens, are dropped, and new tokens have none yet", async () => {
  const { answers, settings, shown, heard } = page();
  answers.ask();
  await settled();
  for (const other of [{ text: "ho" }, { tokenizer: "cl100k_base" }, { special: true }]) {
    answers.askPretokens({ ...answers.question(), ...other });
    await settled();
    assert.equal(answers.pretokens, null);
  }
  answers.askPretokens();
  await settled();
  assert.notEqual(answers.pretokens, null);
  Object.assign(settings, { tokenizer: "cl100k_base" });
  Object.assign(shown, { text: "other" });
  answers.ask();
  await settled();
  assert.equal(answers.pretokens, null);
  assert.equal(heard.filter((what) => what === "pretokens").length, 1);
});

test("only the tokenizer over words is sent the text of its vocabulary", () => {
  const { answers, settings } = page({ known: "a b" });
  assert.deepEqual(answers.question(), { text: "hi", tokenizer: "gpt2", special: false });
  settings.tokenizer = "words";
  assert.deepEqual(answers.question(), { text: "hi", tokenizer: "words", special: false, known: "a b" });
  settings.known = "";
  assert.deepEqual(answers.question(), { text: "hi", tokenizer: "words", special: false });
});

test("merges are asked for only where they are needed, and then with the tokens", async () => {
  const { answers, needs, requests, shown } = page();
  await answers.ask();
  assert.deepEqual([requests.splice(0), answers.seeking], [["tokens and counts"], null]);
  needs.merges = true;
  shown.text = "ho";
  await answers.ask();
  assert.deepEqual(requests, ["tokens and counts", "merges by gpt2"]);
  assert.equal(answers.seeking?.seek.merges, 10);
});

test("the tokens shown are those with the merges that are known, while the text is typed", async () => {
  const { answers, needs, settings, shown } = page({ merges: 4 });
  needs.merges = true;
  await answers.ask();
  assert.notEqual(answers.model, answers.full);
  assert.equal(answers.current, answers.model);
  shown.text = "how";
  await answers.ask();
  assert.deepEqual([answers.model?.text, answers.model?.n], ["how", 3]);
  assert.equal(answers.know(3), false, "the same tokens");
  assert.equal(answers.know(5), true);
  assert.equal(answers.model, answers.full);
  settings.merges = null;
  assert.equal(answers.know(null), false);
});

test("merges that are asked for later, or refused", async () => {
  const { answers, settings } = page({ merges: 0 });
  await answers.ask();
  assert.equal(answers.model, answers.full);
  assert.equal(await answers.askMerges(), true);
  assert.notEqual(answers.model, answers.full);
  settings.tokenizer = "bert";
  await answers.ask();
  await answers.askMerges();
  assert.deepEqual([answers.refusal, answers.seeking, answers.model], ["It has none.", null, answers.full]);
});

test("pre-tokens are those of the tokens shown", async () => {
  const { answers, needs } = page({ colorBy: "pretoken", merges: 0 });
  needs.merges = true;
  await answers.ask();
  assert.deepEqual([answers.pretokens?.index.length, answers.model?.n], [2, 2]);
});
