/**
 * Why this pair: the pairs that stand now, as bars with their counts, or with their ranks, the winner in front.
 */

import { element, fill, number, plural } from "../shared/elements.js";
import { TIE_RULES } from "./captions.js";
import { nameOf } from "./names.js";
import { tiesAt } from "./pairs.js";

/** @typedef {import("./model.js").Replay} Replay */
/** @typedef {import("./pairs.js").Pair} Pair */
/** @typedef {import("./pairs.js").Ranking} Ranking */
/** @typedef {import("./names.js").Writing} Writing */

const SHOWN = 10;

export function createBars() {
  const title = element("h3", {});
  const table = element("table", {});
  const note = element("p", { class: "note" });
  const node = element("section", { class: "bars", "aria-label": "Pairs" }, title, table, note);

  /** @param {Replay} replay @param {number} k @param {Ranking} ranking @param {Writing} writing */
  function show(replay, k, ranking, writing) {
    const learning = replay.meta.story === "learn";
    const over = k === replay.steps;
    fill(title, learning ? "Pairs, the most frequent first" : "Pairs, the one learned first in front");
    const most = Math.max(1, ...ranking.top.map(({ count }) => count));
    const rows = ranking.top
      .slice(0, SHOWN)
      .map((pair, i) => row(replay, pair, i === 0 && !over, learning, most, writing));
    fill(table, head(learning), element("tbody", {}, ...rows));
    table.hidden = !rows.length;
    fill(note, learning ? tieNote(replay, k, ranking, writing) : withoutNote(ranking));
  }

  return {
    node,
    show,
    clear() {
      fill(title);
      fill(table);
      fill(note);
    },
  };
}

/** @param {boolean} learning */
function head(learning) {
  const names = learning ? ["pair", "times", "times"] : ["pair", "times", "learned as merge"];
  return element(
    "thead",
    { class: "unseen" },
    element(
      "tr",
      {},
      ...(learning ? [names[0], names[1]] : names).map((name) => element("th", { scope: "col" }, name)),
    ),
  );
}

/**
 * @param {Replay} replay
 * @param {Pair} pair
 * @param {boolean} wins
 * @param {boolean} learning
 * @param {number} most the highest count
 * @param {Writing} writing
 */
function row(replay, { left, right, count, rank }, wins, learning, most, writing) {
  const name = element("th", { scope: "row" }, pairName(replay, left, right, writing));
  const bar = element("i", { style: `--share:${(count / most).toFixed(3)}` });
  const cells = learning
    ? [element("td", { class: "bar" }, bar, element("b", {}, number(count)))]
    : [
        element("td", { class: "times" }, count === 1 ? "" : `${number(count)} ×`),
        element("td", { class: "rank" }, number(rank + 1)),
      ];
  return element("tr", { class: wins ? "wins" : null }, name, ...cells);
}

/** @param {Replay} replay @param {number} left @param {number} right @param {Writing} writing */
export function pairName(replay, left, right, writing) {
  return `${nameOf(replay, left, writing)} + ${nameOf(replay, right, writing)}`;
}

/** @param {Replay} replay @param {number} k @param {Ranking} ranking @param {Writing} writing */
function tieNote(replay, k, { top, tied, distinct }, writing) {
  const more = distinct > SHOWN ? ` ${plural(distinct, "different pair")} in all.` : "";
  if (k === replay.steps || !top.length) return more.trim();
  const ties = tiesAt(replay, k);
  if (!ties) return `No tie: ${pairName(replay, top[0].left, top[0].right, writing)} is alone in front.${more}`;
  const named = tied.slice(0, SHOWN).map(({ left, right }) => pairName(replay, left, right, writing));
  const which = ties + 1 > SHOWN ? `, the first ten of them ${named.join(", ")}` : `: ${named.join(", ")}`;
  return `${plural(ties + 1, "pair")} tied${which}. Rule: ${TIE_RULES[replay.meta.ties]}.${more}`;
}

/** @param {Ranking} ranking */
function withoutNote({ top, without, distinct }) {
  if (!distinct) return "There are no pairs left.";
  const others = without === 1 ? "1 other pair has" : `${number(without)} ${top.length ? "other " : ""}pairs have`;
  return without ? `${others} no merge: nobody learned to join them.` : "";
}
