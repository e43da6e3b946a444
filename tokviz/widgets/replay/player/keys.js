/**
 * The player's keys. They work wherever the focus is, unless what has it uses the key itself.
 */

import { element } from "../../shared/dom/elements.js";

/** @type {[keys: string, does: string][]} */
export const KEYS = [
  ["space, →, PageDown", "next"],
  ["←, PageUp", "back"],
  ["P", "play, pause"],
  ["Home, End", "first, last"],
  ["T", "tower, or running text"],
  ["D", "decode: from numbers back to text"],
  ["Tab, then arrows", "walk along the tower's blocks; Enter selects one, Escape lets go of it"],
  ["playing it yourself", "arrows, Home and End walk, Enter picks one of two neighbors; 1 to 4 choose"],
  ["?", "these keys"],
];

/** @typedef {"next" | "back" | "toggle" | "first" | "last" | "drawing" | "decode" | "choose" | "release" | "help"} Action */

/** @type {Record<string, Action>} */
const ACTIONS = {
  " ": "next",
  ArrowRight: "next",
  PageDown: "next",
  ArrowLeft: "back",
  PageUp: "back",
  p: "toggle",
  P: "toggle",
  Home: "first",
  End: "last",
  t: "drawing",
  T: "drawing",
  d: "decode",
  D: "decode",
  ...Object.fromEntries(["1", "2", "3", "4"].map((digit) => [digit, /** @type {Action} */ ("choose")])),
  Escape: "release",
  "?": "help",
};

/**
 * Action of a key press, or null.
 *
 * @param {KeyboardEvent} event
 * @returns {Action | null}
 */
export function actionOf(event) {
  if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return null;
  const target = /** @type {Element} */ (event.composedPath()[0]);
  return usesKey(target, event.key) ? null : (ACTIONS[event.key] ?? null);
}

/** Elements in which every key may mean something: open dialogs, lists and menus. */
const KEPT = "dialog, [role=dialog], [role=listbox], [role=menu], [role=combobox]";
/** Elements that the space bar presses. */
const PRESSED = "button, summary, input, a, [role=button], [role=tab], [role=switch]";
/** Elements that are walked with the arrow keys: a block of the tower, for one. */
const WALKED = ".block, .sym[role=button], [role=tab], [type=radio], [role=slider]:not(.step-track)";

/**
 * True if what has the focus uses a key itself.
 *
 * @param {Element} target
 * @param {string} key
 */
export function usesKey(target, key) {
  if (isTyping(target) || target.closest?.(KEPT)) return true;
  if (key === " ") return Boolean(target.closest?.(PRESSED));
  return key.startsWith("Arrow") && Boolean(target.closest?.(WALKED));
}

/** @param {Element} target */
function isTyping(target) {
  if (target instanceof HTMLInputElement)
    return !(target.type === "checkbox" || target.type === "radio" || target.classList.contains("step-track"));
  return (
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement ||
    (target instanceof HTMLElement && target.isContentEditable)
  );
}

/** Say which keys step, where there are keys. */
export function createHint() {
  const keys = (/** @type {string[]} */ ...names) => names.map((name) => element("kbd", {}, name));
  return element("p", { class: "hint quiet" }, ...keys("space"), " next merge", ...keys("←", "→"), " back and forth", ...keys("P"), " play");
}

/** Create the overlay that lists the keys. */
export function createHelp() {
  return element(
    "dl",
    { class: "keys", hidden: true, role: "note", "aria-label": "Keys", "data-closes": "" },
    ...KEYS.flatMap(([keys, does]) => [element("dt", {}, keys), element("dd", {}, does)]),
  );
}
