/**
 * Amounts as bars on a common scale, each with its number.
 */

import { element, number } from "../shared/dom/elements.js";

/** Rows of a `<dl class="measures-bars">`. @param {{name: string, value: number, color?: string}[]} rows `color` is a variable of the palette */
export function barsOf(rows) {
  const most = Math.max(1, ...rows.map(({ value }) => value));
  return rows.flatMap(({ name, value, color }) => {
    const bar = element("i", { class: "bar" });
    Object.assign(bar.style, { width: `${(100 * value) / most}%`, ...(color && { background: `var(${color})` }) });
    return [element("dt", {}, name), element("dd", {}, element("b", {}, number(value)), bar)];
  });
}
