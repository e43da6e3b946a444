import assert from "node:assert/strict";
import { test } from "node:test";

import { chosenField, chosenIn, fitRecipes, sayWhatIsMade } from "../../tokviz/widgets/shared/net/madetokenizers.js";

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
