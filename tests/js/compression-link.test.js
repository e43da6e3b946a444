// The address of the Compression page, and what its links bring.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { choicesOf, FIRST, linkContent, queryOf, sayMissing } from "../../tokviz/widgets/compression/link.js";
import { withNewest } from "../../tokviz/widgets/shared/net/madetokenizers.js";

const offer = (/** @type {string} */ name, /** @type {string} */ label, /** @type {string | null} */ recipe = null) => ({ name, label, recipe });
const MINE = offer("mine", "trained on “Code” (2)", "recipe");
const tokenizers = [
  offer("cl100k_base", "cl100k (GPT-4, GPT-3.5)"), offer("o200k_base", "o200k (GPT-4o)"), offer("gpt2", "GPT-2"),
  offer("bytes", "Bytes"), MINE,
];
const questions = ["Merges", "Vocabulary size", "This text", "Languages", "Formats", "Vocabulary", "Token use"].map((name) => ({ name }));
const offered = { tokenizers, questions };

/** Tokenizers, and how many merges one of them knows. @param {string[]} tokenizers */
const knowing = (tokenizers, merges = null, handle = "") => ({ question: "This text", tokenizers, merges, handle });

/** @param {string} search @param {Record<string, string> | null} [fields] @param {any} [stored] */
const choices = (search, fields = null, stored) => choicesOf({ search, fields }, stored, offered);

test("the address has only what differs from what the page begins with", () => {
  assert.equal(queryOf("?chart=Formats&tokenizers=Bytes", FIRST, tokenizers), "");
  assert.equal(queryOf("", { ...FIRST, tokenizers: [...FIRST.tokenizers].reverse() }, tokenizers), "");
});

test("it is written as in links made before, and other parameters stay", () => {
  const chosen = { question: "This text", tokenizers: ["gpt2", "mine"], options: {} };
  assert.equal(queryOf("", chosen, tokenizers), "?chart=This+text&tokenizers=GPT-2&tokenizers=trained+on+%E2%80%9CCode%E2%80%9D+%282%29");
  assert.equal(queryOf("?embed=true&chart=x", { ...FIRST, question: "Formats" }, tokenizers), "?embed=true&chart=Formats");
  assert.equal(queryOf("", { ...FIRST, tokenizers: ["gpt2"] }, tokenizers), "?chart=Languages&tokenizers=GPT-2"); // without a question it would be Merges
  assert.equal(queryOf("?tokenizers=GPT-2", { ...FIRST, tokenizers: [] }, tokenizers), "?chart=Languages&tokenizers=");
});

test("the reader's own tokenizer that is chosen on other pages is added once, and not to a link's", () => {
  assert.deepEqual(withNewest(FIRST, "mine", tokenizers, false).tokenizers, [...FIRST.tokenizers, "mine"]);
  const left = { ...FIRST, newest: "mine" };
  assert.equal(withNewest(left, "mine", tokenizers, false), left);
  assert.equal(withNewest(FIRST, "bytes", tokenizers, false), FIRST);
  assert.deepEqual(withNewest(FIRST, "mine", tokenizers, true), { ...FIRST, newest: "mine" });
});

test("what the address writes is read again", () => {
  for (const question of questions.map(({ name }) => name)) {
    for (const names of [["bytes"], ["cl100k_base", "mine"], ["cl100k_base", "o200k_base", "gpt2", "bytes"]]) {
      const found = choices(queryOf("", { question, tokenizers: names, options: {} }, tokenizers));
      assert.deepEqual([found.choices.question, found.choices.tokenizers, found.missing], [question, names, []]);
    }
  }
});

test("the page returns to the choices of the tab, and a link means those that the page begins with where it names none", () => {
  const stored = { question: "Formats", tokenizers: ["bytes"], options: { width: 7 }, merges: 300, handle: "bytes" };
  const { options } = stored;
  const all = { merges: null, handle: "" };
  const first = ["cl100k_base", "o200k_base", "gpt2"];
  assert.deepEqual(choices("?embed=true", null, stored), { choices: stored, missing: [] });
  assert.deepEqual(choices("?chart=This+text", null, stored).choices, { question: "This text", tokenizers: first, options, ...all });
  assert.deepEqual(choices("", { text: "abc" }, stored).choices, { question: "Merges", tokenizers: first, options, ...all });
  assert.deepEqual(choices("", null, { tokenizers: ["forgotten"] }).choices.tokenizers, first);
});

