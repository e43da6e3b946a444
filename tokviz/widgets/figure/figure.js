/**
 * A live figure: the widget that a page uses, in the state of a link, inline in another page or a slide.
 *
 * `tokviz/lesson/figures.py` finds out what a link shows; its widget is one of the standalone widgets, or bars.
 */

import { mount as mountAligned } from "../aligned/widget.js";
import { mount as mountColored } from "../colored/widget.js";
import { mount as mountLattice } from "../lattice/widget.js";
import { mount as mountMatches } from "../matches/widget.js";
import { mount as mountReplay } from "../replay/widget.js";
import { widthOf } from "../replay/tower/labels.js";
import { element, fill } from "../shared/dom/elements.js";
import { Client, problemOf } from "../shared/net/client.js";
import { mount as mountBars } from "./bars.js";

/** @typedef {{label: string, page: string, fields: Record<string, string>, text: string | null}} Link as in `tokviz/lesson/steps.py` */
/** @typedef {{widget: keyof WIDGETS, data: any, title: string}} Shown what a link shows; columns in `data` may be in base64 */
/** @typedef {{dispose: () => void}} Part */

/** @type {Record<string, (root: HTMLElement, data: any, on: any) => Part>} */
const WIDGETS = { aligned: mountAligned, bars: mountBars, colored: mountColored, lattice: mountLattice, matches: mountMatches, replay: mountReplay };

/** Maximum columns of a text that is one line wherever there is room for a slide. */
const SHORT = 40;

/** Maximum lines of a text that has room on a slide in large type, and in one column. */
const [LONG, TALL] = [4, 8];

/** What a widget reports is kept by nobody. */
const IGNORED = { text() {}, state() {} };

/**
 * Ask what a link shows.
 *
 * @param {string} base the app's root, ending in "/" @param {Link} link @param {AbortSignal} [signal]
 * @returns {Promise<Shown>}
 */
export const fetchFigure = (base, { label, page, fields, text }, signal) =>
  new Client(base).json("figure", {}, JSON.stringify({ label, page, fields, text }), signal);

/**
 * Mount what a link shows. Pages that use this list `FIGURE_SHEETS` of `widgets/__init__.py` among their stylesheets.
 *
 * @param {HTMLElement} host is filled; its size is the stylesheet's
 * @param {string | Shown | Promise<Shown>} source the app's root, ending in "/", which is asked; or what the link shows, where it is known
 * @param {Link} link
 * @returns {Part & {shown: Promise<void>}} `shown` is settled when the figure, or why there is none, is on screen
 */
export function mountFigure(host, source, link) {
  const leaving = new AbortController();
  /** @type {Part | null} */
  let part = null;
  const node = element("div", { class: "figure", role: "group", "aria-label": link.label, "aria-busy": "true" });
  fill(host, node);

  async function show() {
    const shown = await (typeof source === "string" ? fetchFigure(source, link, leaving.signal) : source);
    if (leaving.signal.aborted) return;
    node.setAttribute("aria-label", shown.title);
    node.dataset.widget = shown.widget;
    const lines = String(shown.data.text ?? "").split("\n");
    const columns = Math.max(1, ...lines.map(widthOf));
    node.style.setProperty("--columns", String(columns));
    node.classList.toggle("short", lines.length === 1 && columns <= SHORT);
    node.classList.toggle("long", lines.length > LONG);
    node.classList.toggle("tall", lines.length > TALL);
    node.style.setProperty("--lines", String(lines.length));
    part = WIDGETS[shown.widget](node, { ...shown.data, isFigure: true }, IGNORED);
  }

  const shown = show()
    .catch((error) => {
      if (!leaving.signal.aborted) fill(node, element("p", { class: "tokviz", role: "alert" }, problemOf(error)));
    })
    .finally(() => node.removeAttribute("aria-busy"));
  return {
    shown,
    dispose() {
      leaving.abort();
      part?.dispose();
      node.remove();
    },
  };
}
