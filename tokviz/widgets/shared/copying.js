/**
 * Copying to the clipboard, also where pages may not write to it themselves: on plain http addresses.
 */

/**
 * @param {string} text
 * @param {HTMLTextAreaElement | HTMLInputElement} box shown, filled and selected where only the old way of copying is
 *   left, or copying by hand
 * @returns {Promise<boolean>} whether it is in the clipboard
 */
export async function copyText(text, box) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyByCommand(text, box);
  }
}

/** @param {string} text @param {HTMLTextAreaElement | HTMLInputElement} box */
function copyByCommand(text, box) {
  const root = /** @type {Document | ShadowRoot} */ (box.getRootNode());
  const before = root.activeElement;
  box.hidden = false;
  box.value = text;
  box.select();
  const done = document.execCommand("copy");
  if (done && before instanceof HTMLElement) before.focus({ preventScroll: true });
  return done;
}
