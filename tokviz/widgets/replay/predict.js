/**
 * Predict: which pair comes next? Lettered choices, large enough for a class to vote by hand; then the answer, and why.
 */

import { button, element, fill } from "../shared/elements.js";
import { pairName, pairNodes } from "./bars.js";
import { sayingOf } from "./names.js";

/** @typedef {import("./model.js").Replay} Replay */
/** @typedef {import("./pairs.js").Pair} Pair */
/** @typedef {import("./names.js").Writing} Writing */

const CHOICES = 4;
const LETTERS = "ABCDE";

/**
 * @param {object} on
 * @param {() => void} on.answered the answer may be shown now
 */
export function createPredict(on) {
  let right = 0;
  let asked = 0;
  const body = element("div", {});
  const verdict = element("p", { class: "verdict", role: "status" });
  const score = element("p", { class: "quiet score" });
  const node = element("section", { class: "predict", "aria-label": "Predict" }, body, verdict, score);

  /**
   * @param {Replay} replay
   * @param {Pair[]} pairs the choices, in the order in which they are offered
   * @param {(pair: Pair) => boolean} isRight
   * @param {Writing} writing
   */
  function ask(replay, pairs, isRight, writing) {
    fill(verdict);
    const names = pairs.map(({ left, right }) => pairName(replay, left, right, writing));
    const said = pairs.map(({ left, right }) => [left, right].map((id) => sayingOf(replay, id, writing)).join(" + "));
    const choices = pairs.map((pair, i) =>
      button("", () => answer(pair), { class: "button choice", "aria-label": `${LETTERS[i]}: ${said[i]}` }),
    );
    pairs.forEach(({ left, right }, i) => {
      const name = element("span", { class: "mono" }, ...pairNodes(replay, left, right, writing));
      fill(choices[i], element("b", {}, LETTERS[i]), name);
    });
    fill(
      body,
      element("p", { class: "question" }, "Which pair is joined next?"),
      element("div", { class: "choices-row" }, ...choices),
    );
    showScore();

    /** @param {Pair} pair */
    function answer(pair) {
      const hit = isRight(pair);
      asked++;
      if (hit) right++;
      pairs.forEach((each, i) => {
        choices[i].disabled = true;
        choices[i].classList.add(isRight(each) ? "right" : "wrong");
        if (each === pair) choices[i].classList.add("chosen");
      });
      const all = pairs.filter(isRight).length;
      const ties = all > 1 ? ` ${all} of these are tied, and all of them count as right.` : "";
      fill(
        verdict,
        `${hit ? "Right." : `No: ${pairs.flatMap((each, i) => (isRight(each) ? names[i] : [])).join(" or ")}.`}${ties}`,
      );
      showScore();
      on.answered();
    }
  }

  function showScore() {
    fill(score, asked ? `${right} of ${asked} right so far` : "");
  }

  return {
    node,
    ask,
    clear() {
      fill(body);
      fill(verdict);
    },
    reset() {
      right = asked = 0;
      showScore();
    },
  };
}

/**
 * Whether a pair may be joined next: while learning, any that is as frequent as the winner; while a tokenizer is
 * applied, the one with the lowest rank.
 *
 * @param {boolean} learning
 * @param {Pair} winner
 * @param {Pair} pair
 */
export function isWinner(learning, winner, pair) {
  return learning ? pair.count === winner.count : pair.rank === winner.rank;
}

/** @param {Pair} one @param {Pair} other */
const same = (one, other) => one.left === other.left && one.right === other.right;

/**
 * The winner, pairs tied with it, and others that stand now, in the order first seen, which tells nothing.
 *
 * @param {Pair[]} ranked the winner in front
 * @param {Pair[]} seen the same pairs and perhaps more, in the order first seen
 * @returns {Pair[]} two to four; fewer if there are no more
 */
export function choicesFrom(ranked, seen) {
  const winner = ranked[0];
  const tied = ranked.filter(({ count, rank }) => rank < 0 && count === winner.count).slice(1);
  const others = ranked.slice(1).filter((pair) => !tied.includes(pair));
  const rest = seen.filter((pair) => !ranked.some((other) => same(pair, other)));
  const chosen = [winner, ...tied.slice(0, 1), ...others, ...tied.slice(1), ...rest].slice(0, CHOICES);
  return seen.filter((pair) => chosen.some((other) => same(pair, other)));
}
