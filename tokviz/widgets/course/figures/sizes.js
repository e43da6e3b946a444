/**
 * What a vocabulary costs and buys, for models and vocabularies of any size, on the reader's text.
 */

import { element, fill, number, plural, toggle } from "../../shared/dom/elements.js";
import { svg } from "../../shared/dom/svg.js";
import { barsOf } from "../bars.js";
import { createOwnFigure } from "../ownfigure.js";
import { namedRange } from "../player.js";

/** @typedef {{vocabulary: number, tokens: number, parameters: number, work: number}} Size */
/** @typedef {{rows: Size[], inside: number, best: number, bytes: number}} Sizes */

const WIDTHS = [64, 128, 256, 512, 768, 1024, 1600, 2048, 4096, 8192, 16384];
const LAYERS = [1, 2, 4, 6, 12, 24, 32, 48, 80, 128];
/** Width, layers, 1 for one table instead of two, and the vocabulary. */
const VALUE = /^(\d+),(\d+),([01]),(\d+)$/;
const [WIDTH, HEIGHT] = [600, 220];
/** Bytes below which a text has so few tokens that the curve goes in steps. */
const SHORT = 200;

/** @param {import("../figures.js").Context} context @returns {import("../figures.js").Figure} */
export function create(context) {
  let [width, layers, tied, vocabulary] = [768, 12, true, 1_000];
  /** @type {Sizes | null} */
  let sizes = null;
  const stop = namedRange("V: tokens in the vocabulary", (i) => ((vocabulary = sizes?.rows[i].vocabulary ?? vocabulary), changed()));
  const wide = namedRange("d: numbers in a row", (i) => ((width = WIDTHS[i]), changed()));
  const deep = namedRange("layers between the tables", (i) => ((layers = LAYERS[i]), changed()));
  const one = toggle("One table for both ends", tied, (on) => ((tied = on), changed()));
  const picture = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" });
  const most = element("b");
  const bars = element("dl", { class: "measures-bars" });
  const count = element("p", { class: "large-count" });
  const says = element("p", { class: "says", role: "status" });
  const sliders = element("div", { class: "row sliders" }, wide.node, deep.node, one.node);
  const curve = element("div", { class: "curve sliders" }, element("p", { class: "quiet" }, "Operations for the whole text, from 0 at the bottom to ", most, " at the top:"), picture, stop.node);
  const figure = createOwnFigure(context, { route: "sizes", parts: [sliders, curve, count, says, bars], draw, query: () => ({ width, layers, tied }) });

  function changed() {
    if (sizes) draw(sizes);
    figure.ask();
    context.changed();
  }

  /** @param {Sizes} answer */
  function draw(answer) {
    sizes = answer;
    const { rows, inside, best } = answer;
    const chosen = nearest(rows.map((row) => row.vocabulary), vocabulary);
    for (const [{ input, at }, steps, i] of /** @type {const} */ ([[stop, rows.map((row) => row.vocabulary), chosen], [wide, WIDTHS, nearest(WIDTHS, width)], [deep, LAYERS, nearest(LAYERS, layers)]])) {
      input.max = String(steps.length - 1);
      input.value = String(i);
      fill(at, number(steps[i]));
      input.setAttribute("aria-valuetext", number(steps[i]));
    }
    one.input.checked = tied;
    const { tokens, parameters } = rows[chosen];
    fill(bars, ...barsOf([{ name: "table parameters", value: parameters, color: "--own-1" }, { name: "layer parameters", value: inside, color: "--own-0" }]));
    fill(count, element("b", { class: "large" }, number(tokens)), `${tokens === 1 ? " token" : " tokens"} for ${plural(answer.bytes, "byte")}${answer.bytes < SHORT ? ". In so short a text each token less is a step of the curve: try a longer one." : "."}`);
    fill(says, saySize(rows[chosen], rows[best], inside, width));
    drawCurve(rows, chosen, best);
  }

  /** @param {Size[]} rows @param {number} chosen @param {number} best */
  function drawCurve(rows, chosen, best) {
    const top = Math.max(1, ...rows.map(({ work }) => work));
    const across = (/** @type {number} */ i) => (WIDTH * i) / Math.max(1, rows.length - 1);
    const mark = (/** @type {number} */ i, /** @type {string} */ kind) => svg("line", { class: kind, x1: across(i), x2: across(i), y1: 0, y2: HEIGHT, "vector-effect": "non-scaling-stroke" });
    const points = rows.map(({ work }, i) => `${across(i)},${HEIGHT - ((HEIGHT - 10) * work) / top}`);
    fill(most, large(top));
    fill(picture, mark(best, "best"), mark(chosen, "chosen"), svg("polyline", { points: points.join(" "), "vector-effect": "non-scaling-stroke" }));
  }

  return {
    ...figure,
    value: () => [width, layers, Number(tied), vocabulary].join(","),
    show(value) {
      const found = VALUE.exec(value);
      if (!found) return figure.show(value);
      [width, layers, tied, vocabulary] = [Number(found[1]), Number(found[2]), found[3] === "1", Number(found[4])];
      figure.ask();
    },
  };
}

/** The index of the value that is nearest, by ratio. @param {readonly number[]} values @param {number} wanted */
export function nearest(values, wanted) {
  const far = (/** @type {number} */ value) => Math.abs(Math.log(value / Math.max(1, wanted)));
  return values.reduce((best, value, i) => (far(value) < far(values[best]) ? i : best), 0);
}

/** @param {Size} size @param {Size} best @param {number} inside parameters between the tables @param {number} width of a row */
export function saySize({ vocabulary, tokens, parameters, work }, best, inside, width) {
  if (!tokens) return "Type a text to read.";
  const percent = (/** @type {number} */ part, /** @type {number} */ rest) => `${Math.round((100 * part) / (part + rest))} %`;
  const more = Math.round(100 * (work / best.work - 1));
  const spot = vocabulary === best.vocabulary ? "This is the least work of all." : `That is ${number(more)} % more than the least, at\u00a0V\u00a0=\u00a0${number(best.vocabulary)}\u00a0(dashed).`;
  return `The tables hold ${percent(parameters, inside)} of all parameters. Reading takes ${large(work)} operations, ${percent(vocabulary * width, inside)} of them for scores. ${spot}`;
}

/** @param {number} value */
const large = (value) => new Intl.NumberFormat("en-US", { notation: "compact", compactDisplay: "long", maximumSignificantDigits: 3 }).format(value);
