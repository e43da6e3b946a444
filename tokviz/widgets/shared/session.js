/**
 * Tell the session what happened in a widget, and keep what is told and a change of page from overtaking each other.
 *
 * Streamlit sends a component's state a moment after it is set, and for the page that is on screen; but a change of page
 * at once, and without the state of the page that is left. So what is told right before a click on a link would be
 * dropped, and what is told right after it would take the reader back. Here a click waits until the session has heard
 * what it was told, and after a click nothing is told until the page has changed.
 */

/** Maximum time that a click on a link waits for the session. */
const PATIENCE_MS = 3000;
/** Maximum time that a change of page may take. What is told meanwhile is late if the page stays, but never lost. */
const LEAVING_MS = 30_000;
const LOOK_EVERY_MS = 100;
/** Links that lead away from the page. */
const IN_PLACE = "a[href]:not([target=_blank], [download])";

/** The sessions of all widgets on the page. @type {Set<{isUnheard: () => boolean, hold: (link: HTMLElement) => void}>} */
const sessions = new Set();
/** The documents whose clicks are watched. @type {WeakSet<Document>} */
const watched = new WeakSet();
/** The page that a click leads away from, and until when that is believed. */
let left = { path: "", until: 0 };

if (typeof document !== "undefined") watchClicks();

function watchClicks() {
  if (watched.has(document)) return;
  watched.add(document);
  document.addEventListener("click", clicked, { capture: true });
}

/** @param {MouseEvent} event */
function clicked(event) {
  const link = event.target instanceof Element ? event.target.closest(IN_PLACE) : null;
  if (!link || isForBrowser(event)) return;
  const unheard = [...sessions].find((session) => session.isUnheard());
  if (!unheard) {
    if (leadsAway(/** @type {HTMLAnchorElement} */ (link)))
      left = { path: location.pathname, until: Date.now() + LEAVING_MS };
    return;
  }
  event.preventDefault();
  event.stopImmediatePropagation();
  unheard.hold(/** @type {HTMLElement} */ (link));
}

/** @param {HTMLAnchorElement} link */
const leadsAway = (link) => link.pathname !== location.pathname;

/** Whether a click opens a tab or a menu of the browser. @param {MouseEvent} event */
function isForBrowser({ button, ctrlKey, metaKey, shiftKey, altKey }) {
  return button !== 0 || ctrlKey || metaKey || shiftKey || altKey;
}

const isLeaving = () => left.path === location.pathname && Date.now() < left.until;

/** @param {(name: string, value: any) => void} setState the component's state, which the session is sent */
export function createSession(setState) {
  /** What is to be told when no change of page is under way. @type {Record<string, any>} */
  let untold = {};
  /** The number of the last message, and of the last one that was heard. */
  let told = 0;
  let heard = 0;
  /** The link whose click is held. @type {HTMLElement | null} */
  let held = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let patience;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let looking;
  const session = { isUnheard: () => told > heard, hold };
  sessions.add(session);
  watchClicks();

  /** @param {HTMLElement} link */
  function hold(link) {
    held = link;
    clearTimeout(patience);
    patience = setTimeout(() => hear(told), PATIENCE_MS);
  }

  /** @param {number} number */
  function hear(number) {
    heard = Math.max(heard, number);
    if (told <= heard) follow();
  }

  function follow() {
    const link = held;
    held = null;
    clearTimeout(patience);
    if (link?.isConnected) link.click();
  }

  function send() {
    clearTimeout(looking);
    if (isLeaving()) {
      looking = setTimeout(send, LOOK_EVERY_MS);
      return false;
    }
    told = Math.max(told + 1, Date.now());
    for (const [name, value] of Object.entries({ ...untold, told })) setState(name, value);
    untold = {};
    return true;
  }

  return {
    /**
     * @param {string} name
     * @param {any} value
     * @returns {boolean} false where a change of page is under way: it is told only if the page stays
     */
    tell(name, value) {
      untold[name] = value;
      return send();
    },
    /** The session has heard the messages up to this number. */
    hear,
    /** The widget is gone, and so is the page that its messages came from. */
    dispose() {
      sessions.delete(session);
      clearTimeout(looking);
      follow();
    },
  };
}
