/**
 * Fields that take typed text, and whether single keys are shortcuts.
 */

import { firstDirection } from "../text/direction.js";

/**
 * Give a text box the direction of its text, as `dir="auto"` would; each of its lines has its own direction. But the time
 * that `dir="auto"` takes grows with the square of the number of lines: 83,000 take 20 seconds.
 *
 * @param {HTMLTextAreaElement} box
 * @param {string} [text] of which the box may hold a part
 */
export function showDirection(box, text = box.value) {
  const dir = firstDirection(text) ?? "ltr";
  // Setting it to what it is makes the browser style every line of the box.
  if (box.dir !== dir) box.dir = dir;
}

/** Whether single keys are no shortcuts where an event comes from: in a field that takes text, or an open dialog. @param {Event} event */
export function keepsKeys(event) {
  const path = event.composedPath().filter((target) => target instanceof HTMLElement);
  return path.some((target) => target.isContentEditable || target.matches("textarea, select, dialog, input:not([type=checkbox], [type=radio])"));
}

/** Fields in which somebody types; of the menus with a field, those that are open. */
const TYPED = 'textarea, [contenteditable="true"], [role="combobox"][aria-expanded="true"], input:not([type="checkbox"], [type="radio"], [type="range"], [role="combobox"])';

/** The field with the focus that takes typed text, also inside a shadow root. @returns {HTMLElement | null} */
export function typingField() {
  let focused = document.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  return focused instanceof HTMLElement && focused.matches(TYPED) ? focused : null;
}

/** Run `work` with the focus in a field, then restore the previous focus, if any. @param {HTMLElement} field @param {() => void} work */
export function withFocus(field, work) {
  const focused = /** @type {Document | ShadowRoot} */ (field.getRootNode()).activeElement;
  field.focus({ preventScroll: true });
  work();
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  else field.blur();
}
