/**
 * What stands by a question about the next pair: lettered choices, large enough for a class to vote by show of hands, then
 * the answer; and a button that gives the answer and then goes on. And how many answers were right.
 */

import { button, element, fill, LETTERS, number, plural } from "../../shared/dom/elements.js";
import { pairName, pairNodes } from "../explain/bars.js";
import { sayingOf } from "../model/names.js";

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
    : "Which two neighbors join next? Of the pairs here, the one learned earliest: often one that is frequent everywhere.";
/** The button: at a question, after its answer, where there is nothing to choose, and after the last merge. */
const GIVES = { asked: "show me", answered: "next pair", alone: "go on", over: "play again" };
const CHOICES = 4;

/**
 * @param {object} on
 * @param {() => void} on.answered called when the answer may be shown
 * @param {() => void} on.give called to be given the answer, to go on, or to play again
 */
export function createVote(on) {
  const score = createScore();
  const give = button("", () => on.give());
  /** Shows which of the choices are right. */
  let reveal = () => {};
  const body = element("div", {});
  const verdict = element("p", { class: "verdict", role: "status" });
  const foot = element("div", { class: "row" }, give, score.node);
  const node = element("section", { class: "predict", "aria-label": "Predict" }, body, foot, verdict);

  /**
   * @param {Replay} replay
   * @param {Pair[]} pairs the choices, in order
   * @param {(pair: Pair) => boolean} isRight
   * @param {Writing} writing
   */
  function ask(replay, pairs, isRight, writing) {
    node.classList.remove("played");
    node.classList.add("asking");
    fill(verdict);
    fill(give, GIVES.asked);
    const names = pairs.map(({ left, right }) => pairName(replay, left, right, writing));
    const choices = pairs.map((pair, i) => choiceOf(replay, pair, writing, LETTERS[i], () => answer(pair)));
    fill(body, element("div", { class: "choices-row" }, ...choices));

    const mark = (/** @type {Pair | null} */ chosen) => {
      fill(give, GIVES.answered);
      if (body.matches(":focus-within")) give.focus();
      pairs.forEach((each, i) => {
        choices[i].disabled = true;
        choices[i].classList.add(isRight(each) ? "right" : "wrong");
        if (each === chosen) choices[i].classList.add("chosen");
      });
    };
    /** @type {Pair | null} */
    let chosen = null;
    reveal = () => mark(chosen);

    /** @param {Pair} pair */
    function answer(pair) {
      score.count(isRight(pair) ? "right" : "wrong");
      chosen = pair;
      const named = (/** @type {Pair} */ each) => ({ ...each, name: names[pairs.indexOf(each)] });
      fill(verdict, verdictOf(replay.meta.story === "learn", pairs.filter(isRight).map(named), named(pair)));
      on.answered();
    }
  }

  /** @param {keyof typeof GIVES} state */
  function showPlayed(state) {
    node.classList.add("asking", "played");
    fill(verdict);
    fill(body);
    fill(give, GIVES[state]);
    score.end(state === "over");
  }

  return {
    node,
    ask,
    count: score.count,
    showPlayed,
    /** Show the answer among the choices. */
    reveal: () => reveal(),
    /** Focus the button that goes on. */
    focus: () => give.focus(),
    /** Answer with a choice, if it is offered. @param {number} i */
    choose: (i) => /** @type {HTMLButtonElement | undefined} */ (body.querySelectorAll("button")[i])?.click(),
    clear() {
      node.classList.remove("asking", "played");
      fill(body);
      fill(verdict);
    },
    reset: score.reset,
  };
}

/** @param {Replay} replay @param {Pair} pair @param {Writing} writing @param {string} letter @param {() => void} answer */
function choiceOf(replay, { left, right }, writing, letter, answer) {
  const spoken = [left, right].map((id) => sayingOf(replay, id, writing)).join(" + ");
  const choice = button("", answer, { class: "button choice", "aria-label": `${letter}: ${spoken}` });
  fill(choice, element("b", {}, letter), element("span", { class: "mono" }, ...pairNodes(replay, left, right, writing)));
  return choice;
}

/** Hits and misses, and answers that were shown. */
function createScore() {
  const counts = { right: 0, wrong: 0, shown: 0 };
  let isOver = false;
  const node = element("p", { class: "quiet score", role: "status" });
  const show = () => {
    const { right, wrong, shown } = counts;
    const says = right + wrong + shown || isOver ? `${right} right, ${wrong} wrong${shown ? `, ${shown} shown` : ""}` : "";
    fill(node, isOver ? `That was all: ${says}.` : says);
  };
  return {
    node,
    /** @param {keyof typeof counts} kind */
    count: (kind) => (counts[kind]++, show()),
    reset: () => (Object.assign(counts, { right: 0, wrong: 0, shown: 0 }), show()),
    /** @param {boolean} isAtEnd true after the last question */
    end: (isAtEnd) => ((isOver = isAtEnd), show()),
  };
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
