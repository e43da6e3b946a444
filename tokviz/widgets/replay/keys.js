/**
 * The player's keys. They act while the player has focus, or everywhere in presenter mode; never while someone types.
 */

/** @type {[keys: string, does: string][]} */
export const KEYS = [
  ["space, →, PageDown", "next"],
  ["←, PageUp", "back"],
  ["P", "play, pause"],
  ["Home, End", "first, last"],
  ["?", "these keys"],
  ["if they don't act", "click the player first; while presenting, they always act"],
];

/** @typedef {"next" | "back" | "toggle" | "first" | "last" | "help"} Action */

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
  "?": "help",
};

/**
 * What a key press asks for, if anything.
 *
 * @param {KeyboardEvent} event
 * @returns {Action | null}
 */
export function actionOf(event) {
  if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return null;
  const target = /** @type {Element} */ (event.composedPath()[0]);
  if (isTyping(target)) return null;
  // A button that has focus is pressed by the space bar.
  if (event.key === " " && target.closest?.("button, summary, input, a")) return null;
  return ACTIONS[event.key] ?? null;
}

/** @param {Element} target */
function isTyping(target) {
  if (target instanceof HTMLInputElement)
    return !(target.type === "checkbox" || target.classList.contains("step-track"));
  return (
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement ||
    (target instanceof HTMLElement && target.isContentEditable)
  );
}
