import assert from "node:assert/strict";
import { test } from "node:test";

import { DEFAULTS, initialSettings } from "../../tokviz/widgets/compare/settings.js";

const offers = ["cl100k_base", "gpt2", "o200k_base"].map((name) => ({ name, label: name, recipe: null }));
const stored = { special: false, window: "4096", compare: { view: "sides", reason: 4, tokenizers: ["o200k_base", "gpt2"] } };
const link = { shared: { special: true }, settings: { reason: 8, tokenizers: ["gpt2", "cl100k_base"] } };

test("a fresh page has the defaults", () => {
  const settings = initialSettings(offers, null, null);
  assert.deepEqual(settings.compare, DEFAULTS);
  assert.deepEqual([settings.special, settings.source], [false, null]);
});

test("the link comes before what the tab remembers, and that before the defaults", () => {
  const settings = initialSettings(offers, stored, link);
  assert.deepEqual([settings.special, settings.window], [true, "4096"]);
  assert.deepEqual(settings.compare, { ...DEFAULTS, view: "sides", reason: 8, tokenizers: ["gpt2", "cl100k_base"] });
});

test("folds are open as the tab remembers them, and those that hold what a link names", () => {
  const folds = (remembered, names) => initialSettings(offers, { compare: { folds: remembered } }, names && { ...link, names }).compare.folds;
  assert.deepEqual(folds(["bill"], null), ["bill"]);
  assert.deepEqual(folds(["bill"], ["text"]), ["bill", "text"]);
  assert.deepEqual(folds(["gone"], ["text"]), ["text"]);
});

test("a remembered tokenizer that is gone is left out", () => {
  const remembered = (...tokenizers) => initialSettings(offers, { compare: { tokenizers } }, null).compare.tokenizers;
  assert.deepEqual(remembered("gone", "o200k_base", "gpt2"), ["o200k_base", "gpt2"]);
  assert.deepEqual(remembered("gone", "o200k_base"), ["o200k_base", "gpt2"]);
});

test("prices typed on one page are not the defaults of the next", () => {
  initialSettings(offers, null, null).compare.prices.gpt2 = "2.5";
  assert.deepEqual(initialSettings(offers, null, null).compare.prices, {});
});

test("the reader's own tokenizer that other pages have chosen is compared too, once, and not in a link's place", () => {
  const mine = { name: "mine", label: "trained on “my text”", recipe: "recipe" };
  const compared = (/** @type {any} */ remembered, given = null) => initialSettings([...offers, mine], { tokenizer: "mine", ...(remembered && { compare: remembered }) }, given).compare;
  assert.deepEqual(compared(null).tokenizers, ["gpt2", "cl100k_base", "mine"]);
  assert.deepEqual(compared({ tokenizers: ["mine", "gpt2"] }).tokenizers, ["gpt2", "mine"]);
  assert.deepEqual(compared({ tokenizers: ["gpt2", "o200k_base"], newest: "mine" }).tokenizers, ["gpt2", "o200k_base"]);
  assert.deepEqual(compared(null, link).tokenizers, ["gpt2", "cl100k_base"]);
  const eight = [...Array(8).keys()].map((k) => ({ name: `t${k}`, label: `${k}`, recipe: null }));
  const full = { tokenizers: eight.map(({ name }) => name) };
  const { tokenizers } = initialSettings([...eight, mine], { tokenizer: "mine", compare: full }, null).compare;
  assert.deepEqual(tokenizers, [...full.tokenizers.slice(0, 7), "mine"]);
});
