/**
 * Breakdown of the differences: tokens by text class, agreement of each pair of tokenizers, and where in the text they
 * differ.
 */

import { element, fill, headOf, number, plural, range, rounded, rowOf, wide } from "../shared/dom/elements.js";
import { svg } from "../shared/dom/svg.js";
import { firstAbove } from "./model.js";
import { sayExtent } from "./summaries.js";

/** @typedef {import("./model.js").Comparison} Comparison */

/** Number of equal stretches that the text is divided into for the chart of differences. */
const STRETCHES = 100;

/** Tokens of each tokenizer by class of text. */
export function createClasses() {
  return createTable("classes", "Tokens by class", "Each token counts once, by its first character that isn’t white space.", classRows);
}

/** How well each two tokenizers agree. */
export function createAgreement() {
  return createTable("heat", "Agreement", "Of all places where at least one of the two cuts, the share where both do.", heatRows);
}

/** @param {string} name @param {string} label @param {string} about @param {(comparison: Comparison) => Node[]} rowsOf */
function createTable(name, label, about, rowsOf) {
  const table = element("table", { class: name });
  return {
    nodes: [element("p", { class: "quiet" }, about), wide(label, table)],
    /** @param {Comparison} comparison */
    show: (comparison) => fill(table, ...rowsOf(comparison)),
  };
}

/**
 * Where in the text the tokenizers differ.
 *
 * @param {(segment: number) => void} onGo called with the first difference at or after the chosen position
 */
export function createExtent(onGo) {
  /** @type {Comparison | null} */
  let comparison = null;
  /** @type {number[]} */
  let shares = [];
  const title = "Where in the text they differ";
  const about = element("p", { class: "quiet" });
  const path = svg("path", {});
  const chart = svg("svg", { viewBox: `0 0 ${STRETCHES} 1`, preserveAspectRatio: "none", "aria-hidden": "true" }, path);
  // The page goes there once the slider is let go, lest it moves under the pointer.
  const slider = range("Place in the text", sayPlace, { max: STRETCHES - 1, value: 0, change: go });
  const divergence = element("div", { class: "divergence" }, chart, slider);

  function go() {
    if (!comparison) return;
    const { boundaries, differing } = comparison;
    const byte = (Number(slider.value) / STRETCHES) * boundaries[boundaries.length - 1];
    const segment = Math.max(0, firstAbove(boundaries, byte) - 1);
    onGo(differing[Math.min(differing.length - 1, firstAbove(differing, segment - 1))]);
  }

  function sayPlace() {
    const at = Number(slider.value);
    slider.setAttribute("aria-valuetext", `${at} % of the text: ${Math.round(100 * (shares[at] ?? 0))} % of it differs here`);
  }

  return {
    /** @type {HTMLElement} */
    node: element("section", { "aria-label": title }, element("h2", {}, title), about, divergence),
    /** @param {Comparison} compared */
    show(compared) {
      comparison = compared;
      shares = sharesOf(comparison);
      fill(about, sayExtent(comparison, shares));
      divergence.hidden = !comparison.differing.length;
      path.setAttribute("d", shares.map((share, k) => `M${k} 1v${-share}h1v${share}z`).join(""));
      sayPlace();
    },
  };
}

/** @param {Comparison} comparison */
function classRows({ names, colors, classNames, classCounts }) {
  const most = Math.max(1, ...classCounts.flat());
  const cell = (/** @type {number} */ count, /** @type {number} */ t) => {
    const bar = element("div", { class: `bar own-${colors[t]}` });
    bar.style.width = `${(100 * count) / most}%`;
    return element("td", {}, number(count), bar);
  };
  const row = (/** @type {number} */ kind) => rowOf(classNames[kind], ...classCounts.map((counts, t) => cell(counts[kind], t)));
  return [headOf(["", ...names]), element("tbody", {}, ...classesBySize(classCounts).map(row))];
}

/**
 * Classes present in the text, the one with the most tokens first.
 *
 * @param {number[][]} classCounts for each tokenizer, its tokens by class
 */
export function classesBySize(classCounts) {
  const largest = (/** @type {number} */ kind) => Math.max(...classCounts.map((counts) => counts[kind]));
  const present = [...classCounts[0].keys()].filter((kind) => largest(kind) > 0);
  return present.sort((a, b) => largest(b) - largest(a));
}

/** @param {Comparison} comparison */
function heatRows({ names, models, agreement }) {
  const cell = (/** @type {[number, number]} */ [jaccard, inCommon], /** @type {number} */ one, /** @type {number} */ other) => {
    if (models[one].n < 2 && models[other].n < 2) return element("td", { title: "neither cuts this text" }, "–");
    const share = `${rounded(100 * jaccard, 1)} %`;
    const node = element("td", { title: `${plural(inCommon, "token")} in common` }, share);
    node.style.setProperty("--share", String(jaccard));
    return node;
  };
  const rows = agreement.map((row, t) => rowOf(names[t], ...row.map((each, other) => cell(each, t, other))));
  return [headOf(["", ...names]), element("tbody", {}, ...rows)];
}

/**
 * For each of `STRETCHES` equal stretches of the text, the share of its bytes that are in differences.
 *
 * @param {Pick<Comparison, "boundaries" | "differing">} comparison
 */
export function sharesOf({ boundaries, differing }) {
  const width = boundaries[boundaries.length - 1] / STRETCHES || 1;
  const sums = new Array(STRETCHES).fill(0);
  for (const segment of differing) {
    const [start, end] = [boundaries[segment], boundaries[segment + 1]];
    for (let k = Math.floor(start / width); k < STRETCHES && k * width < end; k++) {
      sums[k] += Math.min(end, (k + 1) * width) - Math.max(start, k * width);
    }
  }
  return sums.map((sum) => sum / width);
}
