import assert from "node:assert/strict";
import test from "node:test";

import { isWide, labelOf, markOf, saySigns, withSigns } from "../../tokviz/widgets/shared/text/invisibles.js";
import { computed } from "./computed.js";

const { spelled } = computed;

test("the server spells texts alike", () => {
  for (const [text, seen] of spelled) assert.equal(withSigns(text), seen);
});

test("each invisible character is written as a sign", () => {
  assert.equal(withSigns("a b"), "a·b");
  assert.equal(withSigns("    return"), "····return");
  assert.equal(withSigns(" x  y   "), "·x··y···");
  assert.equal(withSigns("one\n\ttwo"), "one↵→two");
  assert.equal(withSigns("a\u00a0b\u3000c"), "a[NBSP]b[U+3000]c");
  assert.equal(withSigns("a\u200bb\r\n"), "a[ZWSP]b[CR]↵");
  assert.equal(withSigns("‘it’s’ “so”"), "‘it’s’·“so”");
  assert.equal(withSigns("plain"), "plain");
});

test("a joiner or selector that is part of a drawn character has no mark", () => {
  for (const drawn of ["👩\u200d👧", "❤\ufe0f", "1\ufe0f\u20e3", "葛\ufe00", "क्\u200dष", "\u{1f3f4}\u{e0067}\u{e0062}\u{e007f}"])
    assert.equal(withSigns(drawn), drawn);
  assert.equal(withSigns("a\u200db"), "a[ZWJ]b");
  assert.equal(withSigns("👩\u200d"), "👩[ZWJ]"); // it joins nothing here
  assert.equal(withSigns("a\ufe0f"), "a[VS16]");
  assert.equal(withSigns("a\u{e0067}"), "a[tag g]");
});

test("visible signs have no mark", () => {
  for (const sign of ["\u0600", "\u06dd", "\u{110bd}"]) assert.equal(markOf(sign, ""), null);
});

test("short names are those of the Unicode code charts", () => {
  const names = { "\0": "NUL", "\x1b": "ESC", "\x1f": "US", "\x7f": "DEL", "\x85": "NEL", "\u00ad": "SHY", "\u200e": "LRM" };
  Object.assign(names, { "\u2028": "LS", "\u2060": "WJ", "\ufeff": "BOM", "\ufe00": "VS1", "\u{e0100}": "VS17" });
  Object.assign(names, { "\u{e0001}": "U+E0001", "\u2061": "U+2061", "\u{e01ef}": "VS256" });
  for (const [character, name] of Object.entries(names)) assert.equal(labelOf(character), name);
});

test("a mark between joined letters takes no space", () => {
  for (const character of ["\u200c", "\u200f", "\u2067", "\u00ad", "\u034f"]) assert.equal(markOf(character, "a")?.kind, "tick");
  for (const character of ["\0", "\u200b", "\ufeff"]) assert.equal(markOf(character, "a")?.kind, "label");
});

test("wide characters are recognized", () => {
  for (const text of ["🍕", "你", "あ", "한", "🇫🇷"]) assert.equal(isWide(text), true);
  for (const text of ["a", "é", "नी", "ش"]) assert.equal(isWide(text), false);
});

test("each sign has one meaning: no other space, dot or arrow looks like a space, a line end or a tab", () => {
  assert.equal(withSigns(" a\n\tb"), "·a↵→b");
  assert.equal(withSigns("10\u00a0km\u202fx\u3000y"), "10[NBSP]km[U+202F]x[U+3000]y");
  assert.equal(withSigns("col·lecció A → B ↵"), "col[·]lecció·A·[→]·B·[↵]");
  const alike = [" ", "\u00a0", "\u2009", "\u3000", "\u2800", "·", "\n", "↵", "\t", "→", "\u200b", "\u00ad"];
  assert.equal(new Set(alike.map(withSigns)).size, alike.length);
});

test("the signs that a text has are explained, and no others", () => {
  assert.equal(saySigns("a b\nc"), "· is a space, ↵ is a line end.");
  assert.equal(saySigns("\ta"), "→ is a tab.");
  assert.equal(saySigns("中文"), "");
});
