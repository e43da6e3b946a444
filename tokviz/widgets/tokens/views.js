/**
 * The choice between the views of the colored text. A key goes from one to the next.
 */

import { element } from "../shared/dom/elements.js";
import { isTextField } from "../shared/dom/fields.js";

/** @typedef {import("../token_view/piece.js").View} View */

/** @type {{view: View, label: string}[]} */
const VIEWS = [
  { view: "text", label: "Text" },
  { view: "both", label: "Text + numbers" },
  { view: "numbers", label: "Numbers" },
];
const KEY = "v";

/** Return the view with this name, or the one that a first visit shows. @param {string | undefined} name @returns {View} */
export function viewNamed(name) {
  return VIEWS.find(({ view }) => view === name)?.view ?? "both";
}

/** Return the view after another. @param {View} view */
export function nextView(view) {
  return VIEWS[(VIEWS.findIndex((each) => each.view === view) + 1) % VIEWS.length].view;
}

/**
 * Create the choice, as radio buttons.
 *
 * @param {View} initial
 * @param {(view: View) => void} choose
 */
export function createViews(initial, choose) {
  const disposal = new AbortController();
  let chosen = initial;
  const inputs = VIEWS.map(({ view }) => {
    const input = element("input", { type: "radio", name: "view", value: view, change: () => use(view) });
    input.checked = view === initial;
    return input;
  });
  const labels = VIEWS.map(({ label }, k) => element("label", {}, inputs[k], element("span", {}, label)));
  const title = `Key: ${KEY.toUpperCase()}`;
  const node = element("div", { class: "views", role: "radiogroup", "aria-label": "View", title }, ...labels);
  // In the capture phase, because widgets stop their key events from bubbling.
  document.addEventListener("keydown", handleKey, { signal: disposal.signal, capture: true });

  /** @param {View} view */
  function use(view) {
    chosen = view;
    inputs.forEach((input, k) => (input.checked = VIEWS[k].view === view));
    choose(view);
  }

  /** @param {KeyboardEvent} event */
  function handleKey(event) {
    if (event.key.toLowerCase() !== KEY || event.ctrlKey || event.metaKey || event.altKey || isTextField(event)) return;
    event.preventDefault();
    use(nextView(chosen));
  }

  return { node, dispose: () => disposal.abort() };
}
