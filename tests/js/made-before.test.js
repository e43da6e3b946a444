// Links written by an earlier version keep their meaning. Its `data/made_before` is never rewritten.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { linked as comparison } from "../../tokviz/widgets/compare/link.js";
import { readLink } from "../../tokviz/widgets/replay/state/link.js";
import { readFields, readText, unpackText } from "../../tokviz/widgets/shared/net/links.js";
import { linked as tokens } from "../../tokviz/widgets/tokens/link.js";

const NAMES = ["cl100k_base", "gpt2", "o200k_base"];
const OFFERS = { tokenizers: NAMES.map((name) => ({ name })), samples: [{ name: "prose-en" }] };
const MADE = JSON.parse(readFileSync(new URL("../data/made_before/page_links.json", import.meta.url), "utf-8"));

/** Select the fields of `expected` from `found`. */
const fieldsOf = (found, expected) => Object.fromEntries(Object.keys(expected).map((name) => [name, found[name]]));

const CHECKS = {
  tokens(fields, { settings, sample }) {
    const read = tokens(fields, OFFERS);
    const { ids, ...others } = settings; // a list of ids, which are now beneath the tokens
    assert.deepEqual([fieldsOf(read.settings, others), read.sample, read.note], [others, sample, ""]);
    assert.equal(read.settings.view, ids ? "all" : "both");
  },
  async compare(fields, { settings, shared, sample, at }) {
    const read = comparison(fields, OFFERS);
    const { second, textTokenizer, prices, ...others } = settings;
    assert.deepEqual(fieldsOf(read.settings, others), others);
    assert.deepEqual([read.settings.prices ?? {}, read.settings.textTokenizer ?? ""], [prices, textTokenizer]);
    assert.deepEqual([read.shared.special, read.shared.window ?? "128000"], [shared.special, shared.window]);
    assert.deepEqual([read.sample, read.at], [sample, at]);
    assert.equal(fields.second ? await unpackText(fields.second) : "", second);
  },
  replay(fields, { choices, shared }) {
    const { choices: read, tokenizer, special } = readLink(fields, NAMES);
    const { learn, steps, order, ...others } = choices;
    assert.deepEqual(fieldsOf(read, others), others);
    assert.equal(read.steps[choices.story], steps[choices.story]);
    if (choices.story === "learn" || choices.tried) {
      const { text: _, ...options } = learn;
      assert.deepEqual(fieldsOf(read.learn, options), options);
    } else {
      assert.deepEqual([tokenizer, special, read.order], [shared.tokenizer, shared.special, order]);
    }
  },
};

MADE.forEach((made, number) => {
  test(`${made.page}, link ${number}`, async () => {
    const fields = readFields(new URL(made.link).hash);
    assert.equal(await readText(fields), made.text);
    await CHECKS[made.page](fields, made);
  });
});
