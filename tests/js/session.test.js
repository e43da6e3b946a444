import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { createSession } from "../../tokviz/widgets/shared/session.js";

/** As much of an element as a click needs: a link, or what stands in one. */
class Element extends EventTarget {
  constructor(href = "") {
    super();
    this.href = this.pathname = href;
    this.isConnected = true;
    this.followed = 0;
  }
  closest() {
    return this.href ? this : null;
  }
  click() {
    if (press(this)) this.followed++;
  }
}

/** Click on something; whether the browser follows it. */
function press(target, keys = {}) {
  const event = Object.assign(new Event("click", { cancelable: true }), { button: 0, ...keys });
  Object.defineProperty(event, "target", { value: target });
  return document.dispatchEvent(event);
}

let page = 0;
let said;
let session;
let link;

beforeEach(() => {
  globalThis.document = new EventTarget();
  globalThis.Element = Element;
  session?.dispose(); // before the timers that it waits with are reset
  mock.timers.reset();
  globalThis.location = { pathname: `/${(page += 1)}` };
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
  said = {};
  session = createSession((name, value) => (said[name] = value));
  link = new Element("/compression");
});

test("a click on a link waits until the session has heard what it was told", () => {
  session.tell("text", "typed last");
  assert.equal(said.text, "typed last");
  link.click();
  assert.equal(link.followed, 0);
  session.hear(said.told);
  assert.equal(link.followed, 1);
});

test("every message is waited for, also of the same moment", () => {
  session.tell("text", "a");
  const first = said.told;
  session.tell("view", {});
  link.click();
  session.hear(first);
  assert.equal(link.followed, 0);
  session.hear(said.told);
  assert.equal(link.followed, 1);
});

test("where nothing was told, nothing waits", () => {
  link.click();
  location.pathname = "/another";
  session.tell("text", "a");
  session.hear(said.told);
  link.click();
  assert.equal(link.followed, 2);
});

test("a session that does not answer holds nobody for long", () => {
  session.tell("text", "a");
  link.click();
  mock.timers.tick(10_000);
  assert.equal(link.followed, 1);
});

test("what opens another tab, and what is no link, does not wait", () => {
  session.tell("text", "a");
  assert.equal(press(link, { ctrlKey: true }), true);
  assert.equal(press(link, { button: 1 }), true);
  assert.equal(press(new Element()), true);
});

test("a widget that is gone holds nothing", () => {
  session.tell("text", "a");
  link.click();
  session.dispose();
  assert.equal(link.followed, 1);
  link.click();
  assert.equal(link.followed, 2);
});

test("after a click nothing is told, which would take the reader back to the page that is left", () => {
  link.click();
  assert.equal(session.tell("text", "typed last"), false);
  assert.deepEqual(said, {});
  location.pathname = "/compression";
  session.dispose();
  mock.timers.tick(10_000);
  assert.deepEqual(said, {});
});

test("a server that takes long to change the page is told nothing meanwhile", () => {
  link.click();
  session.tell("text", "typed last");
  mock.timers.tick(20_000);
  assert.deepEqual(said, {});
});

test("a link to the page that is on screen leads nowhere: what is told is told at once", () => {
  new Element(location.pathname).click();
  assert.equal(session.tell("text", "a"), true);
});

test("what was not told is told where the page stays after all", () => {
  link.click();
  session.tell("text", "a");
  session.tell("view", { marks: false });
  link.click(); // waits for nothing that is not on its way
  assert.equal(link.followed, 2);
  mock.timers.tick(60_000);
  assert.deepEqual([said.text, said.view], ["a", { marks: false }]);
});

test("on the next page everything is told again", () => {
  link.click();
  location.pathname = "/compression";
  assert.equal(session.tell("text", "a"), true);
});
