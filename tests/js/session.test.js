import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { createSession } from "../../tokviz/widgets/shared/page/session.js";

/** Mock element for clicks: a link, or an element inside one. */
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

/** Click on an element. Returns whether the browser follows the link. */
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

test("a click on a link waits until the session has received all messages", () => {
  session.send("text", "typed last");
  assert.equal(said.text, "typed last");
  link.click();
  assert.equal(link.followed, 0);
  session.acknowledge(said.sent);
  assert.equal(link.followed, 1);
});

test("every message is waited for, even simultaneous ones", () => {
  session.send("text", "a");
  const first = said.sent;
  session.send("view", {});
  link.click();
  session.acknowledge(first);
  assert.equal(link.followed, 0);
  session.acknowledge(said.sent);
  assert.equal(link.followed, 1);
});

test("without messages, nothing waits", () => {
  link.click();
  location.pathname = "/another";
  session.send("text", "a");
  session.acknowledge(said.sent);
  link.click();
  assert.equal(link.followed, 2);
});

test("an unresponsive session delays a click only briefly", () => {
  session.send("text", "a");
  link.click();
  mock.timers.tick(10_000);
  assert.equal(link.followed, 1);
});

test("links that open another tab, and other elements, don't wait", () => {
  session.send("text", "a");
  assert.equal(press(link, { ctrlKey: true }), true);
  assert.equal(press(link, { button: 1 }), true);
  assert.equal(press(new Element()), true);
});

test("a disposed widget doesn't delay clicks", () => {
  session.send("text", "a");
  link.click();
  session.dispose();
  assert.equal(link.followed, 1);
  link.click();
  assert.equal(link.followed, 2);
});

test("after a click no message is sent, which would lead back to the old page", () => {
  link.click();
  assert.equal(session.send("text", "typed last"), false);
  assert.deepEqual(said, {});
  location.pathname = "/compression";
  session.dispose();
  mock.timers.tick(10_000);
  assert.deepEqual(said, {});
});

test("no message is sent during a slow change of page", () => {
  link.click();
  session.send("text", "typed last");
  mock.timers.tick(20_000);
  assert.deepEqual(said, {});
});

test("a link to the current page doesn't delay messages", () => {
  new Element(location.pathname).click();
  assert.equal(session.send("text", "a"), true);
});

test("held messages are sent if the page doesn't change", () => {
  link.click();
  session.send("text", "a");
  session.send("view", { marks: false });
  link.click(); // waits for nothing that is not on its way
  assert.equal(link.followed, 2);
  mock.timers.tick(60_000);
  assert.deepEqual([said.text, said.view], ["a", { marks: false }]);
});

test("on the next page messages are sent again", () => {
  link.click();
  location.pathname = "/compression";
  assert.equal(session.send("text", "a"), true);
});
