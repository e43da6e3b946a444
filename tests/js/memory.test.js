import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { createMemory, recall } from "../../tokviz/widgets/shared/page/memory.js";
import { createStore } from "../../tokviz/widgets/shared/page/store.js";

const NAMES = [{ name: "cl100k_base" }, { name: "gpt2" }];
/** Longer than a widget's delay before it saves settings. */
const LATER = 1000;

/** Mock of the browser's storage of a tab. */
function storage() {
  const kept = new Map();
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem(key, value) {
      if (value.length > 5_000_000) throw new Error("QuotaExceededError");
      kept.set(key, value);
    },
    removeItem: (key) => void kept.delete(key),
  };
}

beforeEach(() => {
  globalThis.sessionStorage = storage();
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
});

/** Mock widget, which starts with the remembered settings and remembers changes. */
function widget(page = {}) {
  const store = createStore("/");
  const stored = store.read();
  const settings = Object.assign(recall(stored, NAMES), page);
  return { stored, settings, memory: createMemory(settings, store) };
}

test("a page's own settings survive an immediate change of page, and the next page's settings", () => {
  const replay = widget({ replay: { step: 0 } });
  replay.memory.save();
  mock.timers.tick(LATER);
  replay.settings.replay.step = 2;
  replay.memory.save();
  replay.memory.dispose(); // before the settings are saved
  const tokens = widget();
  tokens.settings.more = true;
  tokens.memory.save();
  mock.timers.tick(LATER);
  const again = widget();
  assert.deepEqual(again.stored.replay, { step: 2 });
  assert.equal(again.settings.more, true);
});

test("the next page starts with a text typed just before, of whatever length", () => {
  for (const source of ["typed last", "a".repeat(6_000_000)]) {
    const page = widget();
    page.settings.source = source;
    page.memory.save();
    page.memory.dispose();
    assert.equal(widget().settings.source, source);
  }
  createStore("/").write({}); // what does not fit is kept with the document
});

test("a page's own settings don't affect other pages", () => {
  widget({ compare: { view: "sides" } }).memory.save();
  mock.timers.tick(LATER);
  assert.equal("compare" in widget().settings, false);
});

test("a missing tokenizer is replaced by the first", () => {
  assert.equal(recall({ tokenizer: "gone" }, NAMES).tokenizer, "cl100k_base");
});

test("a tokenizer's new id replaces the old one in all settings of a page", () => {
  const compare = { tokenizers: ["gpt2", "old"], textTokenizer: "old", view: "aligned", prices: {} };
  const page = widget({ tokenizer: "old", compare });
  page.memory.renamed("old", "new");
  mock.timers.tick(LATER);
  assert.deepEqual(page.settings.compare, { ...compare, tokenizers: ["gpt2", "new"], textTokenizer: "new" });
  const { stored } = widget();
  assert.deepEqual([stored.compare.tokenizers, stored.tokenizer], [["gpt2", "new"], "new"]);
});

test("a page that is gone no longer writes to the store, whatever comes late", () => {
  const page = widget();
  page.memory.dispose();
  const store = createStore("/");
  store.write({ ...store.read(), tokenizer: "gpt2" });
  page.settings.tokenizer = "cl100k_base";
  page.memory.save();
  page.memory.leave();
  mock.timers.tick(LATER);
  assert.deepEqual(store.read(), { tokenizer: "gpt2" });
});
