/**
 * Fields that take typed text, in which single keys are not shortcuts.
 */

/** Whether an event comes from a field that takes text, also inside a shadow root. @param {Event} event */
export function isTextField(event) {
  const path = event.composedPath().filter((target) => target instanceof HTMLElement);
  return path.some((target) => target.isContentEditable || target.matches("textarea, select, input:not([type=checkbox], [type=radio])"));
}
