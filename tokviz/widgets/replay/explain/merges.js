/**
 * The list of merges, searchable by text or by rank. Each entry jumps to its step.
 */

import { button, element, fill, number } from "../../shared/dom/elements.js";
import { pairName, pairNodes } from "./bars.js";
import { nameOf } from "../model/names.js";

/** @typedef {import("../model/replay.js").Replay} Replay */

/** Maximum merges listed. */
const SHOWN = 60;

/** @param {(k: number) => void} onSeek */
export function createMerges(onSeek) {
  /** @type {Replay | null} */
  let replay = null;
  let position = 0;
  let showsAhead = true;

  const search = element("input", {
    type: "search",
    placeholder: "a text, or a rank",
    "aria-label": "Find a merge",
    input: showList,
  });
  const list = element("ol", { class: "merge-list" });
  const summary = element("p", { class: "quiet", role: "status" });
  const node = element(
    "details",
    { class: "merges", toggle: showList },
    element("summary", {}, "All merges"),
    search,
    summary,
    list,
  );

  function showList() {
    if (!replay || !node.open) return;
    const known = showsAhead ? replay.steps : Math.max(0, position);
    const found = findSteps(replay, search.value, known);
    const from = search.value ? 0 : Math.max(0, Math.min(known - SHOWN, position - SHOWN / 2));
    const shown = found.slice(from, from + SHOWN);
    fill(list, ...shown.map((step) => entry(/** @type {Replay} */ (replay), step)));
    fill(summary, summaryOf(found.length, shown.length));
    const current = list.querySelector("[aria-current]");
    if (current) list.scrollTop = current.offsetTop - list.clientHeight / 2;
  }

  /** @param {number} found @param {number} shown */
  function summaryOf(found, shown) {
    if (!found) return search.value ? "No merge here fits that." : "";
    return shown < found ? `${number(shown)} of ${number(found)} shown` : "";
  }

  /** @param {Replay} replay @param {number} step */
  function entry(replay, step) {
    const { lefts, rights, newIds, ranks, places } = replay;
    const pair = pairNodes(replay, lefts[step], rights[step], "text");
    const label = `${pairName(replay, lefts[step], rights[step], "text")} = ${nameOf(replay, newIds[step])}`;
    const rank = replay.counts ? `${number(replay.counts[step])} times` : `merge ${number(ranks[step] + 1)}`;
    const about = `${rank}, token ${newIds[step]}${places[step] > 1 ? `, ${number(places[step])} places` : ""}`;
    return element(
      "li",
      step === position ? { "aria-current": "step" } : {},
      button(`${number(step + 1)}`, () => onSeek(step), { "aria-label": `Go to step ${number(step + 1)}: ${label}` }),
      element("span", { class: "mono" }, ...pair, " = ", element("bdi", {}, nameOf(replay, newIds[step]))),
      element("span", { class: "quiet" }, about),
    );
  }

  return {
    node,
    /** @param {Replay} newReplay */
    load(newReplay) {
      replay = newReplay;
      showList();
    },
    /** @param {number} k @param {boolean} seesAhead true if merges after this step may be shown */
    show(k, seesAhead) {
      if (k === position && seesAhead === showsAhead) return;
      [position, showsAhead] = [k, seesAhead];
      if (!search.value || !seesAhead) showList();
    },
  };
}

/**
 * Find the steps whose token's text contains the query, or whose merge has this number, counted from 1 as on the page.
 *
 * @param {Replay} replay
 * @param {string} query
 * @param {number} known steps from this one on are not searched
 */
export function findSteps(replay, query, known) {
  const { newIds, ranks } = replay;
  const steps = Array.from({ length: known }, (_, step) => step);
  const text = query.replaceAll(" ", "·").toLowerCase();
  const rank = Number(query.replaceAll(",", "").trim()) - 1;
  if (!text) return steps;
  return steps.filter((step) => ranks[step] === rank || nameOf(replay, newIds[step]).toLowerCase().includes(text));
}
