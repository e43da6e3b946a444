import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { createMemory, recall } from "../../tokviz/widgets/shared/page/memory.js";
import { createStore } from "../../tokviz/widgets/shared/page/store.js";

const NAMES = [{ name: "cl100k_base" }, { name: "gpt2" }];
/** Longer than a widget's delay before it saves settings or reports them to the session. */
const LATER = 1000;

/** Mock of the browser's storage of a tab. */
function storage() {
  const kept = new Map();
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  };
}

beforeEach(() => {
  globalThis.sessionStorage = storage();
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
});

/** Mock widget, which starts with the remembered settings and remembers changes. */
function widget({ session = null, page = {}, text = "" } = {}) {
  const store = createStore("/");
  const stored = store.read();
  const settings = Object.assign(recall(session, stored, NAMES), page);
  const told = [];
  const on = { text: (value) => told.push(value), state: (value) => told.push(value) };
  const shown = { text };
  return { stored, settings, told, shown, memory: createMemory(settings, () => shown.text, store, on) };
}

test("a page's own settings survive an immediate change of page, and the next page's settings", () => {
  const replay = widget({ page: { replay: { step: 0 } } });
  replay.memory.settingsChanged({});
  mock.timers.tick(LATER);
  replay.settings.replay.step = 2;
  replay.memory.settingsChanged({});
  // The next page starts before the settings are saved, while the player still exists.
  const tokens = widget();
  replay.memory.dispose();
  tokens.settings.more = true;
  tokens.memory.settingsChanged({ more: true });
  mock.timers.tick(LATER);
  const again = widget();
  assert.deepEqual(again.stored.replay, { step: 2 });
  assert.equal(again.settings.more, true);
});

test("the next page starts with a text typed just before", () => {
  const first = widget({ text: "typed last" });
  first.memory.textChanged();
  const next = widget({ session: { text: "typed before" } });
  assert.equal(next.stored.text, "typed last");
  assert.equal(next.stored.unsent, true);
});

test("a page's own settings don't affect other pages", () => {
  widget({ page: { compare: { view: "sides" } } }).memory.settingsChanged({});
  mock.timers.tick(LATER);
  assert.equal("compare" in widget().settings, false);
});

test("a text is sent to the session once, when typing pauses", () => {
  const { memory, shown, told } = widget();
  for (const typed of ["a", "ab", "abc"]) {
    shown.text = typed;
    memory.textChanged();
  }
  assert.deepEqual(told, []);
  mock.timers.tick(LATER);
  assert.deepEqual(told, ["abc"]);
  memory.leave();
  assert.deepEqual(told, ["abc"]);
});

test("a text of over a million characters is sent when the reader leaves, not when typing pauses", () => {
  const { memory, shown, told } = widget();
  const typed = ["a".repeat(1_000_000), "a".repeat(1_000_001)];
  for (const text of typed) {
    shown.text = text;
    memory.textChanged();
    mock.timers.tick(LATER);
  }
  assert.deepEqual(told.map((text) => text.length), [1_000_000]);
  const next = widget({ session: { text: typed[0] } }); // the tab has it before the session
  assert.deepEqual([next.stored.text.length, next.stored.unsent], [1_000_001, true]);
  memory.leave();
  memory.leave();
  assert.deepEqual(told.map((text) => text.length), [1_000_000, 1_000_001]);
});

test("a long text typed while a shorter one waits to be sent is sent for it when the reader leaves", () => {
  const { memory, shown, told } = widget();
  shown.text = "short";
  memory.textChanged();
  shown.text = "a".repeat(1_000_001);
  memory.textChanged();
  mock.timers.tick(LATER);
  assert.deepEqual(told, []);
  memory.leave();
  assert.deepEqual(told.map((text) => text.length), [1_000_001]);
});

test("the session's text takes precedence, except over a text not yet sent to it", () => {
  const stored = { text: "old", source: "old", tokenizer: "gpt2" };
  assert.equal(recall({ text: "new" }, stored, NAMES).source, "new");
  assert.equal(recall({ text: "old" }, { ...stored, lang: "ja" }, NAMES).lang, "ja");
  assert.equal(recall({ text: "new" }, { ...stored, lang: "ja" }, NAMES).lang, "");
  const unsent = recall({ text: "new", tokenizer: "cl100k_base" }, { ...stored, unsent: true }, NAMES);
  assert.deepEqual([unsent.source, unsent.tokenizer], ["old", "gpt2"]);
});

test("a missing tokenizer is replaced by the first", () => {
  assert.equal(recall(null, { tokenizer: "gone" }, NAMES).tokenizer, "cl100k_base");
});

test("a page's initial text is not remembered as the reader's", () => {
  const { memory, settings, told } = widget({ text: "an example of the page's own" });
  settings.marks = false;
  memory.settingsChanged({});
  memory.leave();
  assert.deepEqual(told, []);
  const { stored } = widget();
  assert.deepEqual([stored.text, stored.source, stored.marks], [null, null, false]);
});

test("a text known only to the session survives the session, including line ends", () => {
  const text = "one\r\ntwo";
  const { memory, settings } = widget({ session: { text }, text });
  assert.deepEqual([settings.source, settings.escapes], ["one\\r\ntwo", true]);
  memory.settingsChanged({});
  memory.leave();
  const next = widget();
  assert.deepEqual([next.stored.text, next.settings.source, next.settings.escapes], [text, "one\\r\ntwo", true]);
});

test("a widget that is gone sends nothing any more, and leaves its text to the next page", () => {
  const { memory, shown, told } = widget();
  shown.text = "typed last";
  memory.textChanged();
  memory.dispose();
  mock.timers.tick(LATER);
  assert.deepEqual(told, []);
  const { stored } = widget();
  assert.deepEqual([stored.text, stored.unsent], ["typed last", true]);
});

test("a text that could not be sent to the session is kept for the next page", () => {
  const store = createStore("/");
  const memory = createMemory(recall(null, null, NAMES), () => "typed last", store, { text: () => false, state() {} });
  memory.textChanged();
  memory.leave();
  assert.equal(store.read().unsent, true);
});

test("a tokenizer's new id replaces the old one in all settings of a page", () => {
  const compare = { tokenizers: ["gpt2", "old"], textTokenizer: "old", view: "aligned", prices: {} };
  const page = widget({ page: { tokenizer: "old", compare } });
  page.memory.renamed("old", "new");
  mock.timers.tick(LATER);
  assert.deepEqual(page.settings.compare, { ...compare, tokenizers: ["gpt2", "new"], textTokenizer: "new" });
  assert.equal(page.told.at(-1).tokenizer, "new");
  assert.deepEqual(widget().stored.compare.tokenizers, ["gpt2", "new"]);
});

test("a page that is gone no longer writes to the store, whatever comes late", () => {
  const page = widget({ text: "old" });
  page.memory.dispose();
  const store = createStore("/");
  store.write({ ...store.read(), tokenizer: "gpt2" });
  page.memory.settingsChanged({ tokenizer: "cl100k_base" });
  page.memory.textChanged();
  page.memory.leave();
  mock.timers.tick(LATER);
  assert.deepEqual([page.told, store.read()], [[], { tokenizer: "gpt2" }]);
});
