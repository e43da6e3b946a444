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
    undo: () => said.push("undone"),
  };
  const pageText = {
    sample: () => sample,
    isReachable: true,
    loadSample: async (name) => void (pageText.isReachable && (sample = name)),
  };
  const answers = {
    model: tokens.length ? tokensFrom(tokens) : null,
    get current() {
      return this.model?.text === read(source).text ? this.model : null;
    },
  };
  const samples = [{ name: "prose-ru", title: "Russian" }, { name: "prose-hi", title: "Hindi" }];
  const experiments = new Experiments({ shell: { data: { samples } }, editor, pageText, answers }, (...says) => said.push(says));
  return {
    ...{ experiments, editor, pageText, said },
    /** @param {string[]} tokens */
    retokenize(tokens) {
      answers.model = tokensFrom(tokens);
      experiments.tokensChanged();
    },
    last: () => said.at(-1),
  };
}

test("a change is described once its tokens are there, and only once", () => {
  const { experiments, editor, retokenize, said, last } = page(["ca", "t"]);
  experiments.addSpace();
  assert.deepEqual([editor.source(), editor.selection()], [" cat", [1, 4]]);
  assert.deepEqual(last(), ["", false]);
  retokenize([" cat"]);
  assert.match(last()[0], /^“cat” was 2 tokens; with a space in front it is 1 token \(\d+\)\.$/);
  assert.equal(last()[1], true);
  const count = said.length;
  retokenize([" cat"]);
  assert.equal(said.length, count);
});

test("another change of the text withdraws the description", () => {
  const { experiments, editor, retokenize, last } = page(["cat"]);
  experiments.capitalize();
  editor.replace(0, 0, "a ");
  retokenize(["a", " Cat"]);
  assert.deepEqual(last(), ["", false]);
});

test("an empty text gets a word to change, whose earlier tokens nobody knows", () => {
  const { experiments, editor, retokenize, last } = page([]);
  experiments.capitalize();
  assert.equal(editor.source(), "Hello");
  retokenize(["H", "ello"]);
  assert.deepEqual(last(), ["“Hello” is 2 tokens.", true]);
});

test("a change of a text that is not tokenized yet is described without its earlier tokens", () => {
  const { experiments, editor, retokenize, last } = page(["cat"]);
  editor.replace(0, 0, "a ");
  experiments.capitalize();
  retokenize(["A", " cat"]);
  assert.match(last()[0], /^“A” is 1 token \(\d+\)\.$/);
});

test("places in a text with escapes are mapped to its source", () => {
  const { experiments, editor } = page(["\\n", "cat"], { read: readEscapes });
  experiments.capitalize();
  assert.deepEqual([editor.source(), editor.selection()], ["\\nCat", [2, 5]]);
});

test("a selection that starts with a space is described as it is", () => {
  const { experiments, editor, last } = page(["a", " cat"]);
  editor.select(1, 5);
  experiments.addSpace();
  assert.match(last()[0], /^“·cat” has its space already: with it, it is 1 token \(\d+\)\.$/);
  assert.equal(last()[1], false);
});

test("where nothing can be changed, it says why", () => {
  const { experiments, last, editor } = page(["123"]);
  experiments.capitalize();
  assert.deepEqual(last(), ["No letter here has a capital form.", false]);
  void experiments.translate();
  assert.match(last()[0], /^Only a few words can be translated/);
  assert.equal(editor.source(), "123");
});

test("a known word is translated in place", async () => {
  const { experiments, editor } = page(["a", " cat"]);
  await experiments.translate();
  assert.equal(editor.source(), "a बिल्ली");
});

test("a passage is followed by its next translation, and the last by the first", async () => {
  const { experiments, pageText, last } = page(["x"], { sample: "prose-hi" });
  await experiments.translate();
  assert.deepEqual([pageText.sample(), last()], ["prose-ru", ["The same passage: Russian.", true]]);
  const end = page(["x"], { sample: "prose-en" });
  await end.experiments.translate();
  assert.equal(end.pageText.sample(), "prose-hi");
});

test("a passage that can't be loaded is not announced", async () => {
  const { experiments, pageText, said } = page(["x"], { sample: "prose-hi" });
  pageText.isReachable = false;
  await experiments.translate();
  assert.deepEqual(said, []);
});

test("undo takes back the change and its description", () => {
  const { experiments, said } = page(["cat"]);
  experiments.undo();
  assert.deepEqual(said, ["undone", ["", false]]);
});
