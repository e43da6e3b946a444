import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { Selection } from "../../tokviz/widgets/tokens/selection.js";
import { tokensFrom } from "./pieces.js";

/** Longer than the pause in typing after which the caret's token is scrolled into view. */
const PAUSE = 200;

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  globalThis.requestAnimationFrame = (draw) => setTimeout(draw, 0);
  globalThis.cancelAnimationFrame = clearTimeout;
});

/** Let the frame after an answer pass, but no pause in typing. */
function nextFrame() {
  mock.timers.tick(1);
  mock.timers.tick(1);
}

/** A selection over stand-ins for the page's parts, which record what they are told. @param {string[]} tokens */
function page(tokens) {
  let edited = tokens.join("");
  const answers = {
    model: tokensFrom(tokens),
    get current() {
      return this.model?.text === edited ? this.model : null;
    },
  };
  const view = {
    selected: null,
    id: null,
    scrolls: 0,
    select(i, { scroll = false } = {}) {
      this.selected = i;
      if (scroll) this.scrolls++;
    },
    highlightId: (id) => (view.id = id),
    caretAt() {},
    scrollTo: () => view.scrolls++,
  };
  const card = {
    token: null,
    isOpen: false,
    pointed: null,
    shown: [],
    point: (i) => (card.pointed = i),
    keep(i) {
      card.shown.push((card.token = i));
      card.isOpen = i !== null;
    },
    set: (i) => (card.token = i),
    waits: 0,
    loadSoon: () => card.waits++,
  };
  const editor = { ranges: [], pointed: [], select: (...range) => editor.ranges.push(range), point: (range) => editor.pointed.push(range) };
  const selection = new Selection({ answers, view, card, editor, lead() {} });
  return {
    ...{ answers, view, card, editor, selection },
    /** @param {string[]} tokens @param {number | null} followed where the view finds its selected token again */
    retokenize(tokens, followed) {
      const before = answers.model;
      answers.model = tokensFrom(tokens);
      view.selected = followed;
      selection.keep(before);
      selection.followCaret();
    },
    type: (text) => (edited = text),
    /** @param {number} i a token clicked in the view, which deselects its selected one */
    click(i) {
      view.selected = view.selected === i ? null : i;
      selection.selectInText(view.selected);
    },
    state: () => [view.selected, card.token, card.isOpen],
  };
}

test("a token that is pointed at is underlined in the editor, but only in its own text", () => {
  const { selection, type, editor } = page(["The", " cat"]);
  selection.point(1);
  selection.point(null);
  type("The dog");
  selection.point(1);
  assert.deepEqual(editor.pointed, [[3, 7], null, null]);
});

test("a clicked token is on the card and in the editor; a second click lets go of it", () => {
  const { click, state, editor } = page(["The", " cat", " sat"]);
  click(1);
  assert.deepEqual([state(), editor.ranges], [[1, 1, true], [[3, 7, false]]]);
  click(1);
  assert.deepEqual([state(), editor.ranges.length], [[null, null, false], 1]);
});

test("pointing at a token leaves the selected one on the card", () => {
  const { selection, click, card, view, answers } = page(["The", " cat", " sat"]);
  click(1);
  selection.point(2);
  assert.deepEqual([card.token, card.pointed, view.id], [1, 2, answers.model.ids[2]]);
  selection.point(null);
  assert.deepEqual([card.token, card.pointed, view.id], [1, null, answers.model.ids[1]]);
});

test("pointing at an id counts its tokens; one that does not occur changes nothing", () => {
  const { selection, view, answers } = page(["a", "b", "a"]);
  const { ids } = answers.model;
  assert.deepEqual([selection.pointAtId(ids[0]), view.id, view.scrolls], [2, ids[0], 1]);
  assert.deepEqual([selection.pointAtId(-5), view.id, view.scrolls], [0, ids[0], 1]);
});

test("the first click on the caret's token keeps it selected, the second lets go of it", () => {
  const { selection, click, state, view } = page(["The", " cat", " sat"]);
  selection.caretMoved(4);
  mock.timers.tick(PAUSE);
  assert.deepEqual([state(), view.scrolls], [[1, null, false], 1]);
  click(1);
  assert.deepEqual(state(), [1, 1, true]);
  click(1);
  assert.deepEqual(state(), [null, null, false]);
});

test("a click right after the caret has moved wins", () => {
  const { selection, click, state } = page(["The", " cat", " sat"]);
  selection.caretMoved(0);
  click(2);
  mock.timers.tick(PAUSE);
  assert.deepEqual(state(), [2, 2, true]);
});

test("another tokenizer selects the token at the same place in the text", () => {
  const { click, retokenize, state } = page(["The", " c", "at"]);
  click(2);
  retokenize(["T", "he", " ", "cat"], null);
  assert.deepEqual(state(), [3, 3, true]);
});

test("where tokens may change in every frame, the card is drawn when they rest", () => {
  const { answers, card, click, selection, state } = page(["The", " c", "at"]);
  click(2);
  const [before, { length }] = [answers.model, card.shown];
  answers.model = tokensFrom(["T", "he", " ", "cat"]);
  selection.keep(before, true);
  assert.deepEqual([state(), card.shown.length, card.waits], [[3, 3, true], length, 1]);
});

