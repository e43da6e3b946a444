/**
 * Token colors: alternating to separate neighbors, or by id, rank, length or pre-token.
 *
 * Colors are named after the custom properties of palette.css: "tint-2" is `--tint-2`.
 */

import { element, fill, number } from "../shared/dom/elements.js";
import { saySigns } from "../shared/text/invisibles.js";
import { TINTS } from "../shared/text/tokenization.js";

/** @typedef {import("../shared/text/tokenization.js").TokenizationModel} TokenizationModel */
/** @typedef {"alternate" | "id" | "rank" | "bytes" | "pretoken"} ColorBy */
/** @typedef {{ranks?: Int32Array | null, pretokenIndex?: Int32Array | null}} Columns ranks: -1 for none */
/** @typedef {{model: TokenizationModel, tints: Uint8Array}} Alternation */

/** Menu choices. @type {{value: ColorBy, label: string}[]} */
export const COLORINGS = [
  { value: "alternate", label: "Alternate" },
  { value: "id", label: "Id" },
  { value: "rank", label: "Rank" },
  { value: "bytes", label: "Bytes" },
  { value: "pretoken", label: "Pre-token" },
];

const HUE_BITS = 3;

/** Upper bounds of the ramp's steps; a last step covers larger values. */
const RANK_STEPS = [1000, 5000, 20000, 50000];
const BYTE_STEPS = [1, 2, 4, 8, 16];

/** Of tokens that have no tint yet. */
const NO_TINT = 255;

/**
 * Assign tints to a text's tokens in a cycle. Tokens that were shown before keep their tints: those around an edit, so
 * that typing recolors only the word being typed, and those of the same text that other merges have left alone.
 *
 * @param {TokenizationModel} model
 * @param {Alternation | null} before the last one shown
 * @returns {Uint8Array} 0 to 3 for each token
 */
export function alternate(model, before) {
  const tints = new Uint8Array(model.n).fill(NO_TINT);
  const head = before ? commonStart(model, before.model) : 0;
  const tail = before ? commonEnd(model, before.model, head) : 0;
  const tailStart = model.n - tail;
  if (before) {
    tints.set(before.tints.subarray(0, head));
    tints.set(before.tints.subarray(before.model.n - tail), tailStart);
    keepWithin(tints, model, before, head, tail);
  }
  for (let i = head; i < tailStart; i++) if (tints[i] === NO_TINT) tints[i] = nextTint(tints, i);
  if (tailStart && tail && tints[tailStart - 1] === tints[tailStart]) {
    const changed = tailStart > head ? tailStart - 1 : tailStart;
    tints[changed] = nextTint(tints, changed);
  }
  return tints;
}

/**
 * Keep the tints of tokens between head and tail that cover the bytes that they covered before.
 *
 * @param {Uint8Array} tints
 * @param {TokenizationModel} model
 * @param {Alternation} before
 * @param {number} head
 * @param {number} tail
 */
function keepWithin(tints, model, { model: old, tints: oldTints }, head, tail) {
  let [i, j, start, oldStart] = [head, head, 0, 0];
  while (i < model.n - tail && j < old.n - tail) {
    const [end, oldEnd] = [start + model.byteLengths[i], oldStart + old.byteLengths[j]];
    const isSame = start === oldStart && end === oldEnd && model.ids[i] === old.ids[j];
    if (isSame && oldTints[j] !== tints[i - 1]) tints[i] = oldTints[j];
    if (end <= oldEnd) [i, start] = [i + 1, end];
    if (oldEnd <= end) [j, oldStart] = [j + 1, oldEnd];
  }
}

/**
 * The tint that follows the left neighbor's in the cycle and that the right neighbor doesn't have.
 *
 * @param {Uint8Array} tints
 * @param {number} i
 */
function nextTint(tints, i) {
  let tint = i ? (tints[i - 1] + 1) % TINTS : 0;
  while (tint === tints[i - 1] || tint === tints[i + 1]) tint = (tint + 1) % TINTS;
  return tint;
}

/**
 * @param {TokenizationModel} a
 * @param {TokenizationModel} b
 */
function commonStart(a, b) {
  const most = Math.min(a.n, b.n);
  let i = 0;
  while (i < most && a.ids[i] === b.ids[i] && a.byteLengths[i] === b.byteLengths[i]) i++;
  return i;
}

/**
 * @param {TokenizationModel} a
 * @param {TokenizationModel} b
 * @param {number} head number of tokens already matched at the start
 */
function commonEnd(a, b, head) {
  const most = Math.min(a.n, b.n) - head;
  let i = 0;
  while (i < most && a.ids[a.n - 1 - i] === b.ids[b.n - 1 - i] && a.byteLengths[a.n - 1 - i] === b.byteLengths[b.n - 1 - i]) i++;
  return i;
}

