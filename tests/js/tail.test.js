import assert from "node:assert/strict";
import { describe as suite, test } from "node:test";

import { describe } from "../../tokviz/widgets/tokens/tail.js";

const token = (/** @type {string | null} */ text, hex = "") => ({ id: 0, hex, text });
const say = (/** @type {Parameters<typeof describe>} */ ...given) =>
  describe(...given).map((part) => (typeof part === "string" ? part : `[${part.written}]`)).join("");

suite("what may still change", () => {
  test("is named, with what it becomes", () => {
    const found = { stable: 1, now: [token(" wor")], following: "s", then: [token(" w"), token("ors")] };
    assert.equal(say(found), "The last token, [·wor], is not settled yet. With [s] after it: [·w] [ors].");
  });

  test("is written in bytes where it is no text, and only its beginning where it is long", () => {
    const found = { stable: 0, now: [token(null, "f0 9f"), token("a")], following: "\n", then: Array(7).fill(token("b")) };
    const bs = Array(6).fill("[b]").join(" ");
    assert.equal(say(found), `The last 2 tokens, [f0 9f] [a], are not settled yet. With [↵] after it: ${bs} ….`);
    assert.ok(say({ ...found, then: found.then.slice(1) }).endsWith(` after it: ${bs}.`));
  });

  test("has no example if that would be long", () => {
    const found = { stable: 0, now: [token("a")], following: "", then: [] };
    assert.equal(say(found), "The last token, [a], is not settled yet. A longer text after it can change that.");
  });
});

test("tokens that stay are counted", () => {
  const found = { now: [], following: "", then: [] };
  assert.equal(say({ ...found, stable: 12 }), "Whatever follows, the 12 tokens will stay.");
  assert.equal(say({ ...found, stable: 1 }), "Whatever follows, the token will stay.");
});
