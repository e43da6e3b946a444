/**
 * A text whose merges are learned from itself, one after the other, and the context windows that its tokens fill: their
 * number falls while the merges play, and grows again on the way back.
 */

import { button, element, fill, number, plural } from "../../shared/dom/elements.js";
import { Latest } from "../../shared/net/latest.js";
import { makeTokenization } from "../../shared/text/tokenization.js";
import { createSegments } from "../../shared/ui/segments.js";
import { makeReplay } from "../../replay/model/replay.js";
import { TokenView } from "../../token_view/view.js";
import { createOwnText } from "../owntext.js";

/** @typedef {import("../../replay/model/replay.js").Replay} Replay */

const SAMPLE = "training-anna-karenina";
/** @type {["anna" | "own", string][]} */
const TEXTS = [["anna", "Anna Karenina"], ["own", "your own text"]];
const WINDOW = 50;
const STEP_MS = 700;
/** Longest text of the reader's own that is shown, in characters. */
const MAX_SHOWN = 5_000;
const LEARNING = { pattern: "none", merges: 20, alphabet: "bytes", ties: "first-seen", end_of_word: false };

/** @param {import("../figures.js").Context} context @returns {import("../figures.js").Figure} */
export function createWindows(context) {
  /** @type {"anna" | "own"} */
  let which = "anna";
  let sample = "";
  /** @type {Replay | null} */
  let replay = null;
  let step = 0;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let playing;

  const own = createOwnText(context, () => which === "own" && void learn());
  const choice = createSegments("Text", TEXTS, which, (value) => (choose(value), context.changed()));
  const play = button("play", () => (playing === undefined ? start() : stop()), { class: "button play" });
  const slider = element("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": "Merges", input: () => (stop(), go(Number(slider.value))) });
  const at = element("span", { class: "quiet" });
  const says = element("p", { class: "says", role: "status" });
  const count = element("p", { class: "large-count" });
  const pane = element("div", { class: "text-pane" });
  const problem = element("p", { class: "problem", role: "alert" });
  const view = new TokenView(pane, { onPoint() {}, onSelect() {} }, "Tokens in their windows");
  const learning = new Latest(
    (/** @type {{text: string}} */ { text }, /** @type {AbortSignal} */ signal) => context.client.columns("replay/learn", LEARNING, text, signal),
    { refusal: (message) => fill(problem, message), connection: context.connection },
  );
  const node = element("div", { class: "windows" }, element("div", { class: "row" }, choice.node, count), own.node, element("div", { class: "row player" }, play, slider, at), says, pane, problem);
  own.node.hidden = true;

  /** @param {string} value */
  function choose(value) {
    which = value === "own" ? "own" : "anna";
    choice.show(which);
    own.node.hidden = which !== "own";
    void learn();
  }

  async function learn() {
    stop();
    const text = which === "own" ? own.text().slice(0, MAX_SHOWN).toWellFormed() : (sample ||= (await context.client.sample(SAMPLE)).text);
    const columns = await learning.ask({ text });
    if (!columns) return;
    fill(problem);
    replay = makeReplay(columns);
    slider.max = String(replay.steps);
    go(0);
  }

  /** @param {number} k merges are applied */
  function go(k) {
    if (!replay) return;
    step = k;
    slider.value = String(k);
    fill(at, `${k} of ${replay.steps} merges`);
    const tokens = tokensAfter(replay, k);
    const windows = Int32Array.from(tokens.ids, (_, i) => Math.floor(i / WINDOW));
    view.show(makeTokenization(replay.text, tokens), { colorBy: "pretoken", pretokenIndex: windows });
    fill(count, element("b", {}, number(Math.ceil(tokens.ids.length / WINDOW))), ` windows, ${plural(tokens.ids.length, "token")}`);
    fill(says, sayStep(replay, k));
  }

  function start() {
    if (!replay || !replay.steps) return;
    if (step === replay.steps) go(0);
    fill(play, "pause");
    playing = setInterval(() => (replay && step < replay.steps ? go(step + 1) : stop()), STEP_MS);
  }

  function stop() {
    clearInterval(playing);
    playing = undefined;
    fill(play, "play");
  }

  return {
    node,
    value: () => which,
    show(value) {
      own.show("the cat in the hat sat on the mat");
      choose(value);
    },
    dispose() {
      stop();
      for (const part of [own, view, learning]) part.dispose();
    },
  };
}

/** Columns of the tokens after k steps. @param {Replay} replay @param {number} k @returns {any} */
export function tokensAfter({ n, removedAt, symbols, byteOffsets, joinedTo, newIds }, k) {
  const starts = [];
  for (let i = 0; i < n; i++) if (!i || removedAt[i] >= k) starts.push(i);
  const ends = [...starts.slice(1), n];
  const made = new Map();
  for (let i = 0; i < n; i++) if (removedAt[i] < k) made.set(joinedTo[i], Math.max(made.get(joinedTo[i]) ?? -1, removedAt[i]));
  return {
    ids: Int32Array.from(starts, (start) => (made.has(start) ? newIds[made.get(start)] : symbols[start])),
    byte_lengths: Int32Array.from(starts, (start, i) => byteOffsets[ends[i]] - byteOffsets[start]),
    special: new Uint8Array(starts.length),
  };
}

/** Say what the last of k merges joined. @param {Replay} replay @param {number} k */
function sayStep({ steps, lefts, rights, bytes, places, tokenCounts }, k) {
  if (!steps) return "No pair stands here twice, so there is nothing to learn.";
  if (!k) return `Each byte is a token: ${number(tokenCounts[0])} of them.`;
  const spell = (/** @type {number} */ id) => new TextDecoder().decode(bytes.get(id)).replaceAll(" ", "·").replaceAll("\n", "↵");
  return `Merge ${k} joins ${spell(lefts[k - 1])} + ${spell(rights[k - 1])} in ${plural(places[k - 1], "place")}.`;
}