/**
 * Return a function from a token to its color.
 *
 * @param {ColorBy} colorBy
 * @param {TokenizationModel} model
 * @param {Columns & {tints: Uint8Array}} columns
 * @returns {(i: number) => string} the name of a custom property, as "ramp-3"
 */
export function colorer(colorBy, model, { tints, ranks, pretokenIndex }) {
  if (colorBy === "id") return (i) => `hue-${hueOf(model.ids[i])}`;
  if (colorBy === "bytes") return (i) => `ramp-${stepOf(model.byteLengths[i], BYTE_STEPS)}`;
  if (colorBy === "rank" && ranks) return (i) => (ranks[i] < 0 ? "ramp-0" : `ramp-${1 + stepOf(ranks[i] + 1, RANK_STEPS)}`);
  if (colorBy === "pretoken" && pretokenIndex) return (i) => `tint-${pretokenIndex[i] % TINTS}`;
  return (i) => `tint-${tints[i]}`;
}

/**
 * Hash an id to one of the eight hues. Ids up to four apart get different ones, since the upper bits of Knuth's
 * multiplicative hash are spread most evenly.
 *
 * @param {number} id
 */
function hueOf(id) {
  return Math.imul(id, 2654435761) >>> (32 - HUE_BITS);
}

/**
 * @param {number} value
 * @param {number[]} steps
 */
function stepOf(value, steps) {
  const step = steps.findIndex((most) => value <= most);
  return step < 0 ? steps.length : step;
}

/**
 * Return the legend: a sentence, and a row for each color that has its own meaning.
 *
 * @param {ColorBy} colorBy
 * @param {TokenizationModel} model
 * @returns {{sentence: string, rows: {color: string, label: string}[]}}
 */
export function legend(colorBy, model) {
  if (colorBy === "id") {
    return { sentence: "One id, one color, wherever it occurs. There are more ids than colors, so different ids can share one.", rows: [] };
  }
  if (colorBy === "rank") return { sentence: "When the token was learned. Early does not mean common.", rows: rankRows(model) };
  if (colorBy === "bytes") return { sentence: "How many bytes a token covers.", rows: byteRows(model) };
  if (colorBy === "pretoken") return { sentence: "Tokens of one pre-token share a color. Merges never cross from one to the next.", rows: [] };
  return { sentence: "Colors only tell neighbors apart.", rows: [] };
}

/** Rows for the colors in the text, once it is shown. @param {TokenizationModel} model */
function rankRows({ n, colorOf }) {
  const rows = rampRows(["not merged: there from the start, or put in by hand", ...ranges(RANK_STEPS).map((range) => `merge ${range}`)]);
  if (!colorOf) return rows;
  const present = new Set(Array.from({ length: n }, (_, i) => colorOf(i)));
  return rows.filter(({ color }) => present.has(color));
}

/** @param {TokenizationModel} model */
function byteRows(model) {
  const present = new Set(Array.from(model.byteLengths, (length) => stepOf(length, BYTE_STEPS)));
  const none = model.meta.rewriting?.length ? "1 byte, or none" : "1 byte, or none: the end of a word";
  const one = model.byteLengths.includes(0) ? none : "1 byte";
  const labels = ranges(BYTE_STEPS).map((range) => (range === "1" ? one : `${range} bytes`));
  return rampRows(labels).filter((_, step) => present.has(step));
}

/** @param {string[]} labels */
function rampRows(labels) {
  return labels.map((label, step) => ({ color: `ramp-${step}`, label }));
}

/** @param {number[]} steps */
function ranges(steps) {
  const between = steps.map((most, i) => {
    const least = i ? steps[i - 1] + 1 : 1;
    return least === most ? number(most) : `${number(least)} to ${number(most)}`;
  });
  return [...between, `${number(steps[steps.length - 1] + 1)} and more`];
}

/** @param {HTMLElement} root */
export function createLegend(root) {
  const box = element("div", { class: "legend" });
  root.append(box);
  let shown = "";
  return {
    /**
     * @param {ColorBy} colorBy
     * @param {TokenizationModel} model
     * @param {boolean} marks whether invisible characters are marked
     */
    show(colorBy, model, marks) {
      const { sentence, rows } = legend(colorBy, model);
      const signs = marks ? saySigns(model.text) : "";
      const content = JSON.stringify([sentence, signs, rows]);
      if (content === shown) return; // as with most keys that are pressed
      shown = content;
      fill(box, element("p", {}, element("span", { class: "of-colors" }, `${sentence} `), signs), rows.length > 0 && element("ul", {}, ...rows.map(rowNode)));
    },
    dispose() {
      box.remove();
    },
  };
}

/** @param {{color: string, label: string}} row */
function rowNode({ color, label }) {
  const swatch = element("span", { class: "swatch" });
  swatch.style.background = `var(--${color})`;
  return element("li", {}, swatch, label);
}
