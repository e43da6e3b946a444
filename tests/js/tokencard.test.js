import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { TokenCard } from "../../tokviz/widgets/tokens/tokencard.js";
import { tokensFrom } from "./pieces.js";

/** Longer than the reader stays on a token before its details are requested. */
const WHILE = 100;

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
});

/** Wait on a token until its details are loaded. */
async function wait() {
  mock.timers.tick(WHILE);
  await new Promise((resolve) => setImmediate(resolve));
}

/** A card over stand-ins that record requests and what is drawn. @param {string} [tokenizer] */
function page(tokenizer = "gpt2") {
  const model = { ...tokensFrom(["a", "b", "a"]), meta: { tokenizer } };
  const requests = [];
  const drawn = [];
  const pointed = [];
  const answers = {
    model,
    pretokens: /** @type {any} */ ({ at: (i) => `pre-token of ${i}` }),
    question: () => ({ text: "edited since", tokenizer: "chosen since", special: true }),
    askPretokens: (question) => requests.push(question),
  };
  const client = {
    async json() {
      throw new TypeError("the server can't be reached");
    },
    async token(name, id) {
      requests.push([name, id]);
      if (id === model.ids[1]) throw new TypeError("the server can't be reached");
      return { of: id, special: true };
    },
  };
  const card = new TokenCard({ keep: (_, i, details, pretoken) => drawn.push([i, details, pretoken]), point: (_, i, details) => pointed.push([i, details]) }, client, answers);
  return { card, answers, model, requests, drawn, pointed };
}

test("a token is drawn at once, and with its details when the reader stays on it", async () => {
  const { card, model, requests, drawn } = page();
  card.keep(0);
  assert.deepEqual([requests, drawn], [[], [[0, null, "pre-token of 0"]]]);
  await wait();
  assert.deepEqual(requests, [["gpt2", model.ids[0]]]);
  assert.deepEqual(drawn[1], [0, { of: model.ids[0], special: true }, "pre-token of 0"]);
});

test("details are requested once for all tokens with an id", async () => {
  const { card, model, requests, drawn } = page();
  card.keep(0);
  await wait();
  card.keep(2);
  await wait();
  assert.equal(requests.length, 1);
  assert.deepEqual(drawn.slice(2), [[2, { of: model.ids[0], special: true }, "pre-token of 2"]]);
});

test("a token that the reader has left is not drawn again", async () => {
  const { card, requests, drawn } = page();
  card.keep(0);
  mock.timers.tick(WHILE);
  card.keep(null);
  await wait();
  assert.equal(requests.length, 1);
  assert.deepEqual(drawn, [[0, null, "pre-token of 0"], [null, null, null]]);
});

test("details that come when another token is shown do not draw it again", async () => {
  const { card, drawn } = page();
  card.keep(0);
  mock.timers.tick(WHILE);
  card.keep(1);
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(drawn, [[0, null, "pre-token of 0"], [1, null, "pre-token of 1"]]);
});

test("a token that is pointed at is in the bubble alone, and asks for no pre-tokens", async () => {
  const { card, answers, model, requests, drawn, pointed } = page();
  answers.pretokens = null;
  card.point(0);
  await wait();
  assert.deepEqual([requests, drawn], [[["gpt2", model.ids[0]]], []]);
  assert.deepEqual(pointed, [[0, null], [0, { of: model.ids[0], special: true }]]);
  assert.equal(card.isOpen, false);
});

test("a token in the drawer needs no bubble", () => {
  const { card, pointed } = page();
  card.point(0);
  card.keep(0);
  card.point(0);
  assert.deepEqual(pointed, [[0, null], [null, null], [null, null]]);
  assert.equal(card.isOpen, true);
});

test("a token set without drawing is the card's, and its details are drawn when loaded", async () => {
  const { card, drawn } = page();
  card.keep(1);
  card.set(0);
  assert.equal(drawn.length, 1);
  await wait();
  assert.equal(drawn[1][0], 0);
});

test("a failed request is repeated when the reader comes back", async () => {
  const { card, requests, drawn } = page();
  card.keep(1);
  await wait();
  assert.equal(drawn.length, 1);
  card.keep(1);
  await wait();
  assert.equal(requests.length, 2);
});

test("missing pre-tokens are asked for, those of the text on screen; words have no other details", async () => {
  const { card, answers, model, requests } = page("words");
  answers.pretokens = null;
  card.keep(0);
  await wait();
  assert.deepEqual(requests, [{ text: model.text, tokenizer: "words", special: true }]);
});

test("pre-tokens are asked for even if the other details are known", async () => {
  const { card, answers, requests } = page();
  card.keep(0);
  await wait();
  answers.pretokens = null;
  card.keep(2);
  await wait();
  assert.deepEqual(requests.length, 2);
  assert.equal(requests[1].tokenizer, "gpt2");
});

/** A card over a tokenizer that removes accents; what was done to a token names the text that was sent. */
function rewritingPage() {
  const model = { ...tokensFrom(["É", " ", "b"]), meta: { tokenizer: "bert" } };
  const asked = [];
  const drawn = [];
  const client = {
    async token(_, id) {
      return { hex: id === model.ids[0] ? "65" : "62" };
    },
    async json(route, query, text) {
      asked.push([route, query, text]);
      return { rewriting: [`removes accents of ${text}`] };
    },
  };
  const answers = { model, pretokens: { at: () => null }, question: () => ({ text: "", tokenizer: "other", special: true }), askPretokens() {} };
  const card = new TokenCard({ keep: (_, ...args) => drawn.push(args), point() {} }, /** @type {any} */ (client), /** @type {any} */ (answers));
  return { card, answers, asked, drawn };
}

test("what was done to a token's text is asked for where the token stands for other text, with the text around it", async () => {
  const { card, asked, drawn } = rewritingPage();
  card.keep(0);
  await wait();
  await wait();
  assert.deepEqual(asked, [["rewriting", { tokenizer: "bert", special: true, start: 0, end: 2 }, "É b"]]);
  assert.deepEqual(drawn.at(-1)?.[3], ["removes accents of É b"]);
  card.keep(2);
  await wait();
  card.keep(0);
  await wait();
  assert.equal(asked.length, 1); // "b" covers its own bytes, and the reason of "É" is known
});

test("what was done to a token is not said of a token of a later text", async () => {
  const { card, answers, drawn } = rewritingPage();
  card.keep(0);
  await wait();
  await wait();
  answers.model = { ...tokensFrom(["É", "É"]), meta: { tokenizer: "bert" } };
  for (const i of [1, 0]) {
    card.keep(i);
    assert.equal(drawn.at(-1)?.[3], undefined);
    await wait();
    assert.deepEqual(drawn.at(-1)?.[3], ["removes accents of ÉÉ"]);
  }
});
