import assert from "node:assert/strict";
import { beforeEach, describe, mock, test } from "node:test";

import { Display } from "../../tokviz/widgets/replay/player/display.js";
import { TokenSelection } from "../../tokviz/widgets/replay/stage/selection.js";
import { Questions } from "../../tokviz/widgets/replay/predict/questions.js";
import { tinyReplay } from "./tinyreplay.js";

/** Times at which an animated merge changes the counts, and marks the next pair. */
const [COUNTS, NEXT] = [240, 400];

let reducedMotion;

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  reducedMotion = false;
  globalThis.matchMedia = () => ({ matches: reducedMotion });
  globalThis.document = { createElement: () => ({ append() {}, setAttribute() {}, addEventListener() {} }) };
});

/** Mock element that records the texts it is filled with. @param {string[]} texts @param {Record<string, any>} [rest] */
const box = (texts, rest = {}) => ({
  replaceChildren: (...children) => texts.push(children.filter((child) => typeof child === "string").join("")),
  addEventListener() {},
  scrollIntoView() {},
  ...rest,
});

/** A display of the tiny replay, a player at a position, and what is drawn where. @param {{predict?: boolean}} [choices] */
function display({ predict = false } = {}) {
  const drawn = [];
  const [captions, spoken] = [[], []];
  const note = (/** @type {string} */ what) => () => void drawn.push(what);
  const stageNote = (/** @type {string} */ what) => ({ k, next }) => void drawn.push(`${what} ${k}${next ? " with next" : ""}`);
  const parts = {
    stage: { show: stageNote("stage"), join: stageNote("join"), scrollToNext: note("scroll"), keepsTower: () => false, prefersTower: () => false, tintOf: () => 0, dispose() {}, from: 0, node: { toggleAttribute() {} } },
    overview: { load() {}, show: (_, next) => void drawn.push(next ? "overview with next" : "overview") },
    timeline: { load() {}, show: (k, seesAhead) => void drawn.push(`timeline ${k}${seesAhead ? "" : ", rest hidden"}`) },
    merges: { load() {}, show: (_, seesAhead) => seesAhead || drawn.push("merges so far") },
    caption: box(captions, { classList: { toggle() {} } }),
    spoken: box(spoken),
    figures: box([]),
    bars: { node: {}, show: note("bars"), showPieces: note("pieces"), clear: note("no bars") },
    vote: { node: box([]), ask: (_, __, pairs) => void drawn.push(`${pairs.length} choices`), clear: note("no choices"), showPlayed: (_, __, state) => void drawn.push(state) },
    card: { follow() {}, dispose() {} },
    letters: { show() {} },
    lookup: { node: box([], { open: false }), show: note("decode") },
    wayBack: { isOn: false, load() {}, dispose() {} },
  };
  const player = { position: 0, isPlaying: false, isSlow: true, isFast: false };
  const [questions, selection] = [new Questions({ predict, asks: "choices" }, () => true), new TokenSelection()];
  const replay = tinyReplay();
  selection.load(replay);
  questions.load(replay);
  const shown = new Display(parts, { player, questions, selection, choices: { writing: "text" } });
  shown.load(replay);
  /** What was drawn since the last call. */
  const news = () => drawn.splice(0);
  return { display: shown, parts, player, questions, captions, spoken, news };
}

const REST = (/** @type {number} */ k) => [`timeline ${k}`, "overview with next", "bars", "no choices"];

describe("a step forward", () => {
  test("joins the pair, then changes the counts, then marks the next pair", () => {
    const { display: shown, player, news } = display();
    player.position = 1;
    shown.showPosition(true);
    assert.deepEqual(news(), ["join 1"]);
    mock.timers.tick(COUNTS - 1);
    assert.deepEqual(news(), []);
    mock.timers.tick(1);
    assert.deepEqual(news(), REST(1));
    mock.timers.tick(NEXT - COUNTS);
    assert.deepEqual(news(), ["stage 1 with next", "scroll"]);
  });

  test("is drawn at once with reduced motion, after a seek, and where no merge was done", () => {
    const { display: shown, player, news } = display();
    const all = (/** @type {number} */ k) => [`stage ${k} with next`, ...REST(k), "scroll"];
    reducedMotion = true;
    player.position = 1;
    shown.showPosition(true);
    assert.deepEqual(news(), all(1));
    reducedMotion = false;
    shown.showPosition(false);
    assert.deepEqual(news(), all(1));
    player.position = 0;
    shown.showPosition(true);
    assert.deepEqual(news(), all(0));
  });

  test("that is left leaves nothing to be drawn later", () => {
    for (const leave of ["showPosition", "dispose"]) {
      const { display: shown, player, news } = display();
      player.position = 1;
      shown.showPosition(true);
      player.position = 0;
      shown[leave](false);
      news();
      mock.timers.tick(NEXT);
      assert.deepEqual(news(), [], leave);
    }
  });
});

