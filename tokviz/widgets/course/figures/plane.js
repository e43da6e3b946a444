/**
 * The smallest embedding: a row of two numbers for each word, drawn as a point, and a vector that becomes chances.
 *
 * The points and the vector can be dragged, or moved by the arrow keys.
 */

import { element, fill } from "../../shared/dom/elements.js";
import { svg } from "../../shared/dom/svg.js";

/** @typedef {[x: number, y: number]} Vector */
/** @typedef {{words: string[], vector: Vector, rows: Map<string, Vector>}} State `words`: the text; `rows`: of each word that is in it, by id */

/** Maximum words of a text: a link's may be long, and each different word is a point, and a row. */
const MAX_WORDS = 20;
/** The plane's numbers go from -MOST to MOST. */
const MOST = 2;
const STEP = 0.1;
/** @type {Record<string, Vector>} */
const ARROWS = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, STEP], ArrowDown: [0, -STEP] };

/** Read a text, a vector and the rows of the text's words: "a b a;1,0.5;0,1;1,0". @param {string} value @returns {State} */
export function readValue(value) {
  const [text, vector = "", ...rows] = value.split(";");
  const words = text.split(" ").filter(Boolean).slice(0, MAX_WORDS);
  return { words, vector: vectorIn(vector), rows: new Map([...new Set(words)].map((word, id) => [word, vectorIn(rows[id] ?? "")])) };
}

/** @param {State} state */
export const writeValue = ({ words, vector, rows }) => [words.join(" "), vector, ...rows.values()].join(";");

/** @param {string} text @returns {Vector} */
function vectorIn(text) {
  const [x = 0, y = 0] = text.split(",").map((each) => within(Number(each) || 0));
  return [x, y];
}

/** @param {number} value */
const within = (value) => Math.round(Math.min(MOST, Math.max(-MOST, value)) / STEP) / Math.round(1 / STEP);

/** @param {import("../figures.js").Context} context @returns {import("../figures.js").Figure} */
export function create(context) {
  /** @type {State} */
  let state = { words: [], vector: [0, 0], rows: new Map() };
  /** The word whose row is read. */
  let chosen = "";
  const text = element("div", { class: "row", role: "group", "aria-label": "The text" });
  const table = element("tbody", {});
  const arrow = svg("line", { x1: "50%", y1: "50%" });
  const picture = svg("svg", { "aria-hidden": "true" }, svg("line", { class: "axis", x1: 0, y1: "50%", x2: "100%", y2: "50%" }), svg("line", { class: "axis", x1: "50%", y1: 0, x2: "50%", y2: "100%" }), arrow);
  const handles = element("div", {});
  const plane = element("div", { class: "plane" }, picture, handles);
  const says = element("p", { class: "says", role: "status" });
  const titles = ["id", "word", "its row", "score", "e to that", "chance", ""].map((title) => element("th", { scope: "col" }, title));
  const numbers = element("div", { class: "wide" }, element("table", {}, element("thead", {}, element("tr", {}, ...titles)), table));
  const node = element("div", {}, text, element("div", { class: "two" }, element("section", {}, plane), element("section", { class: "numbers" }, numbers, says)));

  /** @param {string} value */
  function show(value) {
    state = readValue(value);
    chosen = state.words.at(-1) ?? "";
    const ids = [...state.rows.keys()];
    const chips = state.words.map((word) => element("button", { type: "button", class: `chip tint-${ids.indexOf(word) % 4}`, "data-word": word, click: () => choose(word) }, word, element("small", {}, String(ids.indexOf(word)))));
    fill(text, ...chips);
    fill(handles, ...ids.map((word, id) => createHandle(word, `tint-${id % 4}`, `The row of ${word}`, (to) => state.rows.set(word, to))), createHandle("", "tip", "The model’s vector", (to) => (state.vector = to)));
    draw();
  }

  /** @param {string} word */
  function choose(word) {
    chosen = word;
    draw();
  }

  /** @param {string} word "" for the vector @param {string} kind @param {string} label @param {(to: Vector) => void} move */
  function createHandle(word, kind, label, move) {
    const put = (/** @type {number} */ x, /** @type {number} */ y) => {
      move([within(x), within(y)]);
      chosen = word || chosen;
      draw();
      context.changed();
    };
    const handle = element("button", { type: "button", "data-label": label, "data-word": word }, element("span", { class: kind }, word));
    handle.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      const by = ARROWS[event.key];
      if (!by) return;
      event.preventDefault();
      const [x, y] = state.rows.get(word) ?? state.vector;
      put(x + by[0], y + by[1]);
    });
    handle.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => handle.setPointerCapture(event.pointerId));
    handle.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => {
      if (!handle.hasPointerCapture(event.pointerId)) return;
      const { left, top, width, height } = plane.getBoundingClientRect();
      put(((2 * (event.clientX - left)) / width - 1) * MOST, (1 - (2 * (event.clientY - top)) / height) * MOST);
    });
    return handle;
  }

  function draw() {
    const rows = [...state.rows];
    const { scores, powers, chances } = chancesOf(rows.map(([, row]) => row), state.vector);
    fill(table, ...rows.map(([word, row], id) => rowNode(id, word, row, [scores[id], powers[id], chances[id]], word === chosen)));
    for (const handle of handles.children) place(/** @type {HTMLElement} */ (handle));
    for (const chip of /** @type {Iterable<HTMLElement>} */ (text.children)) chip.ariaPressed = String(chip.dataset.word === chosen);
    arrow.setAttribute("x2", percent(state.vector[0]));
    arrow.setAttribute("y2", percent(-state.vector[1]));
    fill(says, sayScore(chosen, state, powers));
  }

  /** @param {HTMLElement} handle */
  function place(handle) {
    const [x, y] = state.rows.get(handle.dataset.word ?? "") ?? state.vector;
    Object.assign(handle.style, { left: percent(x), top: percent(-y) });
    handle.ariaLabel = `${handle.dataset.label}: ${x}, ${y}. Arrow keys move it.`;
  }

  return { node, value: () => writeValue(state), show, dispose() {} };
}

