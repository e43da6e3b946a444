/**
 * Close Streamlit's connection dialog, which opens when the server doesn't answer and takes focus from the text field.
 * Pages with an editor report the lost connection themselves, so they don't need it.
 */

const DIALOG = ".stDialog [role=dialog]";
const TITLE = "Connection error";

/**
 * Keep the focus in the text field that has it. One observer serves a page.
 *
 * @param {HTMLElement} widget
 */
export function keepTyping(widget) {
  const disposal = new AbortController();
  /** The text field that has focus, or had it until the dialog opened. @type {HTMLElement | null} */
  let field = null;
  let isClosing = false;
  const observer = new MutationObserver(checkDialog);
  observer.observe(document.body, { childList: true, subtree: true });
  widget.addEventListener("focusin", (event) => (field = fieldOf(event)), { signal: disposal.signal });
  widget.addEventListener("focusout", handleFocusOut, { signal: disposal.signal });

  /** @param {FocusEvent} event */
  function handleFocusOut({ relatedTarget }) {
    if (!(relatedTarget instanceof Element && relatedTarget.closest(".stDialog"))) field = null;
  }

  function checkDialog() {
    const dialog = document.querySelector(DIALOG);
    if (dialog?.querySelector("h2")?.textContent === TITLE) {
      isClosing = true;
      /** @type {HTMLElement | null} */ (dialog.querySelector("button[aria-label=Close]"))?.click();
    } else if (!dialog && isClosing) {
      // Without delay: the next key may have been pressed already.
      isClosing = false;
      if (field?.isConnected) field.focus();
    }
  }

  return {
    dispose() {
      disposal.abort();
      observer.disconnect();
    },
  };
}

/** @param {Event} event */
function fieldOf(event) {
  const [target] = event.composedPath();
  return target instanceof HTMLElement && target.matches("textarea, input") ? target : null;
}
