import assert from "node:assert/strict";
import test from "node:test";

import { readEscapes, readPlainly } from "../../tokviz/widgets/shared/text/escapes.js";
import { Experiments } from "../../tokviz/widgets/tokens/experiments.js";
import { tokensFrom } from "./pieces.js";

/**
 * Experiments on a text, with stand-ins for the page's parts.
 *
 * @param {string[]} tokens
 * @param {{read?: typeof readEscapes, sample?: string}} [how]
 */
function page(tokens, { read = readPlainly, sample = "" } = {}) {
  let source = tokens.join("");
  let selection = [0, 0];
  const said = [];
  const editor = {
    source: () => source,
    reading: () => read(source),
    selection: () => selection,
    replace(start, end, replacement) {
      source = source.slice(0, start) + replacement + source.slice(end);
      experiments.tokensOutdated();
    },
    select: (start, end) => (selection = [read(source).toSource(start), read(source).toSource(end)]),
  };
  const pageText = {
    sample: () => sample,
    isReachable: true,
    async loadSample(name) {
      if (!pageText.isReachable) return;
      sample = name;
      editor.replace(0, source.length, `from ${name}`);
    },
  };
  const answers = {
    model: tokens.length ? tokensFrom(tokens) : null,
    get current() {
      return this.model?.text === read(source).text ? this.model : null;
    },
  };
  const samples = [{ name: "prose-ru", title: "Russian" }, { name: "prose-hi", title: "Hindi" }];
  const shown = [];
  const experiments = new Experiments({ shell: { data: { samples } }, editor, pageText, answers }, { say: (sentence) => said.push(sentence), show: (made) => shown.push(made) });
  return {
    ...{ experiments, editor, pageText, said, on: () => shown.at(-1) },
    /** @param {string[]} tokens */
    retokenize(tokens) {
      answers.model = tokensFrom(tokens);
      experiments.tokensChanged();
    },
    last: () => said.at(-1),
  };
}

test("a change is described once its tokens are there, and only once", async () => {
  const { experiments, editor, retokenize, said, last, on } = page(["ca", "t"]);
  await experiments.flip("space");
  assert.deepEqual([editor.source(), editor.selection(), on()], [" cat", [1, 4], ["space"]]);
  assert.equal(last(), "");
  retokenize([" cat"]);
  assert.match(last(), /^“cat” was 2 tokens; with a space in front it is 1 token \(\d+\)\.$/);
  const count = said.length;
  retokenize([" cat"]);
  assert.equal(said.length, count);
});

test("another change of the text withdraws the description, and nothing is switched on any more", async () => {
  const { experiments, editor, retokenize, last, on } = page(["cat"]);
  await experiments.flip("capitals");
  assert.deepEqual(on(), ["capitals"]);
  editor.replace(0, 0, "a ");
  retokenize(["a", " Cat"]);
  assert.deepEqual([last(), on()], ["", []]);
});

test("other tokens of the same text leave switches as they are", async () => {
  const { experiments, on } = page(["cat"]);
  await experiments.flip("capitals");
  experiments.tokensOutdated();
  assert.deepEqual(on(), ["capitals"]);
});

test("switched off, a change is taken back, and what was changed after it is made again", async () => {
  const { experiments, editor, on } = page(["the", " cat"]);
  editor.select(4, 7);
  await experiments.flip("space");
  await experiments.flip("capitals");
  assert.deepEqual([editor.source(), on()], ["the  Cat", ["space", "capitals"]]);
  await experiments.flip("space");
  assert.deepEqual([editor.source(), on()], ["the Cat", ["capitals"]]);
  await experiments.flip("capitals");
  assert.deepEqual([editor.source(), editor.selection(), on()], ["the cat", [4, 7], []]);
});

test("an empty text gets a word to change, whose earlier tokens nobody knows", async () => {
  const { experiments, editor, retokenize, last } = page([]);
  await experiments.flip("capitals");
  assert.equal(editor.source(), "Hello");
  retokenize(["H", "ello"]);
  assert.equal(last(), "“Hello” is 2 tokens.");
});

test("a change of a text that is not tokenized yet is described without its earlier tokens", async () => {
  const { experiments, editor, retokenize, last } = page(["cat"]);
  editor.replace(0, 0, "a ");
  await experiments.flip("capitals");
  retokenize(["A", " cat"]);
  assert.match(last(), /^“A” is 1 token \(\d+\)\.$/);
});

test("places in a text with escapes are mapped to its source", async () => {
  const { experiments, editor } = page(["\\n", "cat"], { read: readEscapes });
  await experiments.flip("capitals");
  assert.deepEqual([editor.source(), editor.selection()], ["\\nCat", [2, 5]]);
});

test("a selection that starts with a space is described as it is", async () => {
  const { experiments, editor, last, on } = page(["a", " cat"]);
  editor.select(1, 5);
  await experiments.flip("space");
  assert.match(last(), /^“·cat” has its space already: with it, it is 1 token \(\d+\)\.$/);
  assert.deepEqual(on(), []);
});

test("where nothing can be changed, it says why, and stays off", async () => {
  const { experiments, last, editor, on } = page(["123"]);
  await experiments.flip("capitals");
  assert.equal(last(), "No letter here has a capital form.");
  await experiments.flip("language");
  assert.match(last(), /^Only a few words can be translated/);
  assert.deepEqual([editor.source(), on()], ["123", []]);
});

test("a known word is translated in place", async () => {
  const { experiments, editor } = page(["a", " cat"]);
  await experiments.flip("language");
  assert.equal(editor.source(), "a बिल्ली");
});

test("a passage is followed by its next translation, the last by the first, and comes back", async () => {
  const { experiments, pageText, retokenize, last } = page(["x"], { sample: "prose-hi" });
  await experiments.flip("language");
  retokenize(["x"]);
  assert.deepEqual([pageText.sample(), last()], ["prose-ru", "The same passage: Russian."]);
  await experiments.flip("language");
  assert.equal(pageText.sample(), "prose-hi");
  const end = page(["x"], { sample: "prose-en" });
  await end.experiments.flip("language");
  assert.equal(end.pageText.sample(), "prose-hi");
});

test("a passage that can't be loaded is not announced", async () => {
  const { experiments, pageText, said, on } = page(["x"], { sample: "prose-hi" });
  pageText.isReachable = false;
  await experiments.flip("language");
  assert.deepEqual([said, on()], [[], []]);
});

test("a passage that is taken back comes with what was changed after it, made again", async () => {
  const { experiments, editor, pageText, on } = page(["x"], { sample: "prose-hi" });
  await experiments.flip("language");
  await experiments.flip("capitals");
  assert.deepEqual([editor.source(), on()], ["From prose-ru", ["language", "capitals"]]);
  pageText.isReachable = false;
  await experiments.flip("language");
  assert.deepEqual([editor.source(), on()], ["From prose-ru", ["language", "capitals"]]);
  pageText.isReachable = true;
  await experiments.flip("language");
  assert.deepEqual([editor.source(), on()], ["From prose-hi", ["capitals"]]);
  experiments.tokensOutdated();
  assert.deepEqual(on(), ["capitals"]);
});

test("while a passage is being loaded, no other switch changes the text", async () => {
  const { experiments, editor, on } = page(["x"], { sample: "prose-hi" });
  await Promise.all([experiments.flip("language"), experiments.flip("capitals")]);
  assert.deepEqual([editor.source(), on()], ["from prose-ru", ["language"]]);
});
