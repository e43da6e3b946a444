/**
 * What stands by a question about the next pair: lettered choices, large enough for a class to vote by show of hands, then
 * the answer; and a button that gives the answer and then goes on. And how far the reader has come.
 */

import { button, element, fill, LETTERS, number, plural } from "../../shared/dom/elements.js";
import { pairName, pairNodes } from "../explain/bars.js";
import { sayingOf } from "../model/names.js";

/** Maximum merges that have dots. */
const MAX_DOTS = 40;

/** How far a reader who plays has come: a dot for each merge, filled where the first guess was right, and the score. */
export class Progress {
  /** Whether the first guess was right, by step. @type {Map<number, boolean>} */
  #marks = new Map();
  #dots = element("span", { class: "dots", "aria-hidden": "true" });
  #score = element("span", { class: "score", role: "status" });
  /** @type {HTMLElement[]} */
  nodes = [this.#dots, this.#score];

  /** Note a guess, or with false also an answer that was shown; only the first of a step counts. @param {number} step @param {boolean} isRight */
  mark(step, isRight) {
    if (!this.#marks.has(step)) this.#marks.set(step, isRight);
  }

  /** @param {number} k the position shown @param {number} steps @param {string} [end] what is said of the text before the score, after the last merge */
  show(k, steps, end = "") {
    const stateOf = (/** @type {number} */ step) => (this.#marks.has(step) ? (this.#marks.get(step) ? "right" : "wrong") : step === k ? "at" : null);
    fill(this.#dots, ...Array.from({ length: steps <= MAX_DOTS ? steps : 0 }, (_, step) => element("i", { class: stateOf(step) })));
    const right = [...this.#marks.values()].filter(Boolean).length;
    const score = this.#marks.size ? `${number(right)} of ${number(this.#marks.size)} right` : "";
    fill(this.#score, [end, score].filter(Boolean).join(", "));
  }

  reset() {
    this.#marks.clear();
  }
}

/** @typedef {import("../model/replay.js").Replay} Replay */
/** @typedef {import("../model/pairs.js").Pair} Pair */
/** @typedef {import("../model/names.js").Writing} Writing */

/** The question that goes with choices, which says what decides. @param {Pick<Replay, "meta">} replay */
export const questionOf = ({ meta }) =>
  meta.story === "learn" ? "Which pair stands together most often?" : "Which of these pairs was learned earliest?";

/** The same where the stage is played, with what a guess can go by. @param {Pick<Replay, "meta">} replay */
export const playedQuestionOf = ({ meta }) =>
  meta.story === "learn"
    ? "Which two neighbors stand together most often? You can count."
    : "Which two neighbors were learned first? Often a pair that is frequent everywhere.";
/** The button: at a question, after its answer, where there is nothing to choose, and after the last merge. */
const GIVES = { asked: "Show me", answered: "Next pair", alone: "Go on", over: "Again" };
const CHOICES = 4;

/**
 * @param {object} on
 * @param {() => void} on.answered called when the answer may be shown
 * @param {() => void} on.give called to be given the answer, to go on, or to play again
 */
export function createVote(on) {
  const progress = new Progress();
  /** The position shown, and how many there are. */
  let [at, steps] = [0, 0];
  const give = button("", () => on.give());
  /** Shows which of the choices are right. */
  let reveal = () => {};
  const body = element("div", {});
  const verdict = element("p", { class: "verdict", role: "status" });
  const foot = element("div", { class: "row" }, ...progress.nodes, give);
  const node = element("section", { class: "predict", "aria-label": "Predict" }, body, foot, verdict);

  /** @param {Replay} replay @param {number} k @param {keyof typeof GIVES} state */
  function begin(replay, k, state) {
    [at, steps] = [k, replay.steps];
    node.classList.add("asking");
    node.classList.toggle("over", state === "over");
    fill(verdict);
    fill(body);
    fill(give, GIVES[state]);
    progress.show(at, steps, state === "over" ? plural(replay.tokenCounts[k], "token") : "");
  }

  /**
   * @param {Replay} replay
   * @param {number} k
   * @param {Pair[]} pairs the choices, in order
   * @param {(pair: Pair) => boolean} isRight
   * @param {Writing} writing
   */
  function ask(replay, k, pairs, isRight, writing) {
    begin(replay, k, "asked");
    node.classList.remove("played");
    const choices = choicesOf(replay, pairs, isRight, writing, (pair, says) => {
      mark(k, isRight(pair));
      fill(verdict, says);
      on.answered();
    });
    fill(body, choices.node);
    reveal = () => {
      fill(give, GIVES.answered);
      if (body.matches(":focus-within")) give.focus();
      choices.show();
    };
  }

  /** @param {Replay} replay @param {number} k @param {keyof typeof GIVES} state */
  function showPlayed(replay, k, state) {
    begin(replay, k, state);
    node.classList.add("played");
  }

  /** Note whether the first guess of a step was right. @param {number} step @param {boolean} isRight */
  function mark(step, isRight) {
    progress.mark(step, isRight);
    progress.show(at, steps);
  }

  return {
    node,
    ask,
    mark,
    showPlayed,
    /** Put what goes on after the last merge beside the button. @param {Node} onward */
    offer: (onward) => foot.append(onward),
    /** Show the answer among the choices. */
    reveal: () => reveal(),
    /** Focus the button that goes on. */
    focus: () => give.focus(),
    /** Answer with a choice, if it is offered. @param {number} i */
    choose: (i) => /** @type {HTMLButtonElement | undefined} */ (body.querySelectorAll("button")[i])?.click(),
    clear() {
      node.classList.remove("asking", "played", "over");
      fill(body);
      fill(verdict);
    },
    reset: () => progress.reset(),
  };
}

/**
 * The choices as buttons.
 *
 * @param {Replay} replay
 * @param {Pair[]} pairs
 * @param {(pair: Pair) => boolean} isRight
 * @param {Writing} writing
 * @param {(pair: Pair, says: string) => void} onAnswer called with the chosen one, and what is said of it
 */
function choicesOf(replay, pairs, isRight, writing, onAnswer) {
  const named = (/** @type {Pair} */ pair) => ({ ...pair, name: pairName(replay, pair.left, pair.right, writing) });
  /** @type {Pair | null} */
  let chosen = null;
  const buttons = pairs.map((pair, i) => choiceOf(replay, pair, writing, LETTERS[i], () => {
    chosen = pair;
    onAnswer(pair, verdictOf(replay.meta.story === "learn", pairs.filter(isRight).map(named), named(pair)));
  }));
  return {
    node: element("div", { class: "choices-row" }, ...buttons),
    /** Show which are right. */
    show() {
      pairs.forEach((pair, i) => {
        buttons[i].disabled = true;
        buttons[i].classList.add(isRight(pair) ? "right" : "wrong");
        if (pair === chosen) buttons[i].classList.add("chosen");
      });
    },
  };
}

/** @param {Replay} replay @param {Pair} pair @param {Writing} writing @param {string} letter @param {() => void} answer */
function choiceOf(replay, { left, right }, writing, letter, answer) {
  const spoken = [left, right].map((id) => sayingOf(replay, id, writing)).join(" + ");
  const choice = button("", answer, { class: "button choice", "aria-label": `${letter}: ${spoken}` });
  fill(choice, element("b", {}, letter), element("span", { class: "mono" }, ...pairNodes(replay, left, right, writing)));
  return choice;
}

/**
 * Say whether an answer is right, and if not, why in numbers.
 *
 * @param {boolean} learning
 * @param {(Pair & {name: string})[]} right the right answers among the choices
 * @param {Pair & {name: string}} chosen
 */
export function verdictOf(learning, right, chosen) {
  const ties = right.length > 1 ? ` ${right.length} of these are tied, and all of them count as right.` : "";
  if (right.some((pair) => isSamePair(pair, chosen))) return `Right.${ties}`;
  const names = right.map(({ name }) => name).join(" or ");
  const [{ count, rank }] = right;
  if (learning)
    return `No. ${names}: ${plural(count, "time")}. ${chosen.name}: ${plural(chosen.count, "time")}. The most frequent pair wins.${ties}`;
  if (chosen.rank < 0) return `No. ${names} is merge ${number(rank + 1)}; no merge joins ${chosen.name} as they are.`;
  return `No. ${names} is merge ${number(rank + 1)}, ${chosen.name} is merge ${number(chosen.rank + 1)}: the lower number wins.`;
}

/**
 * True if a pair is a correct answer: when learning, any pair as frequent as the winner; when applying, the pair with
 * the lowest rank.
 *
 * @param {boolean} learning
 * @param {Pair} winner
 * @param {Pair} pair
 */
export function isWinner(learning, winner, pair) {
  return learning ? pair.count === winner.count : pair.rank === winner.rank;
}

/** @param {Pair} one @param {Pair} other */
const isSamePair = (one, other) => one.left === other.left && one.right === other.right;

/**
 * Choose pairs to offer: the winner, pairs tied with it, and other current pairs, in the order first seen, which gives
 * nothing away.
 *
 * @param {Pair[]} ranked the winner first
 * @param {Pair[]} seen the same pairs, perhaps with more, in the order first seen
 * @returns {Pair[]} two to four; fewer if there are no more
 */
export function choicesFrom(ranked, seen) {
  const winner = ranked[0];
  const tied = ranked.filter(({ count, rank }) => rank < 0 && count === winner.count).slice(1);
  const others = ranked.slice(1).filter((pair) => !tied.includes(pair));
  const rest = seen.filter((pair) => !ranked.some((other) => isSamePair(pair, other)));
  const chosen = [winner, ...tied.slice(0, 1), ...others, ...tied.slice(1), ...rest].slice(0, CHOICES);
  return seen.filter((pair) => chosen.some((other) => isSamePair(pair, other)));
}
