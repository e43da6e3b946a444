import assert from "node:assert/strict";
import { test } from "node:test";

import { withText } from "../../tokviz/widgets/shared/net/kept_texts.js";

/** A server that keeps these texts by id. @param {Record<string, string>} texts */
function keeping(texts) {
  globalThis.fetch = async (url) => {
    const id = new URL(url, "http://server").searchParams.get("id");
    return id in texts ? new Response(texts[id]) : Response.json({ error: "No longer kept." }, { status: 404 });
  };
}

test("data without a long text is left as it is", async () => {
  const data = { base: "/", state: { text: "short" } };
  assert.equal(await withText(data), data);
});

test("a long text takes the place of its id", async () => {
  keeping({ a: "é long" });
  const state = { textId: "a", marks: false };
  assert.deepEqual((await withText({ base: "/", state })).state, { text: "é long", marks: false });
});

test("a text that is no longer kept leaves the tab's own", async () => {
  keeping({});
  assert.deepEqual((await withText({ base: "/", state: { textId: "a", marks: false } })).state, { marks: false });
});
