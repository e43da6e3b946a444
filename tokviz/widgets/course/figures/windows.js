/**
 * A text whose merges are learned from itself, one after the other, and the context windows that its tokens fill: their
 * number falls while the merges play, and grows again on the way back.
 */

import { debounce, disposeOf, element, fill, number, plural } from "../../shared/dom/elements.js";
import { sentenceOf } from "../../shared/net/client.js";
import { nameOf } from "../../replay/model/names.js";
import { createSegments } from "../../shared/ui/segments.js";
import { createLearner, sayMerge, tokensAfter } from "../learned.js";
import { createOwnText } from "../owntext.js";
import { createPlayer } from "../player.js";
import { createTokens } from "../tokens.js";

/** @typedef {import("../learned.js").Replay} Replay */
/** @typedef {"anna" | "own"} Which */

const SAMPLE = "training-anna-karenina";
/** @type {[Which, string][]} */
const TEXTS = [["anna", "Anna Karenina"], ["own", "your own text"]];
const WINDOW = 50;
const MERGES = 20;
/** Longest text of the reader's own that is shown, in characters. */
const MAX_SHOWN = 5_000;
const PAUSE_MS = 200;

/** @param {import("../figures.js").Context} context @returns {import("../figures.js").Figure} */
export function create(context) {
  /** @type {Which} */
  let which = "anna";
  let first = 0;
  let sample = "";
  /** @type {Replay | null} */
  let replay = null;
  const later = debounce(() => void learn(), PAUSE_MS);
  const own = createOwnText(context, () => which === "own" && later.later());
  const choice = createSegments("Text", TEXTS, which, (value) => (choose(value), context.changed()));
  const says = element("p", { class: "says", role: "status" });
  const count = element("p", { class: "large-count" });
  const view = createTokens(context, "Tokens in their windows", (id) => sayMerge(replay, id));
  const player = createPlayer("Merges", (k) => replay && show(replay, k), context.changed);
  const learner = createLearner(context, { pattern: "none", merges: MERGES });
  const node = element("div", { class: "windows" }, element("div", { class: "row" }, choice.node, count), own.node, player.node, says, view.node, learner.problem);

  /** @param {Which} value */
  function choose(value) {
    which = value;
    choice.show(which);
    own.node.hidden = which !== "own";
    void learn();
  }

  async function learn() {
    try {
      if (which === "anna") sample ||= (await context.client.sample(SAMPLE)).text;
    } catch (error) {
      return fill(learner.problem, sentenceOf(error));
    }
    const text = which === "own" ? own.text().slice(0, MAX_SHOWN).toWellFormed() : sample;
    node.classList.toggle("no-text", !text);
    const learned = await learner.learn(text);
    if (!learned) return;
    replay = learned;
    player.load(replay.steps, first);
  }

  /** @param {Replay} learned @param {number} k merges are applied */
  function show(learned, k) {
    const tokens = tokensAfter(learned, k);
    const filled = Math.ceil(tokens.ids.length / WINDOW);
    const windows = Int32Array.from(tokens.ids, (_, i) => Math.floor(i / WINDOW));
    view.show({ text: learned.text, ...tokens }, null, { colorBy: "pretoken", pretokenIndex: windows });
    fill(count, element("b", {}, number(filled)), ` ${filled === 1 ? "window" : "windows"}, ${plural(tokens.ids.length, "token")}`);
    fill(says, sayStep(learned, k));
  }

  return {
    node,
    value: () => `${which},${player.step()}`,
    show(value) {
      const { text, step, example } = readValue(value);
      if (example !== null) own.show(example);
      first = step;
      choose(text);
    },
    dispose: disposeOf(later, own, view, player, learner),
  };
}

/**
 * Which text, the step, and an example for the reader's own: "anna,12;the cat".
 *
 * @param {string} value @returns {{text: Which, step: number, example: string | null}}
 */
export function readValue(value) {
  const [, text, step = "0", example = null] = /^(own|anna)?(?:,(\d{1,6}))?(?:;(.*))?$/s.exec(value) ?? [];
  return { text: text === "own" ? "own" : "anna", step: Number(step), example };
}

/** Say what the last of k merges joined. @param {Replay} replay @param {number} k */
function sayStep(replay, k) {
  const { steps, lefts, rights, places, tokenCounts } = replay;
  if (!steps) return "No pair stands here twice, so there is nothing to learn.";
  if (!k) return `Each byte is a token: ${number(tokenCounts[0])} of them.`;
  return `Merge ${k} joins ${nameOf(replay, lefts[k - 1])} + ${nameOf(replay, rights[k - 1])} in ${plural(places[k - 1], "place")}.`;
}
