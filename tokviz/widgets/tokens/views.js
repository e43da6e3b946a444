/**
 * The choice between the views of the colored text. A key goes from one to the next.
 */

import { keepsKeys } from "../shared/dom/fields.js";
import { createSegments } from "../shared/ui/segments.js";

/** @typedef {import("../token_view/piece.js").View | "all"} View "all": with ids beneath all lines, however many */

/** @type {[View, label: string][]} */
const VIEWS = [
  ["text", "Text"],
  ["both", "Text + ids"],
  ["all", "All ids"],
  ["numbers", "Ids only"],
];
const KEY = "v";

/** Return the view with this name, or the one that a first visit shows. @param {string | undefined} name @returns {View} */
export function viewNamed(name) {
  return VIEWS.find(([view]) => view === name)?.[0] ?? "both";
}

/** Return the view after another. @param {View} view */
export function nextView(view) {
  return VIEWS[(VIEWS.findIndex(([each]) => each === view) + 1) % VIEWS.length][0];
}

/**
 * Create the choice.
 *
 * @param {View} initial
 * @param {(view: View) => void} choose
 */
export function createViews(initial, choose) {
  const disposal = new AbortController();
  let chosen = initial;
  const { node, show } = createSegments("View", VIEWS, initial, use);
  node.classList.add("views");
  node.title = `Key: ${KEY.toUpperCase()}`;
  // In the capture phase, because widgets stop their key events from bubbling.
  document.addEventListener("keydown", handleKey, { signal: disposal.signal, capture: true });

  /** @param {View} view */
  function use(view) {
    chosen = view;
    show(view);
    choose(view);
  }

  /** @param {KeyboardEvent} event */
  function handleKey(event) {
    if (event.key.toLowerCase() !== KEY || event.ctrlKey || event.metaKey || event.altKey || keepsKeys(event)) return;
    event.preventDefault();
    use(nextView(chosen));
  }

  return { node, dispose: () => disposal.abort() };
}
