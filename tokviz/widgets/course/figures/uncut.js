/**
 * The reader's text with merges learned from it in two ways, without a cut and with GPT-2's, side by side.
 */

import { debounce, disposeOf, element, fill } from "../../shared/dom/elements.js";
import { nameOf } from "../../replay/model/names.js";
import { createLearner, sayMerge, tokensAfter } from "../learned.js";
import { createOwnText } from "../owntext.js";
import { createPlayer, stepIn } from "../player.js";
import { createTokens } from "../tokens.js";

/** @typedef {import("../learned.js").Replay} Replay */

const MERGES = 30;
/** The step at which the figure opens: in the middle of the story. */
const FIRST = 10;
/** Most learned tokens that are listed, the newest. */
const MOST_LISTED = 12;
/** Longest text that is learned from, in characters. */
const MAX_SHOWN = 2_000;
const PAUSE_MS = 200;

/** @param {import("../figures.js").Context} context @returns {import("../figures.js").Figure} */
export function create(context) {
  let first = FIRST;
  const later = debounce(() => void learn(), PAUSE_MS);
  const own = createOwnText(context, () => later.later());
  const sides = [createSide(context, "none", "Without a cut"), createSide(context, "gpt2", "Cut first, by GPT-2’s pattern")];
  const player = createPlayer("Merges", (k) => sides.forEach((side) => side.show(k)), context.changed);
  const node = element("div", { class: "uncut" }, own.node, player.node, element("div", { class: "two" }, ...sides.map((side) => side.node)));

  async function learn() {
    const text = own.text().slice(0, MAX_SHOWN).toWellFormed();
    node.classList.toggle("no-text", !text);
    const steps = await Promise.all(sides.map((side) => side.learn(text)));
    if (steps.every((count) => count !== null)) player.load(Math.max(...steps), first);
  }

  return {
    node,
    value: () => String(player.step()),
    /** @param {string} value a step, or an example for the reader's own text */
    show(value) {
      const step = stepIn(value);
      if (step === null) own.show(value);
      else first = step;
      void learn();
    },
    dispose: disposeOf(later, own, player, ...sides),
  };
}

/** @param {import("../figures.js").Context} context @param {string} pattern @param {string} title */
function createSide(context, pattern, title) {
  /** @type {Replay | null} */
  let replay = null;
  const tokens = createTokens(context, `Tokens ${title.toLowerCase()}`, (id) => sayMerge(replay, id));
  const learned = element("p", { class: "quiet learned" });
  const learner = createLearner(context, { pattern, merges: MERGES });
  return {
    node: element("section", { "aria-label": title }, element("h3", {}, title), tokens.node, learned, learner.problem),
    /** @param {string} text @returns {Promise<number | null>} the number of merges; null if another text is asked about */
    async learn(text) {
      const answer = await learner.learn(text);
      replay = answer ?? replay;
      return answer && answer.steps;
    },
    /** @param {number} k */
    show(k) {
      if (!replay) return;
      const done = Math.min(k, replay.steps);
      const made = [...replay.newIds].slice(0, done).map((id) => nameOf(/** @type {Replay} */ (replay), id));
      tokens.show({ text: replay.text, ...tokensAfter(replay, done) }, null);
      fill(learned, made.length ? `Learned${made.length > MOST_LISTED ? ", the last of them" : ""}: ` : "Nothing is learned yet.", ...made.slice(-MOST_LISTED).flatMap((token) => [element("code", {}, token), " "]));
    },
    dispose: disposeOf(tokens, learner),
  };
}
