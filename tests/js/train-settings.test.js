// The recipe of the Train page: earlier links, links that train, and requests.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";

import { allows, OPTIONS } from "../../tokviz/widgets/train/engines.js";
import { available, DEFAULTS, linkFields, readLink, readQuery, requestOf, sampleTitle, withoutSettings } from "../../tokviz/widgets/train/settings.js";

const OFFERS = {
  samples: [
    { name: "start", title: "A first look", kind: "start" },
    { name: "prose-en", title: "English", kind: "prose" },
    { name: "prose-es", title: "Spanish · Español", kind: "prose" },
    { name: "prose-hi", title: "Hindi · हिन्दी", kind: "prose" },
    { name: "training-rain", title: "Rain, river, sea", kind: "training" },
  ],
  kinds: { start: "Start", prose: "The same passage in many languages", code: "Code", training: "Small" },
  large: [{ name: "python-docs", title: "Python's documentation", about: "" }],
};
const MADE = JSON.parse(readFileSync(new URL("../data/made_before/train_links.json", import.meta.url), "utf-8"));

/** Labels under which the earlier page showed a recipe. */
const SOURCES = { sample: "A sample", text: "My text", files: "Files" };
const MEASURES = { lines: "Every tenth line, set aside before training", sample: "Another sample", "": "Nothing else" };
const SAMPLES = { "all code": "Code (all)", "all start": "Start (all)", "prose-es": "Spanish · Español", "prose-hi": "Hindi · हिन्दी" };

/** What the earlier page would show of a recipe. */
function shownBefore(recipe, asked) {
  const shown = {
    "Learn from": SOURCES[recipe.source],
    Sample: SAMPLES[recipe.sample],
    "The other sample": SAMPLES[recipe.other],
    "Measure it on": MEASURES[recipe.measure],
    "Split pattern": recipe.pattern,
    "A regular expression, as Python's regex reads it": recipe.own,
    Alphabet: recipe.alphabet,
    "Words end in a mark": recipe.mark,
    "How the mark is written": recipe.markLabel,
    Ties: recipe.ties,
    "Special tokens, with spaces between": recipe.specials,
    "Vocabulary size": recipe.count,
  };
  return Object.fromEntries(Object.keys(asked).map((name) => [name, shown[name]]));
}

describe("links made before", () => {
  for (const { link, shown } of MADE.filter(({ link }) => link.includes("?"))) {
    test(link, () => {
      const recipe = readQuery(new URL(link, "http://x/").search, OFFERS);
      assert.equal(recipe.by, "size");
      assert.deepEqual(shownBefore(recipe, shown), shown);
    });
  }

  test("an address without settings begins with the page's defaults", () => {
    assert.equal(readQuery("?embed=true", OFFERS), null);
  });

  test("what is not known takes the value that the page began with then", () => {
    const recipe = readQuery("?sample=nonsense&size=many&alphabet=runes&pattern=o200k&ties=", OFFERS);
    assert.deepEqual([recipe.sample, recipe.count, recipe.alphabet, recipe.ties, recipe.pattern], ["all code", "1000", "bytes", "first-seen", "o200k"]);
    const { source, measure } = readQuery("?learn-from=constructor&measure-on=toString", OFFERS);
    assert.deepEqual([source, measure], ["sample", "lines"]);
  });

  test("other parameters stay in the address", () => {
    assert.equal(withoutSettings("?embed=true&size=3&sample=x"), "?embed=true");
    assert.equal(withoutSettings("?size=3"), "");
  });
});

