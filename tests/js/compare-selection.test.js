import assert from "node:assert/strict";
import { beforeEach, describe, mock, test } from "node:test";

import { Selection } from "../../tokviz/widgets/compare/selection.js";
import { compared } from "./comparisons.js";

/** Longer than a segment is on the card before its sentences are requested. */
const LATER = 1000;

const TEXT = "abcdef";
const ONES = [1, 1, 1, 1, 1, 1];
const TWOS = compared(TEXT, [ONES, [2, 2, 2]], { reasons_1: Uint8Array.of(2, 4, 8) });
/** An explanation with these sentences. */
const explained = (...sentences) => ({
  splits: [],
  reasons: sentences.map((sentence) => sentence && { sentence, because: sentence, plain: sentence, reasons: 0, alone: [] }),
});
const WHY = explained("Why.");
const THREES = compared(TEXT, [ONES, [3, 3]]);

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
});

/** Let pending tasks run. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

/**
 * A selection in stand-ins for the page's parts, which record what they are told.
 *
 * @param {(segments: number[]) => Promise<any>} [explain]
 */
function page(explain = async () => [null]) {
  const known = new Map();
  const told = { card: [], chosen: [], scrolled: [], stoodAt: [], spoken: [], pageScrolls: 0, dockScrolls: 0 };
  const answers = { comparison: TWOS, reasonsRefusal: "", recall: (segment) => known.get(segment) ?? null, explain };
  const selection = new Selection({
    answers,
    views: {
      choose: (segment) => told.chosen.push(segment),
      scrollTo: (segment) => told.scrolled.push(segment),
      bringIntoView: () => told.pageScrolls++,
    },
    differences: {
      placeOf: (difference) => `Difference ${difference + 1}`,
      standAt: (segment) => told.stoodAt.push(segment),
    },
    dock: {
      explain: (segment, details) => told.card.push([segment, details?.bits ?? null, details?.explanation ?? null]),
      bringIntoView: () => told.dockScrolls++,
    },
    spoken: { replaceChildren: (...texts) => told.spoken.push(texts.join("")) },
  });
  return { answers, known, selection, told, onCard: () => told.card.at(-1)?.[0] };
}

describe("a new comparison", () => {
  test("of the same text keeps the selection at its place", () => {
    const { answers, selection, told } = page();
    selection.select(2); // “ef”, from byte 4
    answers.comparison = THREES;
    selection.show(THREES, TWOS);
    assert.equal(selection.byte, 3); // “def”
    assert.deepEqual([told.stoodAt.at(-1), told.scrolled], [1, [1]]);
  });

  test("that is alike after the selection has none", () => {
    const { answers, selection, onCard } = page();
    selection.select(2);
    answers.comparison = compared(TEXT, [ONES, [2, 1, 1, 1, 1]]);
    selection.show(answers.comparison, TWOS);
    assert.deepEqual([selection.byte, onCard()], [null, null]);
  });

  test("of another text has no selection", () => {
    const { answers, selection, onCard } = page();
    selection.select(2);
    answers.comparison = compared("abcdeX", [ONES, [2, 2, 2]]);
    selection.show(answers.comparison, TWOS);
    assert.deepEqual([selection.byte, onCard()], [null, null]);
  });

  test("starts once at the byte of a link", () => {
    const { selection, told } = page();
    selection.startAt(3);
    selection.show(TWOS, null);
    assert.equal(selection.byte, 2); // “cd” has byte 3
    selection.clear();
    selection.show(TWOS, TWOS);
    assert.equal(selection.byte, null);
    assert.deepEqual(told.scrolled, [1]);
  });

  test("has no selection if the link is to a byte after its end", () => {
    const { selection } = page();
    selection.startAt(6);
    selection.show(TWOS, null);
    assert.equal(selection.byte, null);
  });
});

describe("the page", () => {
  test("scrolls to a segment that the reader goes to, not to one that is revealed or selected in view", () => {
    const { selection, told } = page();
    selection.goTo(1);
    assert.equal(told.pageScrolls, 1);
    selection.reveal(2);
    selection.select(0);
    assert.deepEqual([told.pageScrolls, told.scrolled, told.chosen], [1, [1, 2], [1, 2, 0]]);
  });
});

describe("the card", () => {
  test("keeps the selected segment until it is deselected or selected again", () => {
    const { selection, onCard } = page();
    selection.select(1);
    selection.select(2);
    assert.equal(onCard(), 2);
    selection.select(2);
    assert.deepEqual([onCard(), selection.byte], [null, null]);
    selection.select(1);
    selection.clear();
    assert.equal(onCard(), null);
  });

  test("leaves a segment in sight that was selected in view", () => {
    const { selection, told } = page();
    selection.select(1);
    assert.deepEqual([told.dockScrolls, told.pageScrolls, told.scrolled], [1, 0, []]);
  });

  test("says nothing about a segment that all cut alike", () => {
    const { answers, selection, told } = page();
    answers.comparison = compared(TEXT, [ONES, [1, 1, 2, 2]]);
    selection.select(1);
    selection.select(2);
    assert.deepEqual(told.card, [[1, null, null], [2, 0, null]]);
  });

  test("gets the explanation a moment after its segment", async () => {
    const asked = [];
    const { known, selection, told } = page(async (segments) => {
      asked.push(...segments);
      known.set(1, WHY);
      return [WHY];
    });
    selection.select(0);
    selection.select(1);
    mock.timers.tick(LATER);
    await settled();
    assert.deepEqual(asked, [1]);
    assert.deepEqual(told.card.at(-1), [1, 4, WHY]);
  });

  test("does not get the explanation of a segment that it no longer has", async () => {
    const { known, selection, told } = page(async () => {
      selection.select(2);
      known.set(1, WHY);
      return [WHY];
    });
    selection.select(1);
    mock.timers.tick(LATER);
    await settled();
    assert.deepEqual(told.card, [[1, 4, null], [2, 8, null]]);
  });

  test("does not get the explanation of an earlier comparison", async () => {
    const { answers, selection, told } = page(async () => {
      answers.comparison = THREES;
      return [["Why."]];
    });
    selection.select(1);
    mock.timers.tick(LATER);
    await settled();
    assert.deepEqual(told.card.length, 1);
  });

  test("stays as it is if the explanation can't be loaded", async () => {
    const { selection, told } = page(() => Promise.reject(new TypeError()));
    selection.select(1);
    mock.timers.tick(LATER);
    await settled();
    assert.deepEqual(told.card, [[1, 4, null]]);
  });
});

test("how and why the selected segment is cut differently is spoken", () => {
  const { known, selection, told } = page();
  known.set(1, explained("One.", null, "Two.", "One."));
  selection.select(1);
  assert.deepEqual(told.spoken, ["Difference 2. tokenizer 0: “c” 2, “d” 3. tokenizer 1: “cd” 1. One. Two."]);
});
