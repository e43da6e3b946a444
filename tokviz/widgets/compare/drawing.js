/**
 * Drawing of a picture of a segment (see `picture.js`), and the same in words for those who can't see it.
 */

import { element, plural } from "../shared/dom/elements.js";
import { isBoxed, tokensIn } from "./model.js";
import { pictureOf } from "./picture.js";
import { pieceOf } from "./pieces.js";

/** @typedef {import("./model.js").Comparison} Comparison */
/** @typedef {import("./picture.js").Line} Line */
/** @typedef {import("./picture.js").Block} Block */

const TINTS = 4;
/** Maximum tokens of each tokenizer in the words for a picture. */
const MAX_SAID = 40;
/** Rows of the grid: the characters that are cut, and for each tokenizer its name and its blocks. */
const FIRST_ROW = 2;
const ROWS = 2;

/**
 * @param {Comparison} comparison
 * @param {number} segment
 * @param {number[][]} splits for each tokenizer, its cuts before any merge, in bytes from the segment's start; empty
 *   until loaded
 * @returns {HTMLElement}
 */
export function drawPicture(comparison, segment, splits) {
  const drawnSplits = splits.map((cuts, t) => (comparison.cutting[t] ? cuts : []));
  const { lines, isWhole } = pictureOf(comparison, segment, drawnSplits);
  const cutting = comparison.cutting.filter((_, t) => lines.some(({ bands }) => bands[t].cuts.length));
  const drawn = lines.map((line, k) => drawLine(comparison, segment, line, k === 0));
  return element(
    "figure",
    { class: "picture" },
    element("div", { role: "img", "aria-label": sayPicture(comparison, segment, splits) }, ...drawn),
    !isWhole && element("p", { class: "quiet" }, "… and so on: only the beginning is drawn."),
    cutting.length > 0 && element("figcaption", { class: "quiet" }, element("i", { class: "split" }), sayCuts(cutting)),
  );
}

/** What the cuts in a picture are, in words that hold for all that cut. @param {Comparison["cutting"]} cutting */
export const sayCuts = (cutting) =>
  cutting.every((each) => each === "pattern") ? "cut by the split pattern, before any merge" : "cut before looking for tokens";

/** @param {Comparison} comparison @param {number} segment @param {Line} line @param {boolean} isFirst */
function drawLine(comparison, segment, { columns, width, characters, bands }, isFirst) {
  const over = characters.map(({ from, to, text }) => at(1, from, to, element("span", { class: "over", dir: "auto" }, text)));
  const parts = bands.flatMap(({ blocks, cuts }, t) => {
    const row = FIRST_ROW + ROWS * t;
    const [first, end] = tokensIn(comparison, t, segment);
    const count = isFirst && element("span", { class: "quiet" }, ` ${plural(end - first, "token")}`);
    return [
      at(row, 0, columns.length, element("p", { class: "name-of" }, comparison.names[t], count)),
      ...blocks.map((block) => at(row + 1, block.from, block.to, drawBlock(comparison, t, block))),
      ...blocks.flatMap((block) => (block.label === null ? byteLabels(columns, block, row + 1) : [])),
      ...cuts.map((column) => at(row + 1, column, column + 1, drawCut(column > 0 && column < columns.length))),
    ];
  });
  const line = element("div", { class: "picture-line" }, ...over, ...parts);
  // One column more than there are, for a cut at the end.
  line.style.gridTemplateColumns = `repeat(${columns.length}, minmax(0.65rem, auto)) 0`;
  line.style.setProperty("--width", String(width));
  return line;
}

/** @param {Comparison} comparison @param {number} t @param {Block} block */
function drawBlock(comparison, t, { token, label, isRest }) {
  return element(
    "span",
    { class: isBoxed(comparison, t, token) ? "piece special" : `piece tint-${t % TINTS}` },
    element("b", { dir: "auto" }, label ?? "\u00a0"),
    element("span", { class: "id" }, isRest ? "\u00a0" : String(comparison.models[t].ids[token])),
  );
}

/** @param {boolean} isInner false at an end of the picture, where a cut says little */
const drawCut = (isInner) => element("i", { class: isInner ? "split" : "split outer" });

/** @param {Line["columns"]} columns @param {Block} block @param {number} row */
function byteLabels(columns, { from, to }, row) {
  const labels = columns.slice(from, to);
  return labels.map(({ label }, k) => at(row, from + k, from + k + 1, element("span", { class: "byte" }, label)));
}

/**
 * Place an element in the grid.
 *
 * @param {number} row from 1 @param {number} from first column, from 0 @param {number} to one past the last
 * @param {HTMLElement} node
 */
function at(row, from, to, node) {
  node.style.gridArea = `${row} / ${from + 1} / ${row + 1} / ${to + 1}`;
  return node;
}

/**
 * The tokens of each tokenizer with their ids, and how often it cuts before it looks for tokens.
 *
 * @param {Comparison} comparison @param {number} segment @param {number[][]} splits
 */
export function sayPicture(comparison, segment, splits) {
  const [start, stop] = [comparison.boundaries[segment], comparison.boundaries[segment + 1]];
  const sentences = comparison.names.map((name, t) => {
    const [first, end] = tokensIn(comparison, t, segment);
    const shown = Array.from({ length: Math.min(end - first, MAX_SAID) }, (_, k) => first + k);
    const { ids } = comparison.models[t];
    const unknown = (/** @type {number} */ i) => (ids[i] === comparison.unknown[t] ? " (unknown)" : "");
    const tokens = shown.map((i) => `“${pieceOf(comparison, t, i)}” ${ids[i]}${unknown(i)}`);
    const inner = (splits[t] ?? []).filter((offset) => offset > 0 && offset < stop - start).length;
    const more = end - first > MAX_SAID ? " and more" : "";
    const times = inner === 1 ? "once" : `${inner} times`;
    const cutter = comparison.cutting[t] === "pattern" ? "its split pattern" : "its first stage";
    const isCut = splits[t] && comparison.cutting[t];
    const cuts = isCut ? `; ${cutter} ${inner ? `cuts ${times}` : "does not cut"} here` : "";
    return `${name}: ${tokens.join(", ")}${more}${cuts}.`;
  });
  return sentences.join(" ");
}
