import assert from "node:assert/strict";
import test from "node:test";

import { countCurly, straightened } from "../../tokviz/widgets/shared/ui/quotenotice.js";

test("each kind of curly quote becomes its straight one", () => {
  assert.equal(straightened("“don’t” ‘so’ „ja“ ‚nein‘"), `"don't" 'so' "ja" 'nein'`);
  assert.equal(countCurly("“don’t” ‘so’ „ja“ ‚nein‘"), 9);
});

test("a text without curly quotes stays as it is", () => {
  const text = `"don't" 5′ 6″ «oui» \`code\``; // primes and guillemets have no straight form
  assert.equal(straightened(text), text);
  assert.equal(countCurly(text), 0);
});

test("a straightened text is as long as before, so that offsets stay valid", () => {
  const text = "🍕’s “é”";
  assert.equal(straightened(text), `🍕's "é"`);
  assert.equal(straightened(text).length, text.length);
});
