/**
 * The reader's own text: its lengths as four programs count it, its tokens, and the characters that they disagree on.
 */

import { element, fill, number, plural } from "../../shared/dom/elements.js";
import { barsOf } from "../bars.js";
import { createOwnFigure } from "../ownfigure.js";
import { COUNTERS } from "../lengths.js";

/** @typedef {import("../lengths.js").Lengths} Lengths */
/** @typedef {Lengths & {text: string, count: number}} Apart */
/** @typedef {{lengths: Lengths, tokens: Record<string, number>, colors: Record<string, number>, apart: Apart[], kinds: number, replaced: number}} Measured */

/** @param {import("../figures.js").Context} context @returns {import("../figures.js").Figure} */
export function create(context) {
  const bars = element("dl", { class: "measures-bars" });
  const list = element("p", { class: "says" });
  return createOwnFigure(context, {
    route: "measured",
    parts: [bars, list],
    draw(/** @type {Measured} */ { lengths, tokens, colors, apart, kinds, replaced }) {
      const rows = [
        ...COUNTERS.map(([name, who, what]) => ({ name: `${who}, ${what}`, value: lengths[name] })),
        ...Object.entries(tokens).map(([label, value]) => ({ name: `${label}, tokens`, value, color: `--own-${colors[label]}` })),
      ];
      fill(bars, ...barsOf(rows));
      fill(list, sayReplaced(replaced), ...sayApart(apart, kinds));
    },
  });
}

/** @param {number} replaced */
const sayReplaced = (replaced) => (replaced ? `Replaced: ${plural(replaced, "surrogate")} that stood alone. ` : "");

/** @param {Apart[]} apart @param {number} kinds */
function sayApart(apart, kinds) {
  if (!apart.length) return ["Every character here is a single code point, and a single unit of UTF-16."];
  const shown = apart.flatMap(({ text, python, javascript }, i) => [i ? ", " : "", element("bdi", { class: "mono" }, text), ` ${python}/${javascript}`]);
  const more = kinds > apart.length ? `, and ${number(kinds - apart.length)} more` : "";
  return ["Counted differently by Python and JavaScript, or of several code points (Python/JavaScript): ", ...shown, more, "."];
}
