/**
 * All spellings of a character that are canonically equivalent, which normalization form each is, and its tokens.
 */

import { element, fill, plural } from "../../shared/dom/elements.js";
import { createFieldFigure } from "../field.js";

/** @typedef {{text: string, points: {code: string, name: string}[], forms: string[], tokens: Record<string, number>, bytes: number}} Spelling */
/** @typedef {{char: string, rows: Spelling[], count: number, compatible: string | null}} Spellings */

/** @param {import("../figures.js").Context} context */
export function create(context) {
  const table = element("table");
  const says = element("p", { class: "says", role: "status" });
  const field = { label: "A character with spellings", most: 40 };
  const parts = (/** @type {HTMLElement} */ box) => [element("div", { class: "row" }, box, says), element("div", { class: "wide" }, table)];
  return createFieldFigure(context, { name: "spellings", route: "spellings", field, parts }, (/** @type {Spellings} */ answer) => {
    const { rows } = answer;
    const labels = Object.keys(rows[0]?.tokens ?? {});
    const heads = ["code points", "form", "bytes", ...labels].map((head) => element("th", { scope: "col" }, head));
    fill(table, element("caption", { class: "unseen" }, "Spellings, and their tokens"), element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...rows.map(rowOf)));
    table.hidden = !answer.char;
    fill(says, sayOf(answer));
  });
}

/** @param {Spelling} spelling */
function rowOf({ points, forms, tokens, bytes }) {
  const codes = points.map(({ code, name }, i) => element("span", { title: name }, i ? ` + ${code}` : code));
  const counts = [bytes, ...Object.values(tokens)].map((count) => element("td", { class: "number" }, String(count)));
  return element("tr", {}, element("th", { scope: "row", class: "mono" }, ...codes), element("td", { class: "quiet" }, forms.join(", ")), ...counts);
}

/** @param {Spellings} answer */
export function sayOf({ char, rows, count, compatible }) {
  if (!char) return "Type a character.";
  const more = count > rows.length ? ` The first ${rows.length} are shown.` : "";
  const lost = compatible === null ? "" : ` NFKC makes it “${compatible}”.`;
  return `${plural(count, "spelling")} of ${char}.${more}${lost}`;
}
