import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { createClient, latest, Refusal, sentenceOf } from "../../tokviz/widgets/shared/client.js";

/** Longer than the page waits before it asks again. */
const LATER = 2000;

const client = createClient("/");

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  globalThis.window = new EventTarget();
});

/** The server answers with these, one after the other; the last again and again. @param {Response[]} responses */
function answering(...responses) {
  globalThis.fetch = async () => (responses.length > 1 ? responses.shift() : responses[0]).clone();
}

const busy = () => Response.json({ error: "Too much to do." }, { status: 503 });
const gateway = () => new Response("<h1>Service Unavailable</h1>", { status: 503 });
const found = () => Response.json({ text: "found" });

/** Let all that is due happen. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** What `latest` reports of a question. */
async function reported() {
  const seen = [];
  const asking = latest(() => client.sample("start"), {
    answer: ({ text }) => seen.push(text),
    refusal: (message) => seen.push(`refused: ${message}`),
    connection: (connection) => seen.push(connection),
  });
  asking.ask({ text: "any" });
  await settled();
  mock.timers.tick(LATER);
  await settled();
  asking.dispose();
  return seen;
}

test("a busy server is asked again, and the page does not say that it can't be reached", async () => {
  answering(busy(), found());
  assert.deepEqual(await reported(), ["slow", "connected", "found"]);
});

test("a gateway without a server is asked again", async () => {
  answering(gateway(), found());
  assert.deepEqual(await reported(), ["lost", "connected", "found"]);
});

test("a refusal is said, and not asked again", async () => {
  answering(Response.json({ error: "Too long." }, { status: 413 }), found());
  assert.deepEqual(await reported(), ["refused: Too long."]);
});

test("where something is asked once, the server's own words say that it is busy", async () => {
  answering(busy());
  const error = await client.sample("start").catch((error) => error);
  assert.equal(sentenceOf(error), "Too much to do.");
});

/** Questions whose answers come when the test says so, and what `latest` makes of them. */
function held() {
  const asked = [];
  const seen = [];
  const send = (question, signal) => {
    const { promise, resolve, reject } = Promise.withResolvers();
    signal.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError")));
    asked.push({ text: question.text, answer: resolve, fail: reject, signal });
    return promise;
  };
  const asking = latest(send, {
    answer: (answer, { text }) => seen.push(`${text}: ${answer}`),
    refusal: (message) => seen.push(message),
    connection: (connection) => seen.push(connection),
  });
  return { asked, seen, asking, texts: () => asked.map(({ text }) => text) };
}

test("while an answer is awaited the newest question waits, and an older answer is dropped", async () => {
  const { asked, seen, asking, texts } = held();
  for (const text of ["a", "ab", "abc"]) asking.ask({ text });
  assert.deepEqual(texts(), ["a"]);
  asked[0].answer("old");
  await settled();
  assert.deepEqual([texts(), seen], [["a", "abc"], []]);
  asked[1].answer("new");
  await settled();
  assert.deepEqual([texts(), seen], [["a", "abc"], ["abc: new"]]);
  asking.dispose();
});

test("what an older question is refused with is dropped as well", async () => {
  const { asked, seen, asking } = held();
  asking.ask({ text: "a" });
  asking.ask({ text: "ab" });
  asked[0].fail(new Refusal("Too long."));
  await settled();
  asked[1].answer("new");
  await settled();
  assert.deepEqual(seen, ["ab: new"]);
  asking.dispose();
});

test("where the question is taken back, nothing is lost, and the next one is asked at once", async () => {
  const { asked, seen, asking, texts } = held();
  asking.ask({ text: "a" });
  asking.drop();
  await settled();
  assert.equal(asked[0].signal.aborted, true);
  mock.timers.tick(LATER);
  await settled();
  assert.deepEqual([texts(), seen], [["a"], []]);
  asking.ask({ text: "b" });
  assert.deepEqual(texts(), ["a", "b"]);
  asked[1].answer("new");
  await settled();
  assert.deepEqual(seen, ["b: new"]);
  asking.dispose();
});

test("a request that was aborted says nothing, although the next one is under way", async () => {
  const { asked, seen, asking, texts } = held();
  asking.ask({ text: "a" });
  asking.drop();
  asking.ask({ text: "b" });
  await settled();
  mock.timers.tick(LATER / 2);
  assert.deepEqual(texts(), ["a", "b"]);
  asked[1].answer("new");
  await settled();
  assert.deepEqual(seen, ["slow", "connected", "b: new"]);
  asking.dispose();
});

test("a question that could not be put is put again with the newest text, once for all key presses", async () => {
  const { asked, seen, asking, texts } = held();
  asking.ask({ text: "a" });
  asked[0].fail(new TypeError("no network"));
  await settled();
  for (const text of ["ab", "abc"]) asking.ask({ text });
  assert.deepEqual([texts(), seen], [["a"], ["lost"]]);
  mock.timers.tick(LATER);
  await settled();
  assert.deepEqual(texts(), ["a", "abc"]);
  asking.dispose();
});

test("where the line comes back the question is put at once", async () => {
  const { asked, asking, texts } = held();
  asking.ask({ text: "a" });
  asked[0].fail(new TypeError("no network"));
  await settled();
  window.dispatchEvent(new Event("online"));
  assert.deepEqual(texts(), ["a", "a"]);
  asking.dispose();
});

test("a request that stays silent is given up, later for a longer text", async () => {
  const { asked, asking } = held();
  asking.ask({ text: "x".repeat(2_000_000) });
  mock.timers.tick(100_000);
  assert.equal(asked[0].signal.aborted, false);
  mock.timers.tick(20_000);
  assert.equal(asked[0].signal.aborted, true);
  asking.dispose();
});

test("a widget that is gone hears nothing and asks nothing", async () => {
  const { asked, seen, asking, texts } = held();
  asking.ask({ text: "a" });
  asking.dispose();
  asked[0].answer("late");
  await settled();
  window.dispatchEvent(new Event("online"));
  mock.timers.tick(LATER);
  assert.deepEqual([texts(), seen], [["a"], []]);
});
