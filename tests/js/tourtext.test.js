import assert from "node:assert/strict";
import { test } from "node:test";

import { TourText } from "../../tokviz/widgets/compare/tourtext.js";

const OPENING = "text of the tour";

/** A page with the reader's text in stand-ins for its parts. @param {boolean} isConnected */
function page(isConnected = true) {
  const shown = { text: "my\ntext", classes: new Set(), lang: "de", scrolls: 0 };
  const editor = { reading: () => ({ text: shown.text }), source: () => JSON.stringify(shown.text), escapes: () => true };
  const settings = { lang: shown.lang };
  const pageText = {
    sample: () => (shown.text === OPENING ? "classics" : ""),
    replace: (text, lang) => Object.assign(shown, { text, lang }),
    async loadSample(name) {
      if (!isConnected || name !== "classics") return;
      settings.lang = "en";
      this.replace(OPENING, "en");
    },
  };
  const shell = {
    data: { start: "classics" },
    isDisposed: false,
    node: { classList: { add: (name) => shown.classes.add(name), remove: (name) => shown.classes.delete(name) } },
  };
  const panes = { scrollIntoView: () => shown.scrolls++ };
  return { shell, shown, tourText: new TourText(shell, { editor, pageText, settings }, panes) };
}

test("the reader's text is kept during the tour, and comes back after it", async () => {
  const { shown, tourText } = page();
  assert.equal(tourText.readerText, null);
  assert.equal(await tourText.prepare(), true);
  tourText.arrive();
  assert.deepEqual([shown.text, [...shown.classes], shown.scrolls], [OPENING, ["touring"], 1]);
  assert.deepEqual(tourText.readerText, { text: "my\ntext", source: '"my\\ntext"', escapes: true, lang: "de" });
  tourText.end();
  assert.deepEqual([shown.text, shown.lang, [...shown.classes]], ["my\ntext", "de", []]);
  shown.text = OPENING; // chosen by the reader, from the examples
  assert.equal(tourText.readerText, null);
});

test("a tour's text that the reader edits becomes theirs", async () => {
  const { shown, tourText } = page();
  await tourText.prepare();
  shown.text = "edited";
  assert.equal(tourText.readerText, null);
  tourText.end();
  assert.equal(shown.text, "edited");
});

test("the opening text needs no replacement", async () => {
  const { shown, tourText } = page();
  shown.text = OPENING;
  assert.equal(await tourText.prepare(), true);
  assert.equal(tourText.readerText, null);
  tourText.end();
  assert.equal(shown.text, OPENING);
});

test("there is no tour if its text can't be loaded, or the reader has left", async () => {
  const lost = page(false);
  assert.equal(await lost.tourText.prepare(), false);
  assert.deepEqual([lost.shown.text, lost.tourText.readerText], ["my\ntext", null]);
  const left = page();
  left.shell.isDisposed = true;
  assert.equal(await left.tourText.prepare(), false);
});
