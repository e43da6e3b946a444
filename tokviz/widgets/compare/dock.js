/**
 * What stands beside the text: the walk through its differences, why the chosen one is there, and what each kind of them
 * costs. Its parts keep their places, whatever is chosen.
 */

import { element, fill, number, press, rowOf } from "../shared/dom/elements.js";
import { Drawer } from "../shared/ui/drawer.js";
import { drawCard } from "./card.js";
import { capitalized, kindsOf, sayHeadline } from "./kinds.js";
import { differenceIn } from "./model.js";

/** @typedef {import("./model.js").Comparison} Comparison */
/** @typedef {import("./kinds.js").Kind} Kind */

/** Maximum kinds in the table; the rest are one row. */
const MOST = 5;

/**
 * @typedef {object} DockListeners
 * @property {() => void} close called when the reader is done with a difference
 * @property {(segment: number) => void} go called when the reader goes to a difference
 * @property {() => import("../shared/ui/bubble.js").Box | null} line that the chosen difference is in
 */

export class Dock {
  /** What the tokenizers' numbers of tokens differ by. @type {HTMLElement} */
  headline = element("h2", { class: "headline" });
  /** @type {Comparison | null} */
  #comparison = null;
  #kinds = /** @type {ReturnType<typeof kindsOf>} */ ({ kinds: [], of: [] });
  #table = element("table", { class: "spent" });
  #drawer;
  #folds;
  #on;

  /**
   * @param {Node} walking the buttons that go from one difference to the next
   * @param {import("./folds.js").Folds} folds remember whether the whole explanations are in sight
   * @param {DockListeners} on
   */
  constructor(walking, folds, on) {
    this.#folds = folds;
    this.#on = on;
    const explains = element("div", { class: "explains" }, element("p", { class: "quiet" }, `${press()} a colored piece to see why.`));
    this.#drawer = new Drawer(explains, "Difference", on.close, "Hide the difference");
    /** @type {HTMLElement} */
    this.node = element(
      "aside",
      { class: "dock", "aria-label": "Differences" },
      element("div", { class: "walk" }, walking),
      explains,
      element("section", { class: "spending", "aria-label": "What each kind costs" }, this.#table),
    );
  }

  /** @param {Comparison} comparison */
  show(comparison) {
    this.#comparison = comparison;
    this.#kinds = kindsOf(comparison);
    fill(this.headline, sayHeadline(comparison, this.#kinds.kinds));
    fill(this.#table, ...this.#rows(comparison));
  }

  /**
   * Say why a segment is cut differently.
   *
   * @param {number | null} segment null for none
   * @param {import("./card.js").Difference | null} difference null if all cut it alike
   */
  explain(segment, difference) {
    const comparison = this.#comparison;
    const kind = comparison && segment !== null && difference ? this.#kinds.of[differenceIn(comparison, segment)] : null;
    for (const each of this.#table.querySelectorAll("button")) each.setAttribute("aria-current", String(each.value === kind?.name));
    if (!comparison || segment === null) return this.#drawer.close();
    this.#drawer.open(this.#on.line, ...drawCard(comparison, segment, difference, this.#folds));
  }

  /** @param {Comparison} comparison */
  #rows({ names, colors }) {
    const { kinds } = this.#kinds;
    const others = names.slice(1);
    if (!kinds.length) return [];
    const isPair = others.length === 1;
    const head = others.map((name, k) => element("th", { scope: "col" }, element("i", { class: `own own-${colors[k + 1]}`, title: name }), element("span", { class: others.length > 2 && "unseen" }, ` ${name}`)));
    const rest = kinds.length > MOST + 1 ? kinds.slice(MOST) : [];
    const rows = kinds.slice(0, rest.length ? MOST : MOST + 1).map((kind) => this.#row(kind));
    const row = (/** @type {string} */ name, /** @type {Kind[]} */ all) => rowOf(name, ...others.map((_, k) => signed(all.reduce((sum, { more }) => sum + more[k + 1], 0))));
    return [
      element("caption", { class: "quiet" }, `${isPair ? `${others[0]}’s tokens` : "Tokens"} against ${names[0]}’s`),
      !isPair && element("thead", {}, element("tr", {}, element("td"), ...head)),
      element("tbody", {}, ...rows, rest.length > 0 && row(`${number(rest.length)} other kinds`, rest)),
      element("tfoot", {}, row("Together", kinds)),
    ];
  }

  /** @param {Kind} kind */
  #row({ name, segment, more }) {
    const go = element("button", { type: "button", value: name, "aria-current": "false", title: "Go to the first of them", click: () => this.#on.go(segment) }, capitalized(name));
    return rowOf(go, ...more.slice(1).map(signed));
  }

  dispose() {
    this.#drawer.dispose();
  }
}

/** @param {number} more */
const signed = (more) => (more > 0 ? `+${number(more)}` : more < 0 ? `−${number(-more)}` : "0");
