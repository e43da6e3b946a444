import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";

import { actionOf, KEYS } from "../../tokviz/widgets/replay/player/keys.js";
import { Player, SPEEDS } from "../../tokviz/widgets/replay/player/player.js";

/** Mocked animation frames, run by the test. @type {Map<number, (now: number) => void>} */
let frames;
let now;

beforeEach(() => {
  frames = new Map();
  now = 0;
  let number = 0;
  globalThis.requestAnimationFrame = (draw) => (frames.set(++number, draw), number);
  globalThis.cancelAnimationFrame = (frame) => frames.delete(frame);
  globalThis.performance = { now: () => now };
});

/** Advance the time at sixty frames per second. @param {number} seconds */
function pass(seconds) {
  for (let frame = 0; frame < seconds * 60; frame++) {
    now += 1000 / 60;
    const due = [...frames.values()];
    frames.clear();
    for (const draw of due) draw(now);
  }
}

/** A player with a given range of steps, the positions it shows, and which of them are animated. */
function playing({ from = 0, to, at = from, speed = "2", stops = [] }) {
  const [shown, animated] = [[], []];
  const player = new Player(speed, {
    moved: (isAnimated) => {
      shown.push(player.position);
      if (isAnimated) animated.push(player.position);
    },
    stops: (k) => stops.includes(k),
    playing: (on) => shown.push(on ? "plays" : "stops"),
    paused: () => shown.push("paused"),
  });
  player.load(from, to, at);
  shown.length = animated.length = 0;
  return { player, shown, animated };
}

describe("the player", () => {
  test("plays step by step to the end, and stops there", () => {
    const { player, shown } = playing({ from: -2, to: 3 });
    player.play();
    pass(5);
    assert.deepEqual(shown, ["plays", -1, 0, 1, 2, 3, "stops", "paused"]);
    assert.equal(frames.size, 0);
  });

  test("plays at its set speed", () => {
    for (const [speed] of SPEEDS) {
      const { player } = playing({ to: 400, speed });
      player.play();
      pass(5);
      const wanted = speed === "all" ? 100 : 5 * Number(speed);
      assert.ok(Math.abs(player.position - wanted) <= 1, `${speed}: ${player.position}`);
      player.pause();
    }
  });

  test("takes its first slow step early, and plays a short replay at a step per second", () => {
    const slow = playing({ to: 5, speed: "0.5" }).player;
    slow.play();
    pass(0.9);
    assert.equal(slow.position, 1);
    slow.pause();
    const short = playing({ to: 5, speed: "all" }).player;
    short.play();
    pass(2.5);
    assert.equal(short.position, 3);
  });

  test("starts over when played at the end", () => {
    const { player, shown } = playing({ to: 2, at: 2 });
    player.play();
    pass(0.1);
    assert.deepEqual(shown.slice(0, 2), [0, "plays"]);
  });

  test("does not start without steps", () => {
    const { player, shown } = playing({ to: 0 });
    player.play();
    assert.deepEqual([shown, frames.size], [[], 0]);
  });

  test("never skips a position at which it must stop", () => {
    const { player, shown } = playing({ to: 5000, speed: "all", stops: [7, 100] });
    player.play();
    pass(3);
    assert.deepEqual([player.position, shown.includes(7), player.isPlaying], [7, true, false]);
    player.next();
    player.play();
    pass(3);
    assert.equal(player.position, 100);
  });

  test("has stopped before it shows a position at which it must stop, and skipped nothing there", () => {
    const { player, shown } = playing({ to: 5, stops: [2] });
    player.play();
    pass(5);
    assert.deepEqual(shown, ["plays", 1, "stops", 2]);
    player.play();
    player.seek(2);
    assert.deepEqual(shown.slice(4), ["plays", "stops", 2]);
  });

  test("says when it was paused at a position that it had shown", () => {
    const { player, shown } = playing({ to: 5 });
    player.play();
    player.pause();
    player.pause();
    assert.deepEqual(shown, ["plays", "stops", "paused"]);
  });

  test("takes no step after it was paused, and asks for no frame", () => {
    const { player } = playing({ to: 50, speed: "60" });
    player.play();
    pass(0.5);
    player.pause();
    const { position } = player;
    assert.equal(frames.size, 0);
    pass(0.5);
    assert.equal(player.position, position);
  });

  test("animates steps forward, unless they follow each other too fast", () => {
    for (const [speed, seen] of [["2", [1, 2, 3]], ["4", []]]) {
      const { player, animated } = playing({ to: 3, speed });
      player.play();
      pass(5);
      assert.deepEqual(animated, seen, speed);
    }
    const { player, animated } = playing({ to: 3, speed: "60" });
    player.next();
    player.seek(2);
    player.back();
    player.next();
    assert.deepEqual(animated, [1, 2]);
    player.play();
    player.next();
    assert.deepEqual(animated, [1, 2]);
  });

  test("tells whether captions can be read and merges be seen at its speed", () => {
    const found = SPEEDS.map(([speed]) => playing({ to: 400, speed }).player);
    assert.deepEqual(found.map((player) => player.isFast), [false, false, true, true, true, true, true]);
    assert.deepEqual(found.map((player) => player.isSlow), [true, true, true, false, false, false, false]);
    const { player } = playing({ to: 20, speed: "all" });
    assert.deepEqual([player.isFast, player.isSlow], [false, true], "20 steps in 20 seconds");
  });

  test("stays within the replay", () => {
    const { player } = playing({ from: -2, to: 3 });
    const after = (act) => (act(), player.position);
    assert.equal(after(() => player.seek(-Infinity)), -2);
    assert.equal(after(() => player.back()), -2);
    assert.equal(after(() => player.seek(99)), 3);
    assert.equal(after(() => player.next()), 3);
    assert.equal(after(() => player.back()), 2);
  });

  test("continues from a position sought during playback", () => {
    const { player } = playing({ to: 100 });
    player.play();
    pass(2);
    player.seek(50);
    pass(2);
    assert.ok(player.isPlaying && player.position >= 53 && player.position <= 54, String(player.position));
  });

  test("stops when disposed or given another replay", () => {
    for (const end of ["dispose", "load"]) {
      const { player, shown } = playing({ to: 100 });
      player.play();
      pass(1);
      player[end](0, 100, 0);
      shown.length = 0;
      pass(2);
      assert.deepEqual([shown, frames.size, player.isPlaying], [[], 0, false], end);
    }
  });
});