describe("links that train", () => {
  const set = {
    ...{ algorithm: "bpe", options: {} },
    ...{ source: "sample", sample: "all prose", by: "size", count: "600", pattern: "my own", own: "\\d+|.", off: "1", alphabet: "characters" },
    ...{ mark: true, markLabel: "_", ties: "lowest-ids", specials: "<a> <b>", measure: "sample", other: "prose-es" },
  };
  for (const [says, recipe] of Object.entries({
    defaults: DEFAULTS,
    "everything set": set,
    "a text": { ...DEFAULTS, source: "text", count: "20", pattern: "none", measure: "" },
    files: { ...DEFAULTS, source: "files" },
    "another library": { ...DEFAULTS, algorithm: "sentencepiece-bpe", by: "size", count: "500", options: { byte_fallback: "1", character_coverage: "0.98" } },
    "word pieces": { ...DEFAULTS, algorithm: "wordpiece", by: "size", options: { lowercase: "0", wordpieces_prefix: "@@", strip_accents: "1" } },
  })) {
    test(`${says}: what is set comes back`, () => {
      const fields = Object.fromEntries(Object.entries(linkFields(recipe)).filter(([, value]) => value !== ""));
      assert.deepEqual(readLink(fields, OFFERS), recipe);
    });
  }

  test("other links do not train", () => {
    assert.equal(readLink({ text: "x" }, OFFERS), null);
    assert.equal(readLink(null, OFFERS), null);
  });

  test("invalid fields are ignored", () => {
    const read = readLink({ train: "1", merges: "-1", split: "x", alphabet: "y", ties: "z", measure: "?", sample: "<img>" }, OFFERS);
    assert.deepEqual(read, { ...DEFAULTS, source: "text" });
  });
});

describe("other libraries", () => {
  test("what no option can be is ignored, and so are options of another library", () => {
    const fields = { algorithm: "sentencepiece-unigram", character_coverage: "0.5", byte_fallback: "yes", max_sentencepiece_length: "1e3", normalization_rule_name: "/etc", lowercase: "0", split_digits: "1" };
    assert.deepEqual(readLink({ train: "1", ...fields }, OFFERS).options, { split_digits: "1" });
    assert.equal(readLink({ train: "1", algorithm: "nonsense" }, OFFERS).algorithm, "bpe");
    const kept = available({ ...DEFAULTS, algorithm: "wordpiece", options: { ...fields, min_frequency: "3" } }, OFFERS);
    assert.deepEqual(kept.options, { lowercase: "0", min_frequency: "3" });
    assert.deepEqual(available({ ...DEFAULTS, options: undefined }, OFFERS).options, {});
  });

  test("a request names the library, and what is set", () => {
    const recipe = { ...DEFAULTS, algorithm: "sentencepiece-unigram", by: "size", count: "", options: { add_dummy_prefix: "0", byte_fallback: "0" } };
    assert.deepEqual(requestOf(recipe), { measure: "lines", merges: "fit", sample: "training-rain", algorithm: "sentencepiece", model_type: "unigram", add_dummy_prefix: "0" });
    assert.equal(requestOf({ ...recipe, algorithm: "wordpiece", count: "99" }).size, "99");
  });

  test("each default is allowed", () => {
    for (const option of OPTIONS) assert.ok(allows(option, option.value) || option.value === "", option.name);
  });
});

describe("requests", () => {
  test("as many merges as fit, unless a number is given", () => {
    assert.equal(requestOf(DEFAULTS).merges, "fit");
    assert.equal(requestOf({ ...DEFAULTS, count: "7" }).merges, "7");
    const sized = requestOf({ ...DEFAULTS, by: "size", count: "300" });
    assert.deepEqual([sized.size, sized.merges], ["300", undefined]);
    assert.equal(requestOf({ ...DEFAULTS, by: "size", count: "" }).merges, "fit");
  });

  test("only settings that count are sent", () => {
    const plain = requestOf({ ...DEFAULTS, source: "text", mark: true });
    assert.deepEqual([plain.sample, plain.mark, plain.own, plain.other], [undefined, undefined, undefined, undefined]);
    const marked = requestOf({ ...DEFAULTS, alphabet: "characters", mark: true, pattern: "my own", measure: "sample" });
    assert.deepEqual([marked.mark, marked.own, marked.pattern, marked.other], ["</w>", DEFAULTS.own, undefined, "prose-en"]);
  });
});

test("a sample that this server lacks is replaced", () => {
  assert.equal(available({ ...DEFAULTS, sample: "python-docs" }, { ...OFFERS, large: [] }).sample, "all code");
  assert.equal(available({ ...DEFAULTS, sample: "python-docs" }, OFFERS).sample, "python-docs");
  assert.equal(sampleTitle("all prose", OFFERS), "The same passage in many languages");
});
