import assert from "node:assert/strict";
import { test } from "node:test";

import { linkContent } from "../../tokviz/widgets/text_panel/link.js";

const PUBLISHED = { name: "gpt2", label: "GPT-2", recipe: null };
const MINE = { name: "mine", label: "Mine", recipe: "recipe" };
const tokenizers = [PUBLISHED, MINE];

test("a link names published tokenizers in its query, which the page has already", () => {
  assert.deepEqual(linkContent({ chosen: ["gpt2"], tokenizers }, "", "a text"), { fields: {}, text: "a text" });
});

test("a link names an example instead of holding its text", () => {
  const shown = linkContent({ chosen: ["gpt2"], tokenizers }, "prose-ja", "a text");
  assert.deepEqual(shown, { fields: { sample: "prose-ja" }, text: null });
});

test("with a user-made tokenizer, a link names all of them in its fragment instead", () => {
  const shown = linkContent({ chosen: ["gpt2", "mine"], tokenizers }, "", "a text");
  assert.deepEqual(shown.own, [MINE]);
  assert.deepEqual(shown.query, { tokenizers: null }); // removed from the address
  assert.deepEqual([shown.fields, shown.text], [{ chosen: "gpt2.mine" }, "a text"]);
});
