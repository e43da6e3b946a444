/**
 * Why this pair is next: the current pairs with their counts as bars, or with their ranks, the winner first.
 */

import { element, fill, number, plural } from "../shared/dom/elements.js";
import { TIE_RULES } from "./captions.js";
import { nameOf } from "./names.js";
import { tiesAt } from "./pairs.js";

/** @typedef {import("./model.js").Replay} Replay */
/** @typedef {import("./pairs.js").Pair} Pair */
/** @typedef {import("./pairs.js").Ranking} Ranking */
/** @typedef {import("./names.js").Writing} Writing */

/** Maximum pairs listed. */
const SHOWN = 10;

export function createBars() {
  const title = element("h3", {});
  const table = element("table", {});
  const note = element("p", { class: "note" });
  // Focusable, so that it can be scrolled with keys where there is little room.
  const node = element("section", { class: "bars", "aria-label": "Pairs", tabindex: 0 }, title, table, note);

  /** @param {Replay} replay @param {number} k @param {Ranking} ranking @param {Writing} writing */
  function show(replay, k, ranking, writing) {
    const learning = replay.meta.story === "learn";
    const isFinished = k === replay.steps;
    fill(title, learning ? "Pairs, the most frequent first" : "Pairs, the one learned first in front");
    const most = Math.max(1, ...ranking.top.map(({ count }) => count));
    const role = (/** @type {Pair} */ { count }, /** @type {number} */ i) => {
      const tied = learning && !isFinished && tiesAt(replay, k) > 0 && count === most;
      return [i === 0 && !isFinished ? "wins" : "", tied ? "tied" : ""].join(" ").trim();
    };
    const rows = ranking.top
      .slice(0, SHOWN)
      .map((pair, i) => row(replay, pair, role(pair, i), learning, most, writing));
    fill(table, ...head(learning), element("tbody", {}, ...rows));
    table.hidden = !rows.length;
    fill(note, learning ? tieNote(replay, k, ranking) : restNote(ranking));
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

/** The columns and their names; the names are for screen readers only. @param {boolean} learning */
function head(learning) {
  const names = learning ? ["pair", "times"] : ["pair", "times", "learned as merge"];
  const columns = learning ? ["", "half"] : ["", "few", "few"];
  return [
    element("colgroup", {}, ...columns.map((width) => element("col", { class: width }))),
    element(
      "thead",
      { class: "unseen" },
      element("tr", {}, ...names.map((name) => element("th", { scope: "col" }, name))),
    ),
  ];
}

/**
 * @param {Replay} replay
 * @param {Pair} pair
 * @param {string} role
 * @param {boolean} learning
 * @param {number} most the highest count
 * @param {Writing} writing
 */
function row(replay, { left, right, count, rank }, role, learning, most, writing) {
  const name = element("th", { scope: "row" }, ...pairNodes(replay, left, right, writing));
  const bar = element("i");
  // Not a style attribute, which the content security policy of a standalone page forbids.
  bar.style.setProperty("--share", (count / most).toFixed(3));
  const cells = learning
    ? [element("td", { class: "bar" }, bar, element("b", {}, number(count)))]
    : [
        element("td", { class: "times" }, count === 1 ? "" : `${number(count)} ×`),
        element("td", { class: "rank" }, number(rank + 1)),
      ];
  return element("tr", { class: role }, name, ...cells);
}

/**
 * Render a pair with the direction of each symbol isolated, so that right-to-left symbols stay in order.
 *
 * @param {Replay} replay
 * @param {number} left
 * @param {number} right
 * @param {Writing} writing
 */
export function pairNodes(replay, left, right, writing) {
  const [one, other] = [left, right].map((id) => element("bdi", {}, nameOf(replay, id, writing)));
  return [one, " + ", other];
}

/** @param {Replay} replay @param {number} left @param {number} right @param {Writing} writing */
export function pairName(replay, left, right, writing) {
  return `${nameOf(replay, left, writing)} + ${nameOf(replay, right, writing)}`;
}

/** Describe the tie, and the rule that breaks it. @param {Replay} replay @param {number} k @param {Ranking} ranking */
function tieNote(replay, k, { top, distinct }) {
  const more = distinct > SHOWN ? ` ${plural(distinct, "different pair")} in all.` : "";
  if (k === replay.steps || !top.length) return more.trim();
  const ties = tiesAt(replay, k);
  if (!ties) return `No tie: one pair is alone in front.${more}`;
  const first = ties + 1 > SHOWN ? `, the first ${SHOWN} of them above` : "";
  return `${plural(ties + 1, "pair")} tied, marked “=”${first}. Rule: ${TIE_RULES[replay.meta.ties]}.${more}`;
}

/**
 * Describe the pairs that are not listed: those that merge later, and those without a merge.
 *
 * @param {Ranking} ranking
 */
export function restNote({ top, without, distinct }) {
  if (!distinct) return "There are no pairs left.";
  const shown = Math.min(SHOWN, top.length);
  const more = distinct - without - shown;
  const others = `${shown ? "other pair" : "pair"}${without === 1 ? " has" : "s have"}`;
  const notes = [
    more ? `${plural(more, "more pair")} ${more === 1 ? "has" : "have"} a later merge.` : "",
    without ? `${number(without)} ${others} no merge: nobody learned to join ${without === 1 ? "it" : "them"}.` : "",
  ];
  return notes.filter(Boolean).join(" ");
}
