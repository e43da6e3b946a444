/**
 * Breakdown of the differences: tokens by text class, agreement of each pair of tokenizers, and where in the text they
 * differ.
 */

import { element, fill, headOf, number, plural, press, rounded, rowOf, wide } from "../shared/dom/elements.js";
import { svg } from "../shared/dom/svg.js";
import { firstAbove } from "./model.js";
import { sayExtent } from "./summaries.js";

/** @typedef {import("./model.js").Comparison} Comparison */

/** Number of equal stretches that the text is divided into for the chart of differences. */
const STRETCHES = 100;
/** Stretches moved by each key. @type {Record<string, number>} */
const STEPS = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 };

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
  const title = "Where in the text they differ";
  const says = element("span");
  const pointing = element("span", { class: "pointing" }, ` ${press()} to go there.`);
  const divergence = createDivergence(onGo);
  const about = element("p", { class: "quiet" }, says, pointing);
  return {
    /** @type {HTMLElement} */
    node: element("section", { "aria-label": title }, element("h2", {}, title), about, divergence.node),
    /** @param {Comparison} comparison */
    show(comparison) {
      const shares = sharesOf(comparison);
      fill(says, sayExtent(comparison, shares));
      pointing.hidden = divergence.node.hidden = !comparison.differing.length;
      divergence.show(comparison, shares);
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

/** @param {(segment: number) => void} onGo */
function createDivergence(onGo) {
  /** @type {Comparison | null} */
  let comparison = null;
  /** @type {number[]} */
  let shares = [];
  let at = 0;
  const path = svg("path", {});
  const marker = svg("path", { class: "here" });
  const drawing = svg("svg", { viewBox: `0 0 ${STRETCHES} 1`, preserveAspectRatio: "none", "aria-hidden": "true" }, marker, path);
  const node = element(
    "div",
    {
      class: "divergence",
      tabindex: 0,
      role: "slider",
      "aria-label": "Place in the text",
      "aria-valuemin": 0,
      "aria-valuemax": 100,
      click: (/** @type {MouseEvent} */ event) => {
        const { left, width } = node.getBoundingClientRect();
        go(Math.floor((STRETCHES * (event.clientX - left)) / width));
      },
      keydown: (/** @type {KeyboardEvent} */ event) => {
        const step = STEPS[event.key];
        if (!step) return;
        event.preventDefault();
        go(at + step);
      },
    },
    drawing,
  );

  /** @param {number} stretch */
  function go(stretch) {
    if (!comparison) return;
    at = Math.min(STRETCHES - 1, Math.max(0, stretch));
    updateMarker();
    const { boundaries, differing } = comparison;
    if (!differing.length) return;
    const byte = (at / STRETCHES) * boundaries[boundaries.length - 1];
    const segment = Math.max(0, firstAbove(boundaries, byte) - 1);
    onGo(differing[Math.min(differing.length - 1, firstAbove(differing, segment - 1))]);
  }

  function updateMarker() {
    node.setAttribute("aria-valuenow", String(at));
    node.setAttribute("aria-valuetext", `${at} % of the text: ${Math.round(100 * (shares[at] ?? 0))} % of it differs here`);
    marker.setAttribute("d", `M${at} 0h1v1h-1z`);
  }

  return {
    node,
    /** @param {Comparison} compared @param {number[]} differing of equal stretches, the share in differences */
    show(compared, differing) {
      comparison = compared;
      shares = differing;
      path.setAttribute("d", shares.map((share, k) => `M${k} 1v${-share}h1v${share}z`).join(""));
      updateMarker();
    },
  };
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
