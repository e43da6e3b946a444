import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { Busy, Client, Refusal, sentenceOf } from "../../tokviz/widgets/shared/net/client.js";
import { BrokenLink, packText } from "../../tokviz/widgets/shared/net/links.js";

const client = new Client("/app/");

/** Requests sent, as `{ path, query, body }`. */
let sent = [];

/** Mock `fetch` with this response. @param {Response} response */
function answering(response) {
  globalThis.fetch = async (url, { body } = {}) => {
    const { pathname, searchParams } = new URL(url, "http://server");
    sent.push({ path: pathname, query: Object.fromEntries(searchParams), body });
    return response.clone();
  };
}

beforeEach(() => {
  sent = [];
  answering(Response.json({ text: "found" }));
});

test("a question goes to its route under the app's root", async () => {
  await client.file({ text: "hé", tokenizer: "gpt2", special: true }, { format: "csv", marks: 0 });
  assert.deepEqual(sent, [
    { path: "/app/_tokviz/export", query: { tokenizer: "gpt2", special: "1", format: "csv", marks: "0" }, body: "hé" },
  ]);
});

test("the text of a word vocabulary comes before the text, with its length in bytes", async () => {
  await client.file({ text: "a", tokenizer: "words", special: false, known: "é 🍕" }, {});
  const [{ query, body }] = sent;
  assert.deepEqual([query, body], [{ tokenizer: "words", special: "0", known: "7" }, "é 🍕a"]);
});

test("a text is not sent twice where it is that of its own vocabulary", async () => {
  await client.file({ text: "a b", tokenizer: "words", special: false, known: "a b" }, {});
  const [{ query, body }] = sent;
  assert.deepEqual([query, body], [{ tokenizer: "words", special: "0" }, "a b"]);
});

test("an empty word vocabulary is different from none", async () => {
  await client.file({ text: "a", tokenizer: "words", special: false, known: "" }, {});
  assert.equal(sent[0].query.known, "0");
});

test("two texts are sent as one, with the length of the first in bytes", async () => {
  await client.texts({ text: "né", second: "later", tokenizer: "gpt2", special: false });
  const [{ path, query, body }] = sent;
  assert.deepEqual([path, query.first, body], ["/app/_tokviz/compare/texts", "3", "nélater"]);
});

test("the text of a link is the sample that it names, or inside it", async () => {
  assert.equal(await client.linkText({ sample: "start" }), "found");
  assert.deepEqual([sent[0].path, sent[0].query], ["/app/_tokviz/sample", { name: "start" }]);
  assert.equal(await client.linkText({ text: await packText("in the link") }), "in the link");
  assert.equal(await client.linkText({ tokenizer: "gpt2" }), null);
  assert.equal(sent.length, 1);
});

/** The error of a request to a server that responds so. @param {Response} response */
function errorOf(response) {
  answering(response);
  return client.sample("start").catch((error) => error);
}

test("the server's message is for the reader", async () => {
  const refused = await errorOf(Response.json({ error: "Too long." }, { status: 413 }));
  assert.ok(refused instanceof Refusal && !(refused instanceof Busy));
  assert.equal(sentenceOf(refused), "Too long.");
  const busy = await errorOf(Response.json({ error: "Too much to do." }, { status: 503 }));
  assert.ok(busy instanceof Busy);
  assert.equal(sentenceOf(busy), "Too much to do.");
});

test("other errors are told in the page's own words", async () => {
  const lost = "Not connected: try again in a moment.";
  for (const status of [502, 503, 504]) {
    const error = await errorOf(new Response("<h1>Bad Gateway</h1>", { status }));
    assert.equal(error instanceof Refusal, false);
    assert.equal(sentenceOf(error), lost);
  }
  assert.equal(sentenceOf(new TypeError("Failed to fetch")), lost);
  assert.equal(sentenceOf(await errorOf(new Response("Error", { status: 500 }))), "The server could not work on this text.");
  assert.equal(sentenceOf(new BrokenLink("This link is damaged.")), "This link is damaged.");
});

test("a tokenizer that the server has lost is made again, and the request repeated with its new id", async () => {
  const wanted = [];
  const remaking = new Client("/app/", async (id) => (wanted.push(id), id === "lost" ? "new" : null));
  globalThis.fetch = async (url, { body } = {}) => {
    const { searchParams } = new URL(url, "http://server");
    sent.push([searchParams.get("tokenizers") ?? searchParams.get("tokenizer"), body]);
    const isKnown = !url.includes("lost");
    return Response.json(isKnown ? { stages: [] } : { error: "This tokenizer is not known here." }, { status: isKnown ? 200 : 404 });
  };
  assert.deepEqual(await remaking.json("stages", { tokenizer: "lost" }, "abc"), { stages: [] });
  assert.deepEqual([sent, wanted], [[["lost", "abc"], ["new", "abc"]], ["lost"]]);
  sent = [];
  await remaking.json("compare/explain", { tokenizers: ["gpt2", "lost"], special: false }, "abc");
  assert.deepEqual(sent.map(([names]) => names), ["gpt2,lost", "gpt2,new"]);
  await assert.rejects(client.json("stages", { tokenizer: "lost" }, "abc"), { message: "This tokenizer is not known here." });
});
