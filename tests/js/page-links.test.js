import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { linked as comparison, linkFields as comparisonFields } from "../../tokviz/widgets/compare/link.js";
import { DEFAULTS, LAYOUTS, limited } from "../../tokviz/widgets/compare/settings.js";
import { firstOptions } from "../../tokviz/widgets/replay/input/classics.js";
import { linkOf, readLink } from "../../tokviz/widgets/replay/state/link.js";
import { linked as tokens, linkFields as tokensFields } from "../../tokviz/widgets/tokens/link.js";

const NAMES = ["cl100k_base", "gpt2", "o200k_base"];
const OFFERS = { tokenizers: NAMES.map((name) => ({ name })), samples: [{ name: "prose-en" }] };

/** Fields as read from a link, without empty ones. */
const kept = (fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ""));

describe("Tokens", () => {
  const plain = { tokenizer: "gpt2", colorBy: "alternate", marks: true, special: false, view: "both", merges: null };

  test("what is set comes back from the link", () => {
    for (const settings of [plain, { ...plain, colorBy: "bytes", marks: false, special: true, view: "numbers", merges: 3782 }, { ...plain, merges: 0 }]) {
      const read = tokens(kept(tokensFields(settings, "prose-en")), OFFERS);
      assert.deepEqual(read.settings, { ...settings, known: "" });
      assert.equal(read.sample, "prose-en");
      assert.equal(read.note, "");
    }
  });

  test("a number of merges that is none is ignored", () => {
    for (const merges of ["-1", "1e9", "many", "12345678901", ""]) assert.equal(tokens({ merges }, OFFERS).settings.merges, null);
  });

  test("unknown choices are ignored, with a note", () => {
    const read = tokens({ tokenizer: "gone", sample: "<img>", color: "nonsense" }, OFFERS);
    assert.equal("tokenizer" in read.settings, false);
    assert.deepEqual([read.sample, read.settings.colorBy], ["", "alternate"]);
    assert.match(read.note, /tokenizer that is not here.*example that is not here/);
  });
});

describe("Compare", () => {
  const shared = { special: true, window: "4096" };

  test("what is set comes back from the link", async () => {
    const set = { ...DEFAULTS, tokenizers: NAMES, reason: 2, kind: 3, view: "sides", folds: ["places", "why"], prices: { gpt2: "2.5" } };
    const read = comparison(kept(await comparisonFields(set, shared, "", 17)), OFFERS);
    const { second: _, textTokenizer: __, ...settings } = set;
    assert.deepEqual(read.settings, settings);
    assert.deepEqual(read.shared, shared);
    assert.equal(read.at, 17);
  });

  test("each price stays with its tokenizer, also after one that is not here", () => {
    const { settings } = comparison({ compare: "gone,gpt2,cl100k_base", prices: "1,2.5," }, OFFERS);
    assert.deepEqual(settings.tokenizers.map((name) => settings.prices?.[name]), ["2.5", undefined]);
  });

  test("a link opens the folds that hold what it names", () => {
    const opened = (fields) => comparison(fields, OFFERS).names;
    assert.deepEqual(opened({ compare: "gpt2,cl100k_base", view: "sides", at: "3" }), []);
    assert.deepEqual(opened({ kind: "3" }), ["places"]);
    assert.deepEqual(opened({ reason: "2", window: "4096", second: "x" }), ["places", "bill", "text"]);
    assert.deepEqual(opened({ compare: "gpt2,cl100k_base", prices: "2.5," }), ["bill"]);
  });

  test("a fresh page's link has only its tokenizers and its view", async () => {
    const fields = kept(await comparisonFields(DEFAULTS, { special: false, window: "128000" }, "", null));
    assert.deepEqual(fields, { compare: "gpt2,cl100k_base", view: "place" });
  });

  test("there are always two to eight tokenizers", () => {
    assert.deepEqual(limited([]), ["gpt2", "cl100k_base"]);
    assert.deepEqual(limited(["gpt2"]), ["gpt2", "cl100k_base"]);
    assert.equal(limited(Array.from({ length: 12 }, (_, k) => `t${k}`)).length, 8);
  });

  test("each layout is kept", async () => {
    for (const [view] of LAYOUTS) {
      const fields = await comparisonFields({ ...DEFAULTS, view }, { special: false, window: "128000" }, "", null);
      assert.equal(comparison(kept(fields), OFFERS).settings.view, view);
    }
  });

  test("invalid fields are ignored", () => {
    const odd = { reason: "999", kind: "-1", view: "upside down", window: "0", at: "x", prices: "cheap" };
    const { settings, shared: read, at } = comparison({ ...odd, compare: "gone,gpt2", open: "everything,bill" }, OFFERS);
    assert.deepEqual(settings.folds, ["bill"]);
    assert.deepEqual([settings.reason, settings.kind, settings.view, at], [0, -1, "aligned", null]);
    assert.deepEqual(settings.prices, {});
    assert.deepEqual(read, { special: false });
  });
});

describe("Merge replay", () => {
  const shared = { text: "strawberry", tokenizer: "gpt2", special: true };
  const choices = {
    story: "apply",
    order: "pretoken",
    learn: firstOptions(),
    tried: null,
    steps: { apply: 5, learn: 0 },
    writing: "ids",
    predict: true,
    asks: "choices",
  };
  const learn = { ...firstOptions(), text: "low lower", alphabet: "characters", endOfWord: true, ties: "lowest-ids", merges: 7, pattern: "my own", own: "a|\\d", off: "0,1" };

  test("an applied tokenizer is restored at its step", () => {
    const { fields, text } = linkOf(choices, shared);
    const read = readLink(kept(fields), NAMES);
    assert.equal(text, "strawberry");
    assert.deepEqual([read.tokenizer, read.special], ["gpt2", true]);
    for (const name of ["story", "order", "steps", "writing", "predict", "asks", "tried"])
      assert.deepEqual(read.choices[name], choices[name], name);
  });

  test("a stage that is played is restored as that", () => {
    for (const predict of [true, false]) {
      const set = { ...choices, predict, asks: "stage" };
      const read = readLink(kept(linkOf(set, shared).fields), NAMES).choices;
      assert.deepEqual([read.predict, read.asks], [predict, "stage"]);
    }
  });

  test("learning and trying a word are restored with their settings", () => {
    for (const tried of [null, { merges: 5, word: "lowest" }]) {
      const story = tried ? "apply" : "learn";
      const set = { ...choices, story, learn, tried, steps: { apply: 1, learn: 3 } };
      const { fields, text } = linkOf(set, shared);
      const read = readLink(kept(fields), NAMES).choices;
      assert.equal(text, learn.text);
      assert.deepEqual({ ...read.learn, text }, learn);
      assert.deepEqual([read.tried, read.steps[story]], [tried, set.steps[story]]);
    }
  });

  test("invalid fields take the values of a fresh page", () => {
    const odd = { story: "nonsense", step: "many", order: "x", symbols: "runes", tried: "-1", alphabet: "y", merges: "1e9", off: "0,x" };
    const read = readLink({ ...odd, tokenizer: "gone" }, NAMES);
    assert.equal(read.tokenizer, null);
    assert.deepEqual(read.choices.steps, { apply: null, learn: 0 });
    const { text: _, ...fresh } = firstOptions();
    const { text: __, ...found } = read.choices.learn;
    assert.deepEqual(found, fresh);
    assert.deepEqual([read.choices.story, read.choices.writing, read.choices.tried], ["apply", "text", null]);
  });
});