describe("a question", () => {
  test("takes the place of the caption, the pairs and everything ahead", () => {
    const { display: shown, captions, spoken, news } = display({ predict: true });
    shown.showPosition(false);
    for (const text of [captions.at(-1), spoken.at(-1)]) assert.match(text, /^Which of these pairs was learned earliest\?/);
    assert.deepEqual(news(), ["stage 0", "timeline 0, rest hidden", "merges so far", "overview", "no bars", "3 choices", "scroll"]);
  });

  test("leaves its verdict on screen after the answer, and what is ahead hidden", () => {
    const { display: shown, questions, captions, news } = display({ predict: true });
    shown.showPosition(false);
    news();
    questions.reveal(0);
    shown.showAll();
    assert.match(captions.at(-1), /was learned earliest/);
    const drawn = ["stage 0 with next", "timeline 0, rest hidden", "merges so far", "overview with next", "bars", "scroll"];
    assert.deepEqual(news(), drawn);
  });

  test("whose answer is come back to from another question has no choices, only what goes on", () => {
    const { display: shown, player, questions, news } = display({ predict: true });
    questions.reveal(0);
    player.position = 1;
    shown.showPosition(false);
    news();
    player.position = 0;
    shown.showPosition(false);
    assert.ok(news().includes("alone"));
  });

  test("is not asked at the end, where nothing is hidden from the track", () => {
    const { display: shown, player, news } = display({ predict: true });
    player.position = 3;
    shown.showPosition(false);
    const drawn = news();
    assert.ok(drawn.includes("timeline 3") && drawn.includes("over"));
  });
});

describe("fast playback", () => {
  /** Play with frames at these times, in ms, each a step further. @param {number[]} times */
  function playAt(times) {
    const page = display();
    Object.assign(page.player, { isPlaying: true, isSlow: false, isFast: true });
    times.forEach((time, i) => {
      globalThis.performance = { now: () => time };
      page.player.position = i + 1;
      page.display.showPosition(false);
    });
    return page;
  }

  test("counts the pairs ten times a second, does not scroll, and says nothing", () => {
    const { news, spoken, captions } = playAt([1000, 1050, 1100]);
    const counted = ["overview with next", "bars", "no choices"];
    assert.deepEqual(news(), [
      ...["stage 1 with next", "timeline 1", ...counted],
      ...["stage 2 with next", "timeline 2"],
      ...["stage 3 with next", "timeline 3", ...counted],
    ]);
    assert.deepEqual([spoken.length, captions.length], [0, 3]);
  });

  test("is caught up with at its end: the pairs, and what the steps came to", () => {
    const { display: shown, player, spoken, news } = playAt([1000, 1050]);
    news();
    player.isPlaying = false;
    shown.catchUp();
    assert.deepEqual(news(), ["stage 2 with next", ...REST(2), "scroll"]);
    assert.match(spoken.at(-1), /^Step 2 of 3: 3 tokens\. Of all pairs that may join, /);
  });

  test("leaves nothing to catch up with at a speed that can be read", () => {
    const { display: shown, news } = display();
    shown.catchUp();
    assert.deepEqual(news(), []);
  });
});

test("tokens are decoded only while that is open, and not during playback", () => {
  const { display: shown, parts, player, news } = display();
  const isDecoded = () => (shown.showPosition(false), news().includes("decode"));
  assert.equal(isDecoded(), false);
  parts.lookup.node.open = true;
  assert.equal(isDecoded(), true);
  player.isPlaying = true;
  assert.equal(isDecoded(), false);
});
