import assert from "node:assert/strict";
import test, { beforeEach } from "node:test";

import { scrolledAlike, scrollTogether } from "../../tokviz/widgets/tokens/scrolling.js";

beforeEach(() => {
  globalThis.ResizeObserver = /** @type {any} */ (class {
    observe() {}
    disconnect() {}
  });
});

/** A pane of 100 px that scrolls. */
class Pane extends EventTarget {
  clientHeight = 100;
  #place = 0;

  /** @param {number} scrollHeight */
  constructor(scrollHeight) {
    super();
    this.scrollHeight = scrollHeight;
  }

  get scrollTop() {
    return this.#place;
  }

  set scrollTop(place) {
    this.#place = place;
    this.dispatchEvent(new Event("scroll"));
  }
}

test("both panes show the same share", () => {
  assert.equal(scrolledAlike({ scrollTop: 50, scrollHeight: 200, clientHeight: 100 }, { scrollHeight: 400, clientHeight: 100 }), 150);
  assert.equal(scrolledAlike({ scrollTop: 0, scrollHeight: 100, clientHeight: 100 }, { scrollHeight: 400, clientHeight: 100 }), 0);
});

test("where both are about as high, both show the same lines, and both their ends", () => {
  const follower = { scrollHeight: 1020, clientHeight: 100 };
  assert.equal(scrolledAlike({ scrollTop: 500, scrollHeight: 1000, clientHeight: 100 }, follower), 500);
  assert.equal(scrolledAlike({ scrollTop: 900, scrollHeight: 1000, clientHeight: 100 }, follower), 920);
});

/** @param {Pane} pane @param {string} wish @param {number} place */
function scrollBy(pane, wish, place) {
  pane.dispatchEvent(new Event(wish));
  pane.scrollTop = place;
}

test("each pane follows the other where the reader scrolls it, and only while they show the same text", () => {
  const [text, tokens] = [new Pane(300), new Pane(500)];
  const leaving = new AbortController();
  let linked = true;
  scrollTogether(text, tokens, () => linked, leaving.signal);
  scrollBy(text, "wheel", 100);
  assert.deepEqual([text.scrollTop, tokens.scrollTop], [100, 200]);
  scrollBy(tokens, "touchstart", 400);
  assert.deepEqual([text.scrollTop, tokens.scrollTop], [200, 400]);
  linked = false;
  scrollBy(text, "keydown", 0);
  assert.equal(tokens.scrollTop, 400);
  linked = true;
  leaving.abort();
  scrollBy(text, "pointerdown", 100);
  assert.equal(tokens.scrollTop, 400);
});

test("after a change of size, the other pane follows the one that was scrolled last, also by a map", () => {
  const [text, tokens] = [new Pane(300), new Pane(500)];
  const { align, lead } = scrollTogether(text, tokens, () => true, new AbortController().signal);
  align();
  scrollBy(text, "wheel", 100);
  tokens.scrollHeight = 300;
  align();
  assert.deepEqual([text.scrollTop, tokens.scrollTop], [100, 100]);
  lead(tokens);
  tokens.scrollTop = 50;
  assert.equal(text.scrollTop, 50);
});

test("what scrolls by itself takes the other pane nowhere", () => {
  const [text, tokens] = [new Pane(300), new Pane(500)];
  scrollTogether(text, tokens, () => true, new AbortController().signal);
  tokens.scrollTop = 400;
  assert.equal(text.scrollTop, 0);
  scrollBy(text, "keydown", 50);
  tokens.scrollTop = 300;
  assert.equal(text.scrollTop, 50);
});
