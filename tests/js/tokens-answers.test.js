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
  const settings = { tokenizer: "gpt2", special: false, known: "", colorBy: "alternate", ...change };
  const requests = [];
  const heard = [];
  /** When the server has counted a long text. */
  const counting = { done: Promise.resolve() };
  const lengths = (text) => Int32Array.from([...text], bytesIn);
  const client = {
    async tokensAndPretokens({ counts, pretokens, ...question }) {
      const tokens = await client.tokenize(question, counts);
      return { tokens, pretokens: pretokens ? await client.pretokens(question) : null };
    },
    async tokenize({ text, tokenizer }, withCounts) {
      requests.push(withCounts ? "tokens and counts" : "tokens");
      if (withCounts && text === LONG) await counting.done;
      const byte_lengths = lengths(text);
      const counts = withCounts ? { characters: text.length } : {};
      return { ids: byte_lengths, byte_lengths, special: new Uint8Array(text.length), meta: { tokenizer, ...counts } };
    },
    async pretokens({ text, tokenizer }) {
      requests.push(`pretokens by ${tokenizer}`);
      return { byte_lengths: Int32Array.of(bytesIn(text)), branches: Uint8Array.of(0), meta: { branches: ["letters"] } };
    },
  };
  const answers = new Answers({ client, settings, editor: { reading: () => shown } }, {
    pretokens: () => heard.push("pretokens"),
    counts: ({ characters }) => heard.push(["characters", characters]),
    refusal: (message) => heard.push(message),
    connection: (connection) => heard.push(connection),
  });
  return { shown, settings, requests, heard, counting, answers };
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

test("pre-tokens of another text or tokenizer are dropped, and new tokens have none yet", async () => {
  const { answers, settings, shown, heard } = page();
  answers.ask();
  await settled();
  for (const other of [{ text: "ho" }, { tokenizer: "cl100k_base" }]) {
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
