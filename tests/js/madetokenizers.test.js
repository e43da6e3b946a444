import assert from "node:assert/strict";
import { test } from "node:test";

import { chosenField, chosenIn, fetchLinked, fitRecipes, rememberOwn, sayWhatIsMade } from "../../tokviz/widgets/shared/net/madetokenizers.js";
import { FakeElement, fakeDocument } from "./fakepage.js";

const offer = (name, size) => ({ name, label: `trained on ${name}`, recipe: "r".repeat(size) });
const kept = (own, most) => fitRecipes(own, most).filter(({ recipe }) => recipe).map(({ name }) => name);

test("a link has as many recipes as fit, the shortest first", () => {
  const own = [offer("a", 30), offer("b", 10), offer("c", 20)];
  assert.deepEqual(fitRecipes(own, 60), own);
  assert.deepEqual(kept(own, 59), ["b", "c"]);
  assert.deepEqual(kept(own, 30), ["b", "c"]);
  assert.deepEqual(kept(own, 29), ["b"]);
  assert.deepEqual(kept(own, 9), []);
  assert.deepEqual(fitRecipes(own, -100).map(({ name }) => name), ["a", "b", "c"]);
});

test("the share dialog names the tokenizers that don't fit into the link", () => {
  assert.equal(sayWhatIsMade([]), "");
  assert.match(sayWhatIsMade([offer("a", 1), offer("b", 1)]), /^The link also says how to make your own tokenizer/);
  assert.match(sayWhatIsMade([offer("a", 1), offer("b", 0)]), /^“trained on b” is too large .* keeps it: .* its file/);
  const several = sayWhatIsMade([offer("a", 0), offer("b", 0)]);
  assert.match(several, /^“trained on a” and “trained on b” are too large .* keeps them: .* their files/);
});

test("a link says which tokenizers are chosen", () => {
  assert.deepEqual(chosenIn(chosenField(["gpt2", "an-id_1"])), ["gpt2", "an-id_1"]);
  assert.equal(chosenIn({ text: "abc" }), null);
});

/** A tab whose page has chosen a tokenizer of the reader's own, which the session does not offer. */
function tabWithout(id) {
  const kept = new Map([["tokviz:/:own", JSON.stringify([[id, "recipe", "my cats"]])], ["tokviz:/", JSON.stringify({ tokenizer: id })]]);
  const sessionStorage = { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value), removeItem: (key) => kept.delete(key) };
  const history = { state: null, replaceState: () => {} };
  Object.assign(globalThis, { document: fakeDocument(), location: { hash: "", href: "" }, history, sessionStorage });
}

/** The tokenizers that a page gets as it loads, while the server answers so. @param {() => Response} answer */
async function loaded(answer) {
  const data = { base: "/", tokenizers: [] };
  globalThis.fetch = async () => answer();
  const added = await fetchLinked(new FakeElement("div"), data);
  rememberOwn("/", data.tokenizers); // as each page does with its first data
  return added;
}

const made = () => Response.json({ ...offer("new", 1), label: "trained" });
const refused = (status) => () => Response.json({ error: "Not now." }, { status });

test("a tokenizer that can't be made again for now is made again by a reload", async () => {
  const failures = { busy: refused(503), queue: refused(429), "not connected": () => Promise.reject(new TypeError("Failed to fetch")) };
  for (const [what, failure] of Object.entries(failures)) {
    tabWithout("lost");
    assert.deepEqual(await loaded(failure), [], what);
    assert.deepEqual(await loaded(failure), [], what);
    assert.deepEqual(await loaded(made), ["new"], what);
  }
});

test("a tokenizer that the server no longer has is asked for once", async () => {
  tabWithout("lost");
  assert.deepEqual(await loaded(refused(404)), []);
  assert.deepEqual(await loaded(made), []);
});
