/**
 * Tell the session what happened in a widget, and hold a change of page until the session has heard it.
 *
 * Streamlit sends a component's state a moment after it is set, but a change of page at once, and without the state of
 * the page that is left. A message from right before a click on a link would be dropped, or arrive after the change of
 * page and take the reader back.
 */

/** A change of page is held no longer than this. */
const PATIENCE_MS = 3000;
/** Links that lead away from the page. */
const IN_PLACE = "a[href]:not([target=_blank], [download])";

/**
 * @param {(name: string, value: any) => void} setState the component's state, which the session is sent
 * @param {() => number} [now]
 */
export function createSession(setState, now = Date.now) {
  const gone = new AbortController();
  /** The number of the last message, and of the last one that was heard. */
  let last = 0;
  let heard = 0;
  /** The link whose click is held. @type {HTMLElement | null} */
  let held = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let patience;
  document.addEventListener("click", hold, { capture: true, signal: gone.signal });

  /** @param {MouseEvent} event */
  function hold(event) {
    const link = linkOf(event);
    if (!link || last <= heard || isForBrowser(event)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    held = link;
    clearTimeout(patience);
    patience = setTimeout(() => (heard = last, follow()), PATIENCE_MS);
  }

  function follow() {
    const link = held;
    held = null;
    clearTimeout(patience);
    if (link?.isConnected) link.click();
  }

  return {
    /** @param {string} name @param {any} value */
    tell(name, value) {
      last = Math.max(last + 1, now());
      setState(name, value);
      setState("told", last);
    },
    /** The session has heard the messages up to this number. @param {number} number */
    hear(number) {
      heard = Math.max(heard, number);
      if (last <= heard) follow();
    },
    /** The widget is gone, and so is the page that its messages came from. */
    dispose() {
      gone.abort();
      follow();
    },
  };
}

/** @param {MouseEvent} event @returns {HTMLElement | null} */
function linkOf(event) {
  return event.target instanceof Element ? event.target.closest(IN_PLACE) : null;
}

/** Whether a click opens a tab or a menu of the browser. @param {MouseEvent} event */
function isForBrowser({ button, ctrlKey, metaKey, shiftKey, altKey }) {
  return button !== 0 || ctrlKey || metaKey || shiftKey || altKey;
}