describe("its keys", () => {
  class Element {
    constructor(name, rest = {}) {
      Object.assign(this, { classes: [] }, rest);
      this.name = name;
      this.classList = { contains: (one) => this.classes.includes(one) };
    }
    closest(names) {
      return names.split(", ").includes(this.name) ? this : null;
    }
  }
  class Input extends Element {}
  class Area extends Element {}
  class Select extends Element {}
  const body = new Element("body");

  /** Action of a key while an element has focus. */
  const act = (key, target = body, rest = {}) => actionOf({ key, composedPath: () => [target], ...rest });

  beforeEach(() => {
    Object.assign(globalThis, { HTMLElement: Element, HTMLInputElement: Input });
    Object.assign(globalThis, { HTMLTextAreaElement: Area, HTMLSelectElement: Select });
  });

  test("do what the help says", () => {
    const does = {
      next: [" ", "ArrowRight", "PageDown"],
      back: ["ArrowLeft", "PageUp"],
      toggle: ["p", "P"],
      first: ["Home"],
      last: ["End"],
      release: ["Escape"],
      help: ["?"],
    };
    for (const [action, keys] of Object.entries(does)) for (const key of keys) assert.equal(act(key), action);
    for (const key of ["x", "Enter", "Tab"]) assert.equal(act(key), null);
    assert.match(KEYS[0].join(), /space.*next/);
  });

  test("leave the space bar to a focused button", () => {
    for (const name of ["button", "summary", "a"]) {
      assert.equal(act(" ", new Element(name)), null);
      assert.equal(act("ArrowRight", new Element(name)), "next");
    }
    assert.equal(act(" ", new Input("input", { type: "checkbox" })), null);
  });

  test("are ignored in text fields, but not on the track or a switch", () => {
    const typing = [new Input("input", { type: "text" }), new Area("textarea"), new Select("select")];
    typing.push(new Element("div", { isContentEditable: true }), new Input("input", { type: "range" }));
    for (const target of typing) for (const key of [" ", "p", "ArrowLeft", "Escape", "?"]) assert.equal(act(key, target), null);
    assert.equal(act("ArrowLeft", new Input("input", { type: "range", classes: ["step-track"] })), "back");
    assert.equal(act("p", new Input("input", { type: "checkbox" })), "toggle");
  });

  test("are ignored with Ctrl, Alt or Meta, during composition, or if already handled", () => {
    for (const also of ["ctrlKey", "altKey", "metaKey", "isComposing", "defaultPrevented"])
      assert.equal(act("p", body, { [also]: true }), null);
  });
});
