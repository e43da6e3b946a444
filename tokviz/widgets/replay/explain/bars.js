/**
 * Why this pair is next: the current pairs with their counts as bars, or with their ranks, the winner first.
 */

import { element, fill, number, plural } from "../../shared/dom/elements.js";
import { TIE_RULES } from "./captions.js";
import { branchRows } from "../model/pretokens.js";
import { nameOf } from "../model/names.js";
import { tiesAt } from "../model/pairs.js";

/** @typedef {import("../model/replay.js").Replay} Replay */
/** @typedef {import("../model/pairs.js").Pair} Pair */
/** @typedef {import("../model/pairs.js").Ranking} Ranking */
/** @typedef {import("../model/names.js").Writing} Writing */

/** Maximum pairs listed. */
const SHOWN = 10;

export function createBars() {
  const table = element("table", {});
  const note = element("p", { class: "note" });
  // Focusable, so that it can be scrolled with keys where there is little room.
  const node = element("section", { class: "bars empty", "aria-label": "Pairs", tabindex: 0 }, table, note);

  /** @param {Replay} replay @param {number} k @param {Ranking} ranking @param {Writing} writing */
  function show(replay, k, ranking, writing) {
    node.classList.remove("empty");
    const learning = replay.meta.story === "learn";
    const isFinished = k === replay.steps;
    const most = Math.max(1, ...ranking.top.map(({ count }) => count));
    const axis = Math.max(most, highestCount(replay));
    const role = (/** @type {Pair} */ { count }, /** @type {number} */ i) => {
      const tied = learning && !isFinished && tiesAt(replay, k) > 0 && count === most;
      return [i === 0 && !isFinished ? "wins" : "", tied ? "tied" : ""].join(" ").trim();
    };
    const rows = ranking.top
      .slice(0, SHOWN)
      .map((pair, i) => row(replay, pair, role(pair, i), learning, axis, writing));
    table.className = "";
    fill(table, ...head(learning), element("tbody", {}, ...rows));
    table.hidden = !rows.length;
    fill(note, learning ? tieNote(replay, k, ranking) : restNote(ranking));
  }

  /** Show which branch of the split pattern matched each pre-token. @param {Replay} replay */
  function showPieces(replay) {
    node.classList.remove("empty");
    fill(table, ...branchRows(replay));
    table.className = "by-branch";
    table.hidden = false;
    fill(note);
  }

  return {
    node,
    show,
    showPieces,
    clear() {
      node.classList.add("empty");
      fill(table);
      fill(note);
    },
  };
}

/** The highest count of any pair that was learned: bars are relative to it, so that counts are seen to fall. @param {Replay} replay */
const highestCount = ({ counts }) => counts?.reduce((highest, count) => Math.max(highest, count), 0) ?? 0;

/** The columns and their names. @param {boolean} learning */
function head(learning) {
  const times = ["times", element("span", { class: "rest" }, " in the text")];
  const names = [["pair"], times, ...(learning ? [] : [["learned as merge no."]])];
  const columns = learning ? ["", "half"] : ["", "few", "rank"];
  return [
    element("colgroup", {}, ...columns.map((width) => element("col", { class: width }))),
    element("thead", {}, element("tr", {}, ...names.map((name) => element("th", { scope: "col" }, ...name)))),
  ];
}

/**
 * @param {Replay} replay
 * @param {Pair} pair
 * @param {string} role
 * @param {boolean} learning
 * @param {number} axis the count of a bar of full length
 * @param {Writing} writing
 */
function row(replay, { left, right, count, rank }, role, learning, axis, writing) {
  const name = element("th", { scope: "row" }, ...pairNodes(replay, left, right, writing));
  const bar = element("i");
  // Not a style attribute, which the content security policy of a standalone page forbids.
  bar.style.setProperty("--share", (count / axis).toFixed(3));
  const cells = learning
    ? [element("td", { class: "bar" }, bar, element("b", {}, number(count)))]
    : [
        element("td", { class: "times" }, `${number(count)} ×`),
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

/** Describe the tie, the rule that breaks it, and the pairs not listed. @param {Replay} replay @param {number} k @param {Ranking} ranking */
function tieNote(replay, k, ranking) {
  const more = moreNote(ranking);
  if (k === replay.steps || !ranking.top.length) return more;
  return [tieSentence(replay, tiesAt(replay, k)), more].filter(Boolean).join(" ");
}

/** @param {Replay} replay @param {number} ties how many other pairs are as frequent as the winner */
function tieSentence(replay, ties) {
  if (!ties) return "";
  const first = ties + 1 > SHOWN ? `, the first ${SHOWN} of them above` : "";
  return `${plural(ties + 1, "pair")} tied, marked “=”${first}. Rule: ${TIE_RULES[replay.meta.ties]}.`;
}

/**
 * Describe the pairs that are not listed while merges are learned: those that may still be merged, and those that occur
 * only once, which never are.
 *
 * @param {Pick<Ranking, "top" | "distinct" | "once">} ranking
 */
export function moreNote({ top, distinct, once }) {
  const shown = Math.min(SHOWN, top.length);
  const more = Math.max(0, distinct - once - shown);
  const rare = distinct - shown - more;
  const occur = (/** @type {number} */ count) => (count === 1 ? "occurs" : "occur");
  if (!more) return rare ? `${plural(rare, "more pair")} ${occur(rare)} once.` : "";
  return `${plural(more, "more pair")} ${occur(more)} twice or more${rare ? `, ${number(rare)} once` : ""}.`;
}

/**
 * Describe the pairs that are not listed: those that merge later, and those without a merge.
 *
 * @param {Pick<Ranking, "top" | "distinct" | "without">} ranking
 */
export function restNote({ top, without, distinct }) {
  if (!distinct) return "There are no pairs left.";
  const shown = Math.min(SHOWN, top.length);
  const more = distinct - without - shown;
  const notes = [
    more ? `${plural(more, "more pair")} ${more === 1 ? "has" : "have"} a later merge.` : "",
    without ? `No merge was learned for ${plural(without, shown ? "other pair" : "pair")}.` : "",
  ];
  return notes.filter(Boolean).join(" ");
}
