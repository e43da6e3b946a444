/**
 * The list of merges, searchable by text or by rank; each is a jump to its step.
 */

import { button, element, fill, number } from "../shared/elements.js";
import { pairName, pairNodes } from "./bars.js";
import { nameOf } from "./names.js";

/** @typedef {import("./model.js").Replay} Replay */

const SHOWN = 60;

/** @param {(k: number) => void} onSeek */
export function createMerges(onSeek) {
  /** @type {Replay | null} */
  let replay = null;
  let position = 0;
  let ahead = true;

  const search = element("input", {
    type: "search",
    placeholder: "a text, or a rank",
    "aria-label": "Find a merge",
    input: showList,
  });
  const list = element("ol", { class: "merge-list" });
  const says = element("p", { class: "quiet", role: "status" });
  const node = element(
    "details",
    { class: "merges", toggle: showList },
    element("summary", {}, "All merges"),
    search,
    says,
    list,
  );

  function showList() {
    if (!replay || !node.open) return;
    const known = ahead ? replay.steps : Math.max(0, position);
    const found = findSteps(replay, search.value, known);
    const from = search.value ? 0 : Math.max(0, Math.min(known - SHOWN, position - SHOWN / 2));
    const shown = found.slice(from, from + SHOWN);
    fill(list, ...shown.map((step) => entry(/** @type {Replay} */ (replay), step)));
    fill(says, tell(found.length, shown.length));
    const current = list.querySelector("[aria-current]");
    if (current) list.scrollTop = current.offsetTop - list.clientHeight / 2;
  }

  /** @param {number} found @param {number} shown */
  function tell(found, shown) {
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
    /** @param {number} k @param {boolean} seesAhead whether merges after this step may be told */
    show(k, seesAhead) {
      if (k === position && seesAhead === ahead) return;
      [position, ahead] = [k, seesAhead];
      if (!search.value || !seesAhead) showList();
    },
  };
}

/**
 * The steps whose pair or token has a text in it, or whose merge has this rank, counted from 1 as people see it.
 *
 * @param {Replay} replay
 * @param {string} wanted
 * @param {number} known steps from this one on are not looked at
 */
export function findSteps(replay, wanted, known) {
  const { newIds, ranks } = replay;
  const steps = Array.from({ length: known }, (_, step) => step);
  const text = wanted.replaceAll(" ", "·").toLowerCase();
  const rank = Number(wanted.replaceAll(",", "").trim()) - 1;
  if (!text) return steps;
  return steps.filter((step) => ranks[step] === rank || nameOf(replay, newIds[step]).toLowerCase().includes(text));
}
