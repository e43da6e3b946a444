import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { beforeEach, mock, test } from "node:test";

import { Client, Refusal } from "../../tokviz/widgets/shared/net/client.js";
import { Latest } from "../../tokviz/widgets/shared/net/latest.js";

/** Longer than the page's retry delay. */
const LATER = 2000;

const client = new Client("/");

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  globalThis.window = new EventTarget();
});

/** Mock `fetch` with these responses in order; the last is repeated. @param {Response[]} responses */
function answering(...responses) {
  globalThis.fetch = async () => (responses.length > 1 ? responses.shift() : responses[0]).clone();
}

const busy = () => Response.json({ error: "Too much to do." }, { status: 503 });
const gateway = () => new Response("<h1>Service Unavailable</h1>", { status: 503 });
const found = () => Response.json({ text: "found" });

/** Let pending tasks run. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Collect what `Latest` reports about a request. */
async function reported() {
  const seen = [];
  const asking = new Latest(() => client.sample("start"), {
    refusal: (message) => seen.push(`refused: ${message}`),
    connection: (connection) => seen.push(connection),
  });
  void asking.ask({ text: "any" }).then((answer) => answer && seen.push(answer.text));
  await settled();
  mock.timers.tick(LATER);
  await settled();
  asking.dispose();
  return seen;
}

test("a request to a busy server is retried, without a report of a lost connection", async () => {
  answering(busy(), found());
  assert.deepEqual(await reported(), ["slow", "connected", "found"]);
});

test("a request is retried when the gateway has no server", async () => {
  answering(gateway(), found());
  assert.deepEqual(await reported(), ["lost", "connected", "found"]);
});

test("a refusal is reported and not retried", async () => {
  answering(Response.json({ error: "Too long." }, { status: 413 }), found());
  assert.deepEqual(await reported(), ["refused: Too long."]);
});

/** Requests that the test answers by hand, and what `Latest` reports about them. */
function held() {
  const asked = [];
  const seen = [];
  const send = (question, signal) => {
    return new Promise((resolve, reject) => {
      signal.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError")));
      asked.push({ text: question.text, answer: resolve, fail: reject, signal });
    });
  };
  const latest = new Latest(send, {
    refusal: (message) => seen.push(message),
    connection: (connection) => seen.push(connection),
  });
  const ask = async ({ text }) => {
    const answer = await latest.ask({ text });
    if (answer !== null) seen.push(`${text}: ${answer}`);
  };
  const asking = { ask, drop: () => latest.drop(), dispose: () => latest.dispose() };
  return { asked, seen, latest, asking, texts: () => asked.map(({ text }) => text) };
}

test("during a request the newest one waits, and the older response is dropped", async () => {
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

test("a question that is replaced, dropped, refused or left gets null for an answer", async () => {
  const { asked, latest } = held();
  const answers = [];
  const ask = (text) => void latest.ask({ text }).then((answer) => answers.push([text, answer]));
  for (const text of ["replaced", "refused"]) ask(text);
  asked[0].answer("old");
  await settled();
  asked[1].fail(new Refusal("Too long."));
  await settled();
  ask("dropped");
  latest.drop();
  ask("left");
  latest.dispose();
  await settled();
  assert.deepEqual(answers, ["replaced", "refused", "dropped", "left"].map((text) => [text, null]));
});

test("a refusal of an older request is dropped as well", async () => {
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

test("after a request is dropped, the next one is sent at once", async () => {
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

test("dropping a request that can't be answered ends its retries and the report of a lost connection", async () => {
  const { asked, seen, asking, texts } = held();
  asking.ask({ text: "a" });
  asked[0].fail(new TypeError("no network"));
  await settled();
  asking.drop();
  mock.timers.tick(LATER);
  await settled();
  assert.deepEqual([texts(), seen], [["a"], ["lost", "connected"]]);
  asking.dispose();
});

test("an aborted request reports nothing while the next one is running", async () => {
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

test("a failed request is retried once with the newest text, whatever the number of key presses", async () => {
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

test("when the connection is back, the request is sent at once", async () => {
  const { asked, asking, texts } = held();
  asking.ask({ text: "a" });
  asked[0].fail(new TypeError("no network"));
  await settled();
  window.dispatchEvent(new Event("online"));
  assert.deepEqual(texts(), ["a", "a"]);
  asking.dispose();
});

test("a request times out, later for a longer text", async () => {
  const { asked, asking } = held();
  asking.ask({ text: "x".repeat(2_000_000) });
  mock.timers.tick(100_000);
  assert.equal(asked[0].signal.aborted, false);
  mock.timers.tick(20_000);
  assert.equal(asked[0].signal.aborted, true);
  asking.dispose();
});

test("an answered request does not time out", async () => {
  const { asked, asking } = held();
  asking.ask({ text: "a" });
  asked[0].answer("found");
  await settled();
  mock.timers.tick(100_000);
  assert.equal(asked[0].signal.aborted, false);
  asking.dispose();
});

test("a disposed widget gets no reports and sends no requests", async () => {
  const { asked, seen, asking, texts } = held();
  asking.ask({ text: "a" });
  asking.dispose();
  asked[0].answer("late");
  await settled();
  window.dispatchEvent(new Event("online"));
  mock.timers.tick(LATER);
  assert.deepEqual([texts(), seen], [["a"], []]);
  assert.deepEqual(getEventListeners(window, "online"), []);
});