test("that place is the start of the selected token, even if the caret in it selected it", () => {
  const { selection, retokenize, state } = page(["The", " cat"]);
  selection.caretMoved(6);
  mock.timers.tick(PAUSE);
  retokenize(["The", " c", "at"], null);
  mock.timers.tick(PAUSE);
  assert.deepEqual(state(), [1, null, false]);
});

test("after an edit the selected token is the one that the view found again, or none", () => {
  const { click, type, retokenize, state } = page(["The", " cat", " sat"]);
  click(2);
  type("The old cat sat");
  retokenize(["The", " old", " cat", " sat"], 3);
  assert.deepEqual(state(), [3, 3, true]);
  type("The old cat");
  retokenize(["The", " old", " cat"], null);
  assert.deepEqual(state(), [null, null, false]);
});

test("while typing, an open card follows the caret in the frame of the answer, and scrolls only in a pause", () => {
  const { selection, click, type, retokenize, card, view, state } = page(["The", " cat"]);
  click(1);
  selection.caretMoved(6);
  mock.timers.tick(PAUSE);
  card.shown.length = view.scrolls = 0;
  type("The cats");
  selection.caretMoved(7, true);
  retokenize(["The", " cats"], null);
  assert.deepEqual([card.token, card.shown], [null, []], "its token is gone, and not shown meanwhile");
  nextFrame();
  assert.deepEqual([state(), view.scrolls], [[1, 1, true], 0]);
  mock.timers.tick(PAUSE);
  assert.deepEqual([state(), view.scrolls], [[1, 1, true], 1]);
});

test("typing selects no token, and shows where the caret is in a pause", () => {
  const { selection, type, retokenize, card, view, state } = page(["The", " cat"]);
  type("The cats");
  selection.caretMoved(7, true);
  retokenize(["The", " cats"], null);
  nextFrame();
  mock.timers.tick(PAUSE);
  assert.deepEqual([state(), view.scrolls, card.shown], [[null, null, false], 1, []]);
});

test("typing after the caret was moved, before its token is selected, selects none", () => {
  const { selection, type, retokenize, state } = page(["The", " cat"]);
  selection.caretMoved(1);
  type("TXhe cat");
  selection.caretMoved(1, true);
  retokenize(["T", "X", "he", " cat"], null);
  mock.timers.tick(PAUSE);
  assert.deepEqual(state(), [null, null, false]);
});

test("an answer that typing has overtaken leaves it to the next one to follow the caret", () => {
  const { selection, type, retokenize, state } = page(["The", " cat"]);
  selection.caretMoved(6);
  mock.timers.tick(PAUSE);
  selection.caretMoved(8);
  type("The catsx");
  retokenize(["The", " cats"], null);
  nextFrame();
  assert.equal(state()[0], null);
  retokenize(["The", " cats", "x"], null);
  nextFrame();
  assert.deepEqual(state(), [2, null, false]);
});

test("the caret selects nothing while its text has no tokens yet, and then its token", () => {
  const { selection, type, retokenize, state, card } = page(["The"]);
  type("The cat");
  selection.caretMoved(6);
  mock.timers.tick(PAUSE);
  assert.deepEqual(state(), [null, null, false]);
  retokenize(["The", " cat"], null);
  mock.timers.tick(PAUSE);
  assert.deepEqual([state(), card.shown], [[1, null, false], []]);
});

test("a replaced text has no selection, wherever the caret was", () => {
  const { selection, type, retokenize, card } = page(["The", " cat"]);
  selection.caretMoved(6);
  mock.timers.tick(PAUSE);
  selection.caretMoved(1);
  type("A dog");
  selection.clear();
  assert.deepEqual([card.token, card.isOpen], [null, false]);
  retokenize(["A", " dog"], null);
  mock.timers.tick(PAUSE);
  assert.deepEqual([card.token, card.isOpen], [null, false]);
});

test("a text replaced before its first tokens forgets the caret too", () => {
  const { selection, answers, state } = page(["A", " dog"]);
  const { model } = answers;
  answers.model = null;
  selection.caretMoved(2);
  selection.clear();
  answers.model = model;
  selection.followCaret();
  mock.timers.tick(PAUSE);
  assert.deepEqual(state(), [null, null, false]);
});

test("closing the card deselects in the text too", () => {
  const { selection, click, state } = page(["The", " cat"]);
  click(1);
  selection.close();
  assert.deepEqual(state(), [null, null, false]);
});

test("the editor gets the selected token, but only of its own text", () => {
  const { selection, click, type, editor } = page(["The", " cat"]);
  selection.edit();
  assert.deepEqual(editor.ranges, []);
  click(1);
  selection.edit();
  assert.deepEqual(editor.ranges, [[3, 7, false], [3, 7, true]]);
  type("Cat");
  selection.edit();
  click(0);
  assert.equal(editor.ranges.length, 2);
});

test("who scrolls while typing pauses stays there, until the caret moves again", () => {
  const { selection, click, view, state } = page(["The", " cat", " sat"]);
  selection.caretMoved(4, true);
  selection.hasScrolled = true;
  mock.timers.tick(PAUSE);
  assert.equal(view.scrolls, 0);
  selection.caretMoved(5, true);
  mock.timers.tick(PAUSE);
  assert.equal(view.scrolls, 1);
  click(0);
  selection.caretMoved(8);
  selection.hasScrolled = true;
  mock.timers.tick(PAUSE);
  assert.deepEqual([state(), view.scrolls], [[2, 2, true], 1]);
});
