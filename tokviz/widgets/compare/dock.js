/**
 * The column beside the text: the walk through its differences, why the chosen one is there, and what each kind of them
 * costs. Its parts keep their places, whatever is chosen.
 */

import { element, fill, number, press, rowOf } from "../shared/dom/elements.js";
import { Drawer } from "../shared/ui/drawer.js";
import { drawCauses } from "./causes.js";
import { capitalized, kindsOf, sayHeadline } from "./kinds.js";
import { differenceIn, reasonNames } from "./model.js";
import { drawPicture } from "./picture.js";

/** @typedef {import("./model.js").Comparison} Comparison */

/** Maximum kinds in the table; the rest are one row. */
const MOST = 5;

/**
 * @typedef {object} DockListeners
 * @property {() => void} close called when the reader is done with a difference
 * @property {(segment: number) => void} go called when the reader goes to a difference
 * @property {() => import("../shared/ui/bubble.js").Box | null} line that the chosen difference is in
 */

export class Dock {
  /** @type {Comparison | null} */
  #comparison = null;
  #kinds = /** @type {ReturnType<typeof kindsOf>} */ ({ kinds: [], of: [] });
  #hint = element("p", { class: "quiet" }, `${press()} a colored piece to see why.`);
  #explains = element("div", { class: "explains" }, this.#hint);
  #table = element("table", { class: "spent" });
  /** Names of the table's columns. */
  #columns = "";
  #drawer;
  #headline;
  #folds;
  #on;

  /**
   * @param {Node} walking the buttons that go from one difference to the next
   * @param {import("./folds.js").Folds} folds remember whether the whole explanations are in sight
   * @param {DockListeners} on
   * @param {HTMLElement} headline says how many tokens the tokenizers differ by, once that is known
   */
  constructor(walking, folds, on, headline) {
    this.#headline = headline;
    this.#folds = folds;
    this.#on = on;
    this.#drawer = new Drawer(this.#explains, "Difference", on.close, "Hide the difference");
    /** @type {HTMLElement} */
    this.node = element(
      "aside",
      { class: "dock", "aria-label": "Differences" },
      element("div", { class: "walk" }, walking),
      this.#explains,
      element("section", { class: "spending", "aria-label": "What each kind costs" }, this.#table),
    );
  }

  /** @param {Comparison} comparison */
  show(comparison) {
    this.#comparison = comparison;
    this.#kinds = kindsOf(comparison);
    const { kinds } = this.#kinds;
    say(this.#headline, sayHeadline(comparison, kinds));
    this.#hint.hidden = !kinds.length;
    const columns = comparison.names.join("\n");
    if (columns !== this.#columns) fill(this.#table, ...this.#draw(comparison));
    this.node.style.setProperty("--more", String(comparison.names.length - 2));
    this.#columns = columns;
    this.#fillRows();
  }

  /** Say in place what the rows say now, lest each key press makes the browser build a table. */
  #fillRows() {
    const { kinds } = this.#kinds;
    const rest = kinds.length > MOST + 1 ? kinds.slice(MOST) : [];
    const groups = kinds.slice(0, rest.length ? MOST : MOST + 1).map((kind) => ({ name: kind.name, all: [kind] }));
    if (rest.length) groups.push({ name: `${number(rest.length)} other kinds`, all: rest });
    /** @type {HTMLTableRowElement[]} */
    const rows = [...this.#table.querySelectorAll("tbody tr, tfoot tr")];
    rows.forEach((row, k) => {
      const group = k < rows.length - 1 ? groups[k] : kinds.length ? { name: "together", all: kinds } : null;
      row.hidden = !group;
      if (!group) return;
      const [head, ...cells] = row.cells;
      say(head.querySelector("button") ?? head, capitalized(group.name));
      cells.forEach((cell, t) => say(cell, signed(group.all.reduce((sum, { more }) => sum + more[t + 1], 0))));
    });
  }

  /**
   * Say why a segment is cut differently.
   *
   * @param {number | null} segment null for none
   * @param {Difference | null} difference null if all cut it alike
   */
  explain(segment, difference) {
    const comparison = this.#comparison;
    const kind = comparison && segment !== null && difference ? this.#kinds.of[differenceIn(comparison, segment)] : null;
    for (const each of this.#table.querySelectorAll("button")) each.setAttribute("aria-current", String(kind !== null && each.textContent === capitalized(kind.name)));
    if (!comparison || segment === null) return this.#drawer.close();
    this.#drawer.open(this.#on.line, ...drawCard(comparison, segment, difference, this.#folds));
  }

  /** Scroll to what is said of a segment that was chosen in view: it stands beneath the text on phones. */
  bringIntoView() {
    if (matchMedia("(max-width: 40rem)").matches) this.#explains.scrollIntoView({ block: "nearest" });
  }

  /** @param {Comparison} comparison */
  #draw({ names, colors }) {
    const others = names.slice(1);
    const isPair = others.length === 1;
    const head = others.map((name, k) => element("th", { scope: "col" }, element("i", { class: `own own-${colors[k + 1]}`, title: name }), element("span", { class: others.length > 2 && "unseen" }, ` ${name}`)));
    const lead = (/** @type {number} */ k) => element("button", { type: "button", "aria-current": "false", title: "Go to the first of them", click: () => this.#on.go(this.#kinds.kinds[k].segment) }, " ");
    const row = (/** @type {string | Node} */ name) => rowOf(name, ...others.map(() => " "));
    return [
      element("caption", { class: "quiet" }, `${isPair ? `${others[0]}’s tokens` : "Tokens"} against ${names[0]}’s`),
      !isPair && element("thead", {}, element("tr", {}, element("td"), ...head)),
      element("tbody", {}, ...Array.from({ length: MOST + 1 }, (_, k) => row(lead(k)))),
      element("tfoot", {}, row(" ")),
    ];
  }

  dispose() {
    this.#drawer.dispose();
  }
}

/** @param {number} more */
const signed = (more) => (more > 0 ? `+${number(more)}` : more < 0 ? `−${number(-more)}` : "0");

/** Change an element's text in place. @param {Element} element @param {string} text */
function say({ firstChild }, text) {
  if (firstChild && firstChild.nodeValue !== text) firstChild.nodeValue = text;
}

/**
 * @typedef {object} Difference
 * @property {number} bits of its reasons
 * @property {string} [refusal] why the server gave no reasons
 * @property {import("./explaining.js").Explained} explanation null until loaded
 */

/** How to read a text in a layout. @param {import("./comparedtext.js").Layout} layout */
export const sayHint = (layout) => `${layout === "aligned" ? "Blank" : "Underlined"}: cut alike.`;

/**
 * @param {Comparison} comparison @param {number} segment @param {Difference | null} difference null if all cut it alike
 * @param {import("./folds.js").Folds} folds remember whether the whole explanations are in sight
 * @returns {HTMLElement[]}
 */
function drawCard(comparison, segment, difference, folds) {
  const explanation = difference?.explanation;
  const picture = drawPicture(comparison, segment, explanation?.splits ?? []);
  if (!difference) return [picture, element("p", { class: "plain" }, "All cut this alike.")];
  if (!explanation) return [picture, pending(difference)];
  return [picture, ...drawCauses(explanation, comparison.names, folds)];
}

/** The reasons as far as they are known before the explanation is loaded. @param {Difference} difference */
function pending({ bits, refusal }) {
  return element("p", { class: "plain" }, refusal || reasonNames(bits).join(" and ") || "Being worked out");
}
