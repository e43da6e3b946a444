import assert from "node:assert/strict";
import test from "node:test";
import { deflateRawSync, inflateRawSync } from "node:zlib";

import { BrokenLink, followLink, packText, readFields, readText, unpackText, writeLink } from "../../tokviz/widgets/shared/net/links.js";
import { dice } from "./pieces.js";

const TEXTS = [
  "",
  "</script><img src=x onerror=alert(1)> &amp; #tokenizer=gpt2&text=x :red[x] $\\alpha$",
  "नमस्ते 🍕 مرحبا 你好\ttab ﬁ e\u0301",
  "\0 a\u200bb\u202ec \ufeff",
  "\ufeffbegins with a mark",
  "\n\n  \n",
  "one\r\ntwo\r",
];

/** Random text of any code points except lone surrogates. @param {() => number} roll */
function anyText(roll) {
  const point = () => [roll() % 0x80, roll() % 0x800, roll() % 0xd800, 0x10000 + (roll() % 0xfffff)][roll() % 4];
  return String.fromCodePoint(...Array.from({ length: roll() % 80 }, point));
}

const base64url = (/** @type {Uint8Array} */ bytes) => Buffer.from(bytes).toString("base64url");

test("texts and fields survive a round trip through a link", async () => {
  const roll = dice(1);
  for (const text of [...TEXTS, ...Array.from({ length: 200 }, () => anyText(roll))]) {
    const link = new URL(await writeLink("http://x/", { a: text }, text));
    const fields = readFields(link.hash) ?? {};
    assert.equal(fields.a ?? "", text);
    assert.equal(await readText(fields), text);
    assert.equal(link.search, "");
  }
});

test("links are compatible with another deflate implementation", async () => {
  for (const text of TEXTS) {
    assert.equal(await unpackText(base64url(deflateRawSync(text))), text);
    assert.equal(inflateRawSync(Buffer.from(await packText(text), "base64url")).toString(), text);
  }
});

test("a packed text has only characters that no program changes in an address", async () => {
  const roll = dice(3);
  for (let k = 0; k < 50; k++) assert.match(await packText(anyText(roll)), /^[\w-]+$/);
});

test("any link is either read or refused with a message", async () => {
  const roll = dice(2);
  for (let k = 0; k < 500; k++) {
    const bytes = Uint8Array.from({ length: roll() % 60 }, () => roll());
    const answer = await unpackText(base64url(bytes)).catch((error) => error);
    if (answer instanceof BrokenLink) assert.match(answer.message, /damaged/);
    else assert.deepEqual(answer, inflateRawSync(bytes).toString());
  }
  await assert.rejects(unpackText("%%%"), BrokenLink);
});

test("a truncated link is refused", async () => {
  const packed = base64url(deflateRawSync("a text that is long enough to be cut off in many places"));
  for (let length = 1; length < packed.length - 2; length++)
    await assert.rejects(unpackText(packed.slice(0, length)), BrokenLink);
});

test("a text of more than 10 MB is refused before it is fully unpacked", async () => {
  assert.equal((await unpackText(base64url(deflateRawSync("a".repeat(10_000_000))))).length, 10_000_000);
  await assert.rejects(unpackText(base64url(deflateRawSync("a".repeat(10_000_001)))), /more than 10 MB/);
});

test("an address without fields is not a tokviz link, and a link without fields and text is the plain address", async () => {
  assert.equal(readFields("#heading"), null);
  assert.equal(readFields(""), null);
  assert.equal(await writeLink("http://x/", { color: "" }, null), "http://x/");
});

test("a link of over a million characters is not followed, which would open an empty page", async () => {
  /** @type {string[]} */
  const opened = [];
  /** Whether the app shows the page without loading it. */
  let isShown = false;
  globalThis.document = /** @type {any} */ ({ dispatchEvent: () => !isShown });
  globalThis.location = /** @type {any} */ ({ assign: (/** @type {string} */ link) => opened.push(link) });
  await followLink("http://x/", { a: "b" }, null);
  await assert.rejects(followLink("http://x/", { a: "b".repeat(1_000_000) }, null), BrokenLink);
  isShown = true;
  await followLink("http://x/", { b: "c" }, null);
  assert.deepEqual(opened, ["http://x/#a=b"]);
});
