/**
 * Streamlit opens a dialog when its server doesn't answer, and the dialog takes the keys of whoever is typing. The pages
 * with an editor say in a line of their own that the connection is lost, so there the dialog is closed as it opens.
 */

const DIALOG = ".stDialog [role=dialog]";
const TITLE = "Connection error";

/**
 * Keep the keys with the text field that has them. One observer serves a page.
 *
 * @param {HTMLElement} widget
 */
export function keepTyping(widget) {
  const gone = new AbortController();
  /** The text field that has the focus, or had it until the dialog took it. @type {HTMLElement | null} */
  let field = null;
  let isClosing = false;
  const observer = new MutationObserver(look);
  observer.observe(document.body, { childList: true, subtree: true });
  widget.addEventListener("focusin", (event) => (field = fieldOf(event)), { signal: gone.signal });
  widget.addEventListener("focusout", left, { signal: gone.signal });

  /** @param {FocusEvent} event */
  function left({ relatedTarget }) {
    if (!(relatedTarget instanceof Element && relatedTarget.closest(".stDialog"))) field = null;
  }

  function look() {
    const dialog = document.querySelector(DIALOG);
    if (dialog?.querySelector("h2")?.textContent === TITLE) {
      isClosing = true;
      /** @type {HTMLElement | null} */ (dialog.querySelector("button[aria-label=Close]"))?.click();
    } else if (!dialog && isClosing) {
      // At once: the next key may have been pressed already.
      isClosing = false;
      if (field?.isConnected) field.focus();
    }
  }

  return {
    dispose() {
      gone.abort();
      observer.disconnect();
    },
  };
}

/** @param {Event} event */
function fieldOf(event) {
  const [target] = event.composedPath();
  return target instanceof HTMLElement && target.matches("textarea, input") ? target : null;
}
