import assert from "node:assert/strict";
import test from "node:test";

import { scrolledAlike, scrollTogether } from "../../tokviz/widgets/tokens/scrolling.js";

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

test("each pane follows the other, and only while they show the same text", () => {
  const [text, tokens] = [new Pane(300), new Pane(500)];
  const leaving = new AbortController();
  let linked = true;
  scrollTogether(text, tokens, () => linked, leaving.signal);
  text.scrollTop = 100;
  assert.deepEqual([text.scrollTop, tokens.scrollTop], [100, 200]);
  tokens.scrollTop = 400;
  assert.deepEqual([text.scrollTop, tokens.scrollTop], [200, 400]);
  linked = false;
  text.scrollTop = 0;
  assert.equal(tokens.scrollTop, 400);
  linked = true;
  leaving.abort();
  text.scrollTop = 100;
  assert.equal(tokens.scrollTop, 400);
});