test("of what a link names, that which is not here is left out and named", () => {
  const { choices: found, missing } = choices("?tokenizers=GPT-2&tokenizers=llama3");
  assert.deepEqual([found.tokenizers, missing], [["gpt2"], ["llama3"]]);
  assert.deepEqual(choices("?chart=none&tokenizers=gone").choices, { ...FIRST, question: "Merges", tokenizers: ["cl100k_base", "o200k_base", "gpt2"] });
  assert.equal(choices("?tokenizers=GPT-2").choices.question, "Merges"); // as in links made before there were names
  assert.equal(choices("").choices.question, "Languages");
  assert.equal(sayMissing([]), "");
  assert.match(sayMissing(["a", "b"]), /tokenizers that aren't here: “a”, “b”\./);
});

test("the fragment's choice, which may be of the reader's own tokenizers, goes before the query's", () => {
  const { choices: found, missing } = choices("?chart=This+text&tokenizers=GPT-2", { chosen: "bytes.mine.none-such" });
  assert.deepEqual([found.question, found.tokenizers, missing], ["This text", ["bytes", "mine"], ["none-such"]]);
});

const MADE_BEFORE = JSON.parse(readFileSync(new URL("../data/made_before/compression_links.json", import.meta.url), "utf-8"));

for (const made of MADE_BEFORE) {
  test(`a link made before opens the same: ${made.question}, ${made.tokenizers}`, () => {
    const { search, hash } = new URL(made.link);
    const fields = Object.fromEntries(new URLSearchParams(hash.slice(1)));
    const own = offer((fields.made ?? "").split(".")[0] || "other", "trained on “Code”", "recipe");
    const here = { tokenizers: [...tokenizers.slice(0, -1), offer("code-points", "Code points"), offer("p50k_edit", "p50k edit"), own], questions };
    for (const { choices, missing } of [
      choicesOf({ search, fields }, undefined, here),
      ...(made.address ? [choicesOf({ search: `?${made.address}`, fields: null }, undefined, here)] : []), // the address itself, reloaded
    ]) {
      assert.equal(choices.question, made.question);
      const labels = choices.tokenizers.map((name) => here.tokenizers.find((each) => each.name === name)?.label.split(" (")[0]);
      assert.deepEqual(labels.sort(), [...made.tokenizers].sort());
      assert.deepEqual(missing, []);
    }
  });
}

test("a link names published tokenizers in its query, which the page has already", () => {
  assert.deepEqual(linkContent(knowing(["gpt2"]), tokenizers, "", "a text"), { fields: {}, text: "a text", query: { chart: "This text" } });
});

test("a link names an example instead of holding its text", () => {
  assert.deepEqual(linkContent(knowing(["gpt2"]), tokenizers, "prose-ja", "a text"), { fields: { sample: "prose-ja" }, text: null, query: { chart: "This text" } });
});

test("with a user-made tokenizer, a link names all of them in its fragment instead", () => {
  const shown = linkContent(knowing(["gpt2", "mine"]), tokenizers, "", "a text");
  assert.deepEqual(shown.own, [MINE]);
  assert.deepEqual(shown.query, { chart: "This text", tokenizers: null }); // removed from the address
  assert.deepEqual([shown.fields, shown.text], [{ chosen: "gpt2.mine" }, "a text"]);
});

test("how many merges are known comes back from the link, with the tokenizer", () => {
  for (const [merges, handle] of [[0, "gpt2"], [3782, ""]]) {
    const { fields } = linkContent(knowing(["cl100k_base", "gpt2"], merges, handle), tokenizers, "", "a text");
    const { choices: found } = choices("", fields);
    assert.deepEqual([found.merges, found.handle], [merges, handle]);
  }
  assert.equal(choices("", { merges: "many" }).choices.merges, null);
});
