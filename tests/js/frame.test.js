import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { SharedText } from "../../tokviz/widgets/frame/text.js";
import { shownBy, takeFromAddress } from "../../tokviz/widgets/frame/tokenizers.js";

/** What the tab remembers, and the texts sent to the session. */
let stored;
let sent;

beforeEach(() => {
  stored = null;
  sent = [];
});

/** The shared text of a page. @param {any} session @param {boolean} [isLeaving] whether texts can't be sent any more */
function sharedText(session, isLeaving = false) {
  const store = { read: () => stored, write: (state) => (stored = state) };
  const send = (text) => !isLeaving && void sent.push(text);
  return new SharedText(session, store, send);
}

test("a session without a text gets the one that the tab remembers", () => {
  stored = { text: "typed before" };
  const shared = sharedText({ text: "an example", isNew: true });
  shared.sendRemembered();
  assert.deepEqual([sent, shared.text], [["typed before"], "typed before"]);
});

test("a session with a text gets only what it never received", () => {
  stored = { text: "older", unsent: false };
  sharedText({ text: "newer", isNew: false }).sendRemembered();
  assert.deepEqual(sent, []);
  stored = { text: "typed last", unsent: true };
  sharedText({ text: "newer", isNew: false }).sendRemembered();
  assert.deepEqual(sent, ["typed last"]);
  assert.equal(stored.unsent, false);
});

test("what the session has already is not sent again", () => {
  stored = { text: "the same" };
  sharedText({ text: "the same", isNew: true }).sendRemembered();
  stored = { text: null };
  sharedText({ text: "an example", isNew: true }).sendRemembered();
  assert.deepEqual(sent, []);
});

test("a page with its own text sends the text of a link only, and remembers none", () => {
  stored = { text: "typed before", unsent: true };
  const before = { ...stored };
  const shared = sharedText({ text: "of the page" });
  shared.sendRemembered();
  shared.update({ text: "another of the page" });
  assert.deepEqual([sent, stored, shared.text], [[], before, "another of the page"]);
  shared.use("from a link");
  assert.deepEqual([sent, stored], [["from a link"], before]);
});

test("a text of a link is sent and remembered, beside what else the tab remembers", () => {
  stored = { text: "older", tokenizer: "gpt2", lang: "de", escapes: true };
  const shared = sharedText({ text: "older", isNew: false });
  shared.use("from a link");
  assert.deepEqual(sent, ["from a link"]);
  const source = { source: "from a link", escapes: false };
  assert.deepEqual(stored, { tokenizer: "gpt2", ...source, text: "from a link", lang: "", unsent: false });
  assert.equal(shared.text, "from a link");
});

test("a text with carriage returns is remembered as the editor writes it", () => {
  sharedText({ text: "", isNew: false }).use("one\r\ntwo");
  const escaped = "one\\r\ntwo"; // a text box keeps line feeds
  assert.deepEqual([stored.source, stored.escapes, stored.text], [escaped, true, "one\r\ntwo"]);
});

test("a text that could not be sent is remembered as unsent", () => {
  sharedText({ text: "older", isNew: false }, true).use("typed last");
  assert.deepEqual([stored.text, stored.unsent], ["typed last", true]);
});

test("a text typed on the page is remembered, and not sent back", () => {
  const shared = sharedText({ text: "older", isNew: false });
  shared.update({ text: "typed here", isNew: false });
  assert.deepEqual([sent, stored.text, shared.text], [[], "typed here", "typed here"]);
});

test("after a rerun with the same text, a link's text stays", () => {
  const shared = sharedText({ text: "older", isNew: false });
  shared.use("from a link");
  shared.update({ text: "older", isNew: false });
  assert.deepEqual([shared.text, stored.text], ["from a link", "from a link"]);
});

test("a session that lost its text gets it again", () => {
  const shared = sharedText({ text: "typed here", isNew: false });
  shared.update({ text: "typed on", isNew: false });
  shared.update({ text: "an example", isNew: true });
  assert.deepEqual([sent, shared.text], [["typed on"], "typed on"]);
});

// The chosen tokenizers

/** Mock the address of a page with this query and fragment. @param {string} search @param {string} [hash] */
function visit(search, hash = "") {
  globalThis.location = { pathname: "/compression", search, hash };
  globalThis.history = { state: "state", replaceState: (_state, _title, url) => (history.url = url) };
}

// Tests of the address share the module's memory of it, so their order matters.

test("an address with available tokenizers is left as it is", () => {
  visit("?tokenizers=gpt2&tokenizers=bytes");
  assert.equal(takeFromAddress(["bytes", "gpt2", "words"]), null);
  visit("?tokenizers=");
  assert.equal(takeFromAddress(["bytes"]), null);
  visit("?tokenizers=not-here");
  assert.equal(takeFromAddress(null), null); // the page offers no choice
  assert.equal(history.url, undefined);
});

test("unavailable tokenizers are taken out of the address, and named to the session", () => {
  visit("?text=long&tokenizers=gpt2&tokenizers=mine", "#made=mine.recipe");
  assert.deepEqual(takeFromAddress(["gpt2"]), ["gpt2", "mine"]);
  assert.equal(history.url, "/compression?text=long#made=mine.recipe");
});

test("a widget that is mounted again names them again", () => {
  visit("?text=long");
  assert.deepEqual(takeFromAddress(["gpt2"]), ["gpt2", "mine"]);
  assert.equal(history.url, undefined);
});

const PUBLISHED = { name: "gpt2", label: "GPT-2", recipe: null };
const MINE = { name: "mine", label: "Mine", recipe: "recipe" };

test("a link names published tokenizers in its query, which the page has already", () => {
  const data = { chosen: ["gpt2"], tokenizers: [PUBLISHED, MINE], query: { size: "2" }, fileQuery: null };
  assert.deepEqual(shownBy(data, "a text"), { fields: {}, text: "a text", query: { size: "2" }, fileQuery: null });
});

test("with a user-made tokenizer, a link names all of them in its fragment instead", () => {
  const shown = shownBy({ chosen: ["gpt2", "mine"], tokenizers: [PUBLISHED, MINE], query: { size: "2" } }, null);
  assert.deepEqual(shown.own, [MINE]);
  assert.deepEqual(shown.query, { size: "2", tokenizers: null }); // removed from the address
  assert.deepEqual(shown.fields, { chosen: "gpt2.mine" });
});
