/**
 * Fields that take typed text, in which single keys are not shortcuts.
 */

/** Whether an event comes from a field that takes text, also inside a shadow root. @param {Event} event */
export function isTextField(event) {
  const path = event.composedPath().filter((target) => target instanceof HTMLElement);
  return path.some((target) => target.isContentEditable || target.matches("textarea, select, input:not([type=checkbox], [type=radio])"));
}

/** Fields in which somebody types; of the menus with a field, those that are open. */
const TYPED = 'textarea, [contenteditable="true"], [role="combobox"][aria-expanded="true"], input:not([type="checkbox"], [type="radio"], [type="range"], [role="combobox"])';

/** The field with the focus that takes typed text, also inside a shadow root. @returns {HTMLElement | null} */
export function typingField() {
  let focused = document.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  return focused instanceof HTMLElement && focused.matches(TYPED) ? focused : null;
}
