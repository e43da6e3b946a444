import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { PageState } from "../../tokviz/widgets/replay/state/state.js";

/** Longer than the delays before settings are saved. */
const LATER = 1000;
const TOKENIZERS = [
  { name: "characters", kind: "simple" },
  { name: "cl100k_base", kind: "bpe" },
  { name: "gpt2", kind: "bpe" },
];

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
});

/** State of a page. @param {{stored?: any, link?: Record<string, string> | null, data?: any}} [page] */
function open({ stored = null, link = null, data = { tokenizers: TOKENIZERS } } = {}) {
  const tab = { kept: stored };
  const store = { read: () => tab.kept, write: (state) => void (tab.kept = structuredClone(state)) };
  return { state: new PageState({ data, link, store }), tab };
}

test("a fresh page applies the first tokenizer with merges to the first text", () => {
  const { state } = open();
  assert.deepEqual(state.shared, { text: "I'll tokenize pizza 🍕!", tokenizer: "cl100k_base", special: false });
  assert.deepEqual([state.choices.story, state.choices.steps.apply, state.lacksTokenizer], ["apply", null, false]);
});

test("a standalone page starts with its own choices, and needs no tokenizers", () => {
  const { state } = open({ data: { start: { steps: { apply: 3, learn: 0 }, writing: "hex" } } });
  assert.deepEqual([state.bookmarks.open("apply", { steps: 9 }), state.choices.writing, state.choices.speed], [3, "hex", "1"]);
});

test("what was remembered comes before a fresh page, and a link before both", () => {
  const stored = { source: "own text", tokenizer: "gpt2", special: true, replay: { story: "learn", speed: "16", writing: "ids" } };
  const { state } = open({ stored });
  assert.deepEqual(state.shared, { text: "own text", tokenizer: "gpt2", special: true });
  assert.deepEqual([state.choices.story, state.choices.speed, state.choices.order], ["learn", "16", "rank"]);
  const linked = open({ stored, link: { story: "apply", step: "4", tokenizer: "cl100k_base" } }).state;
  assert.deepEqual(linked.shared, { text: "own text", tokenizer: "cl100k_base", special: false });
  assert.deepEqual([linked.choices.story, linked.choices.writing, linked.bookmarks.open("apply", { steps: 9 })], ["apply", "text", 4]);
  assert.equal(linked.choices.speed, "16", "a link does not set the speed");
});

test("a link to a tokenizer that is not here, or has no merges, leaves the remembered one", () => {
  for (const tokenizer of ["gone", "characters"]) {
    const { state } = open({ stored: { tokenizer: "gpt2" }, link: { tokenizer } });
    assert.deepEqual([state.shared.tokenizer, state.lacksTokenizer], ["gpt2", true]);
  }
  assert.equal(open({ link: { story: "learn" } }).state.lacksTokenizer, false);
});

test("a text written with escapes is read", () => {
  assert.equal(open({ stored: { source: "a\\r\\nb", escapes: true } }).state.shared.text, "a\r\nb");
  assert.equal(open({ stored: { source: "a\\nb", escapes: false } }).state.shared.text, "a\\nb");
});

test("an edited text is remembered, with escapes for its carriage returns", () => {
  const { state, tab } = open();
  state.setText("one\r\ntwo");
  assert.equal(state.shared.text, "one\r\ntwo");
  mock.timers.tick(LATER);
  assert.deepEqual([tab.kept.source, tab.kept.escapes], ["one\\r\ntwo", true]);
});

test("choices of this page, and a setting of all pages, are remembered", () => {
  const { state, tab } = open();
  state.choose({ speed: "4" });
  state.bookmarks.keep("apply", 2);
  state.share({ tokenizer: "gpt2" });
  mock.timers.tick(LATER);
  assert.deepEqual([tab.kept.replay.speed, tab.kept.replay.steps], ["4", { apply: 2, learn: 0 }]);
  assert.deepEqual([state.shared.tokenizer, tab.kept.tokenizer], ["gpt2", "gpt2"]);
});
