import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { createStore } from "../../tokviz/widgets/shared/page/store.js";
import { madeField, ownOf } from "../../tokviz/widgets/shared/net/madetokenizers.js";

/** @type {Map<string, string>} */
let kept;

beforeEach(() => {
  kept = new Map();
  globalThis.sessionStorage = {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => {
      if (value.length > 100) throw new DOMException("full", "QuotaExceededError");
      kept.set(key, value);
    },
    removeItem: (key) => void kept.delete(key),
  };
});

test("two apps on one host have separate storage", () => {
  createStore("/one/").write({ text: "1" });
  createStore("/two/").write({ text: "2" });
  assert.deepEqual([createStore("/one/").read(), createStore("/two/").read()], [{ text: "1" }, { text: "2" }]);
});

test("missing or foreign data reads as null", () => {
  const store = createStore("/");
  assert.equal(store.read(), null);
  store.write({ text: "a" });
  for (const key of kept.keys()) kept.set(key, "{not json");
  assert.equal(store.read(), null);
});

test("if storage is full, the document keeps the data, and older data is removed, because it would be outdated", () => {
  const store = createStore("/");
  store.write({ text: "short" });
  store.write({ text: "x".repeat(200) });
  assert.deepEqual([store.read(), kept.size], [{ text: "x".repeat(200) }, 0]);
  store.write({ text: "short again" });
  assert.deepEqual([store.read(), kept.size], [{ text: "short again" }, 1]);
});

test("if storage is disabled, the document keeps the data", () => {
  Object.defineProperty(globalThis, "sessionStorage", {
    configurable: true,
    get() {
      throw new DOMException("denied", "SecurityError");
    },
  });
  const store = createStore("/");
  store.write({ text: "a" });
  assert.deepEqual(store.read(), { text: "a" });
  Object.defineProperty(globalThis, "sessionStorage", { configurable: true, writable: true, value: undefined });
});

test("recipes of trained tokenizers are added to links", () => {
  const offers = [
    { name: "gpt2", recipe: null },
    { name: "abc", recipe: "r1" },
    { name: "file", recipe: "" },
    { name: "other", recipe: "r2" },
  ];
  const own = ownOf(["gpt2", "file", "abc"], offers);
  assert.equal(madeField(own), "abc.r1.file.");
  assert.equal(madeField([]), "");
});
