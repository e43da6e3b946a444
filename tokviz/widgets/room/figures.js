/**
 * Figures on phones. Their modules and stylesheets are loaded when the first one is wanted: a room needs none to vote.
 */

import { createLive } from "../figure/late.js";
import { element, fill } from "../shared/dom/elements.js";

/** @typedef {{base: string, sheets: string[]}} Source the app's root, and the stylesheets that figures need */

/** @type {Promise<unknown> | null} */
let loaded = null;

/** @param {Source} source */
const loadSheets = ({ base, sheets }) => (loaded ??= Promise.all(sheets.map((path) => loadSheet(`${base}_tokviz/static/${path}`))));

/** @param {string} href @returns {Promise<unknown>} settled when the stylesheet applies, or can't be had */
function loadSheet(href) {
  const link = element("link", { rel: "stylesheet", href });
  const done = new Promise((resolve) => (link.onload = link.onerror = resolve));
  document.head.append(link);
  return done;
}

/**
 * Show what a link of the lesson opens.
 *
 * @param {Source} source
 * @param {import("../figure/figure.js").Link} link
 * @param {string} missing what is said if it can't be loaded
 * @returns {{node: HTMLElement, dispose: () => void}}
 */
export function figureOf(source, link, missing) {
  const live = createLive(link.label);
  live.node.classList.add("shown");
  live.show(source.base, link, loadSheets(source)).catch(() => fill(live.node, missing));
  return live;
}
