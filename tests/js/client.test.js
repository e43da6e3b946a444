import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { createClient, latest, sentenceOf } from "../../tokviz/widgets/shared/client.js";

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
