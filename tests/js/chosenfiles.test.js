import assert from "node:assert/strict";
import test from "node:test";

import { filesOf } from "../../tokviz/widgets/shared/ui/chosenfiles.js";

/** A folder as browsers give it: some entries at a time. @param {string[]} names those that end in "/" are folders @param {number} [atOnce] */
const folder = (names, atOnce = 100) => {
  const entries = names.map((name) => ({ name, isFile: !name.endsWith("/"), file: (/** @type {(file: any) => void} */ use) => use(name) }));
  return /** @type {any} */ ({ createReader: () => ({ readEntries: (/** @type {(found: any[]) => void} */ use) => use(entries.splice(0, atOnce)) }) });
};

test("of a folder, only files are opened that may be a tokenizer's", async () => {
  const names = ["tokenizer.json", "model-00001.safetensors", "chat_template.jinja", "sub.json/", "tokenizer.model.v3", "README.md", "vocab.txt"];
  for (const atOnce of [1, 2, 100]) assert.deepEqual(await filesOf(folder(names, atOnce)), ["tokenizer.json", "chat_template.jinja", "tokenizer.model.v3", "vocab.txt"]);
  assert.deepEqual(await filesOf(folder([])), []);
});