/** @param {number} value */
const percent = (value) => `${50 + (50 * value) / MOST}%`;

/** @param {number} id @param {string} word @param {Vector} row @param {number[]} values @param {boolean} isLit */
function rowNode(id, word, row, values, isLit) {
  const bar = element("i", { class: "bar" });
  Object.assign(bar.style, { width: `${100 * values[2]}%`, background: `var(--tint-${id % 4})` });
  const numbers = [spell(row), signed(values[0], 2), values[1].toFixed(2), `${Math.round(100 * values[2])} %`];
  return element(
    "tr",
    { class: isLit ? "lit" : null },
    element("td", { class: "number" }, String(id)),
    element("td", {}, word),
    ...numbers.map((text) => element("td", { class: "number" }, text)),
    element("td", { class: "share" }, bar),
  );
}

/** @param {Vector} row */
const spell = (row) => `[${row.map((each) => signed(each)).join(", ")}]`;

/** @param {number} value @param {number} [digits] */
const signed = (value, digits = 1) => value.toFixed(digits).replace("-", "−");

/** Say how a word's chance comes about. @param {string} word @param {State} state @param {number[]} powers of all scores */
export function sayScore(word, { rows, vector }, powers) {
  const row = rows.get(word);
  if (!row) return "No word, no row.";
  const products = row.map((each, i) => `${signed(each)} × ${signed(vector[i])}`).join(" + ");
  const all = powers.reduce((sum, each) => sum + each, 0);
  const power = powers[[...rows.keys()].indexOf(word)];
  return `${word}: ${products} = ${signed(dot(row, vector), 2)}. e to that is ${power.toFixed(2)}, of ${all.toFixed(2)} for all: ${Math.round((100 * power) / all)} %.`;
}

// Chances from scores, as at the end of a language model

/** @param {ArrayLike<number>} a @param {ArrayLike<number>} b */
export const dot = (a, b) => Array.from(a).reduce((sum, each, i) => sum + each * b[i], 0);

/** The score of each row for a vector, e to the power of each score, and the chance: its share of all of these. @param {number[][]} rows @param {number[]} vector */
export function chancesOf(rows, vector) {
  const scores = rows.map((row) => dot(row, vector));
  const powers = scores.map(Math.exp);
  const all = powers.reduce((sum, each) => sum + each, 0);
  return { scores, powers, chances: powers.map((power) => power / all) };
}
