/**
 * Copy to the clipboard, including on plain http pages, which have no access to the clipboard API.
 */

/**
 * @param {string} text
 * @param {HTMLTextAreaElement | HTMLInputElement} box if the clipboard API fails: shown, filled and selected for
 *   `execCommand`, or for copying by hand
 * @returns {Promise<boolean>} whether the text was copied
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
  const focused = root.activeElement;
  box.hidden = false;
  box.value = text;
  box.select();
  const done = document.execCommand("copy");
  if (done && focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  return done;
}
