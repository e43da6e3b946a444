import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { Answers } from "../../tokviz/widgets/compare/answers.js";
import { Refusal } from "../../tokviz/widgets/shared/net/client.js";
import { columnsOf } from "./comparisons.js";

/** Longer than the delay before reasons are requested. */
const LATER = 1000;

/** A text whose reasons take a request of their own. */
const LONG = "x".repeat(30_000);
const SPLIT = 2;

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  globalThis.window = new EventTarget();
});

/** Let pending tasks run. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** The answer to a question: the first token of the first tokenizer is two characters, that of the others one. */
function compare({ text, tokenizers }, reasons) {
  const cuts = tokenizers.map((_, t) => (t ? [1, 1, text.length - 2] : [2, text.length - 2]));
  return columnsOf(text, cuts, reasons ? { reasons_1: Uint8Array.of(SPLIT) } : {});
}

/**
 * Answers of a stand-in for the server.
 *
 * @param {() => Promise<any>} [reasons] what it answers when asked for reasons
 */
function asking(reasons = async () => ({ reasons_1: Uint8Array.of(SPLIT) })) {
  const question = { text: "abc", tokenizers: ["one", "other"], special: false };
  const seen = [];
  const asked = {};
  const client = {
    columns: async (route, query, text) => (route === "compare" ? compare({ ...query, text }, query.reasons) : (seen.push("reasons requested"), reasons())),
    json: async (route, query, text) => (Object.assign(asked, { route, query }), { explanations: [[`Why ${text} is cut.`]] }),
  };
  const answers = new Answers(client, () => ({ ...question }), {
    compared: ({ text }, asked, previous) => seen.push([text, previous?.text ?? null]),
    refused: (message) => seen.push(`refused: ${message}`),
    explained: ({ bits }) => seen.push([...bits]),
    unexplained: () => seen.push(answers.reasonsRefusal),
    connection: (state) => seen.push(state),
  });
  const ask = async (change) => {
    Object.assign(question, change);
    answers.ask();
    await settled();
  };
  return { answers, ask, asked, client, seen };
}

const later = async () => {
  mock.timers.tick(LATER);
  await settled();
};

test("a short text is compared with its reasons in one request", async () => {
  const { answers, ask, seen } = asking();
  await ask({ text: "abc" });
  await later();
  assert.deepEqual([...answers.comparison.bits], [SPLIT]);
  await ask({ text: "abcd" });
  await later();
  assert.deepEqual(seen, [["abc", null], ["abcd", "abc"]]);
  answers.dispose();
});

test("the reasons of a long text are requested when it has not changed for a while", async () => {
  const { answers, ask, seen } = asking();
  await ask({ text: `${LONG}a` });
  await ask({ text: `${LONG}b` });
  assert.deepEqual([...answers.comparison.bits], [0]);
  await later();
  assert.deepEqual(seen.slice(2), ["reasons requested", [SPLIT]]);
  assert.deepEqual([...answers.comparison.bits], [SPLIT]);
  answers.dispose();
});

test("reasons of an earlier text, or of other tokenizers, are dropped", async () => {
  let deliver;
  const { answers, ask, seen } = asking(() => new Promise((resolve) => (deliver = resolve)));
  await ask({ text: LONG });
  await later();
  await ask({ text: "abc" });
  const shown = seen.length;
  deliver({ reasons_1: Uint8Array.of(8) });
  await settled();
  assert.deepEqual([[...answers.comparison.bits], seen.length], [[SPLIT], shown]);
  answers.dispose();

  const other = asking(async () => ({ reasons_1: Uint8Array.of(8, 8) })); // for two differences
  await other.ask({ text: LONG });
  await later();
  assert.deepEqual([...other.answers.comparison.bits], [0]);
  other.answers.dispose();
});

test("why there are no reasons is known until the next comparison", async () => {
  const { answers, ask, seen } = asking(() => Promise.reject(new Refusal("Too long.")));
  await ask({ text: LONG });
  await later();
  assert.deepEqual(seen.slice(-2), ["reasons requested", "Too long."]);
  await ask({ text: "abc" });
  assert.equal(answers.reasonsRefusal, "");
  answers.dispose();
});

test("a refused question leaves the comparison before it", async () => {
  const { answers, ask, client, seen } = asking();
  await ask({ text: "abc" });
  client.columns = () => Promise.reject(new Refusal("Too many."));
  await ask({ text: "abcd" });
  assert.deepEqual(seen.slice(1), ["refused: Too many."]);
  assert.equal(answers.comparison.text, "abc");
  answers.dispose();
});

test("explanations are those of the comparison on screen", async () => {
  const { answers, ask, asked } = asking();
  assert.deepEqual([await answers.explain([0]), answers.recall(0)], [[], null]);
  await ask({ text: "abc" });
  assert.deepEqual(await answers.explain([0]), [["Why abc is cut."]]);
  assert.deepEqual(answers.recall(0), ["Why abc is cut."]);
  const query = { tokenizers: ["one", "other"], special: false, segments: ["0-2"], before: false, after: false }; // as bytes
  assert.deepEqual(asked, { route: "compare/explain", query });
  await ask({ text: "abcd" });
  assert.equal(answers.recall(0), null);
  answers.dispose();
});
