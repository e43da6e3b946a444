import assert from "node:assert/strict";
import test from "node:test";

import { readEscapes, readPlainly } from "../../tokviz/widgets/shared/text/escapes.js";
import { halfAfter, halfBefore, MAX_IN_BOX, MAX_LINES_IN_BOX, PART_LENGTH, PART_LINES, partAround, sayPart } from "../../tokviz/widgets/shared/text/part.js";

const LINE = "0123456789abcde\n"; // divides PART_LENGTH
const LINES = LINE.repeat(10_000);
const PIZZAS = "🍕".repeat(80_000); // one line

test("a text that fits is in the box as a whole, wherever the caret is", () => {
  for (const length of [0, 1, MAX_IN_BOX]) {
    const text = "x".repeat(length);
    for (const caret of [0, length >> 1, length]) assert.deepEqual(partAround(text, caret), [0, length]);
  }
  assert.notDeepEqual(partAround("x".repeat(MAX_IN_BOX + 1), 0), [0, MAX_IN_BOX + 1]);
});

test("of a long text, whole lines around the caret are in the box", () => {
  for (const caret of [50_000, 80_000, 100_007]) {
    const [start, end] = partAround(LINES, caret);
    assert.deepEqual([start % LINE.length, end % LINE.length], [0, 0]);
    const [before, after] = [caret - start, end - caret];
    for (const side of [before, after]) assert.ok(Math.abs(side - PART_LENGTH / 2) <= LINE.length, `${caret}: ${side}`);
  }
});

test("the first and the last part end with the text", () => {
  for (const caret of [0, 10, PART_LENGTH / 2]) assert.deepEqual(partAround(LINES, caret), [0, PART_LENGTH]);
  for (const caret of [LINES.length, LINES.length - 10]) {
    const [start, end] = partAround(LINES, caret);
    assert.equal(end, LINES.length);
    assert.ok(start >= end - PART_LENGTH && start <= end - PART_LENGTH + LINE.length);
  }
});

test("a long line is cut between characters", () => {
  // Between two halves of the same character: the odd offsets.
  for (const caret of [60_001, 60_002, 80_003]) {
    const [start, end] = partAround(PIZZAS, caret);
    assert.deepEqual([start % 2, end % 2], [0, 0], `${caret}`);
    assert.ok(start < caret && caret < end);
  }
});

test("of lines that are longer than the box, the part around the caret is in it", () => {
  const text = `${"x".repeat(90_000)}\n`.repeat(3);
  for (const caret of [60_000, 135_000, 200_000]) {
    const [start, end] = partAround(text, caret);
    assert.deepEqual([caret - start, end - caret], [PART_LENGTH / 2, PART_LENGTH / 2]);
  }
});

test("a part of a long text is counted in code points of the text, not in editor positions or UTF-16 units", () => {
  const pizzas = readPlainly("🍕".repeat(1500));
  assert.equal(sayPart(pizzas, 0, 1000), "Code points 1 to 500 of 1,500.");
  assert.equal(sayPart(pizzas, 1000, 3000), "Code points 501 to 1,500 of 1,500.");
  const written = readEscapes("a\\r\n".repeat(100)); // three characters in four
  assert.equal(sayPart(written, 200, 400), "Code points 151 to 300 of 300.");
});

test("a text of many short lines is too long for the box as well", () => {
  assert.deepEqual(partAround("a\n".repeat(MAX_LINES_IN_BOX), 0), [0, 2 * MAX_LINES_IN_BOX]);
  const empty = "\n".repeat(60_000); // fewer characters than the box may hold
  for (const caret of [0, 7, 30_000, 59_999, 60_000]) {
    const [start, end] = partAround(empty, caret);
    assert.equal(end - start, PART_LINES, `${caret}`);
    assert.ok(start <= caret && caret <= end, `${caret}`);
  }
});

test("the next part begins where the last one ended, and the one before it ends where it began: no line is left out", () => {
  for (const text of [LINES, `${"x".repeat(32_005)}\n${"short\n".repeat(9_000)}`, "\n".repeat(60_000), "ab\n".repeat(20_000)]) {
    const [, end] = partAround(text, 0);
    assert.equal(partAround(text, halfAfter(text, end))[0], end);
    const [start] = partAround(text, text.length);
    const [further, until] = partAround(text, halfBefore(text, start));
    assert.ok(further < start && until >= start);
  }
});
