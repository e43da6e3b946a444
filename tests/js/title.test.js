import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";

import { sayCounts, TabTitle } from "../../tokviz/widgets/shared/page/title.js";

const AFTER_A_PAUSE = 1000;

/** Where the title stands: each writing of it is counted, and tells who watches it. */
let writings = 0;
let watching = new Set();

beforeEach(() => {
  mock.timers.enable({ apis: ["setTimeout"] });
  watching = new Set();
  let title = "Compare · tokviz";
  globalThis.MutationObserver = class {
    #changed;
    constructor(changed) {
      this.#changed = changed;
    }
    observe() {
      watching.add(this.#changed);
    }
    disconnect() {
      watching.delete(this.#changed);
    }
  };
  globalThis.document = {
    querySelector: () => ({}),
    get title() {
      return title;
    },
    set title(text) {
      writings++;
      title = text;
      for (const changed of watching) changed();
    },
  };
  writings = 0;
});

afterEach(() => {
  mock.timers.reset();
  delete globalThis.document;
  delete globalThis.MutationObserver;
});

/** A tab in which something is shown. */
function shown(what, page = "Compare") {
  const tab = new TabTitle(page);
  tab.show(what);
  mock.timers.tick(AFTER_A_PAUSE);
  return tab;
}

test("counts are said with short names, large ones with commas, and of many tokenizers the first", () => {
  assert.equal(sayCounts([["GPT-2", 58], ["cl100k (GPT-4, GPT-3.5)", 47]]), "GPT-2 58, cl100k 47");
  assert.equal(sayCounts([["Mistral 7B v0.1 (Mixtral)", 1234567]]), "Mistral 7B v0.1 1,234,567");
  assert.equal(sayCounts([["(mine)", 1]]), "(mine) 1");
  const six = Array.from("abcdef", (name, k) => /** @type {[string, number]} */ ([name, k]));
  assert.equal(sayCounts(six), "a 0, b 1, c 2, d 3 …");
});

test("the title says what is on screen, before the page", () => {
  const tab = shown("GPT-2 58, cl100k 47");
  assert.equal(document.title, "GPT-2 58, cl100k 47 · Compare");
  tab.show("");
  mock.timers.tick(AFTER_A_PAUSE);
  assert.equal(document.title, "Compare · tokviz");
});

test("a hundred key presses write the title once, when they end", () => {
  const tab = shown("GPT-2 1");
  writings = 0;
  for (let k = 0; k < 100; k++) {
    tab.show(`GPT-2 ${k}`);
    mock.timers.tick(30);
  }
  assert.equal(writings, 0);
  mock.timers.tick(AFTER_A_PAUSE);
  assert.deepEqual([writings, document.title], [1, "GPT-2 99 · Compare"]);
});

test("what is on screen comes back when Streamlit writes the page's own title, but not over that of another page", () => {
  const tab = shown("GPT-2 58");
  document.title = "Compare · tokviz";
  assert.equal(document.title, "GPT-2 58 · Compare");
  document.title = "Chat · tokviz";
  assert.equal(document.title, "Chat · tokviz");
  tab.dispose();
  assert.equal(document.title, "Chat · tokviz");
  assert.equal(watching.size, 0);
});

test("a page that is left writes nothing any more", () => {
  const tab = shown("GPT-2 58");
  tab.show("GPT-2 59");
  tab.dispose();
  mock.timers.tick(AFTER_A_PAUSE);
  assert.notEqual(document.title, "GPT-2 59 · Compare");
});
