/**
 * Send a widget's state to the session, and keep state updates and page changes in order.
 *
 * Streamlit sends a component's state a moment after it is set, and for the page that is on screen; but it sends a page
 * change at once, without the state of the page being left. So an update right before a click on a link would be lost,
 * and an update right after it would take the reader back. Here a click waits until the session has acknowledged all
 * updates, and after a click no update is sent until the page has changed.
 */

import { isForBrowser } from "../dom/elements.js";

/** Maximum time that a click on a link waits for the session. */
const HOLD_TIMEOUT_MS = 3000;
/** Maximum time for a page change. If the page stays, updates made meanwhile are delayed but not lost. */
const LEAVING_MS = 30_000;
const POLL_MS = 100;
/** Links that replace the page. */
const SAME_TAB_LINK = "a[href]:not([target=_blank], [download])";

/** Sessions of all widgets on the page. @type {Set<{isWaiting: () => boolean, hold: (link: HTMLElement) => void}>} */
const sessions = new Set();
/** Documents with a click listener. @type {WeakSet<Document>} */
const watchedDocuments = new WeakSet();
/** The path being left after a click, and when to stop assuming so. */
let leaving = { path: "", until: 0 };

if (typeof document !== "undefined") watchClicks();

function watchClicks() {
  if (watchedDocuments.has(document)) return;
  watchedDocuments.add(document);
  document.addEventListener("click", handleClick, { capture: true });
}

/** @param {MouseEvent} event */
function handleClick(event) {
  const link = event.target instanceof Element ? event.target.closest(SAME_TAB_LINK) : null;
  if (!link || isForBrowser(event)) return;
  const waiting = [...sessions].find((session) => session.isWaiting());
  if (!waiting) {
    if (leadsAway(/** @type {HTMLAnchorElement} */ (link)))
      leaving = { path: location.pathname, until: Date.now() + LEAVING_MS };
    return;
  }
  event.preventDefault();
  event.stopImmediatePropagation();
  waiting.hold(/** @type {HTMLElement} */ (link));
}

/** @param {HTMLAnchorElement} link */
const leadsAway = (link) => link.pathname !== location.pathname;

const isLeaving = () => leaving.path === location.pathname && Date.now() < leaving.until;

/** @param {(name: string, value: any) => void} setState sets the component's state in Streamlit */
export function createSession(setState) {
  /** State to send once no page change is in progress. @type {Record<string, any>} */
  let pending = {};
  /** Numbers of the last update sent, and of the last one acknowledged. */
  let sent = 0;
  let acknowledged = 0;
  /** The link whose click is waiting. @type {HTMLElement | null} */
  let heldLink = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let holdTimer;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let pollTimer;
  const session = { isWaiting: () => sent > acknowledged, hold };
  sessions.add(session);
  watchClicks();

  /** @param {HTMLElement} link */
  function hold(link) {
    heldLink = link;
    clearTimeout(holdTimer);
    holdTimer = setTimeout(() => acknowledge(sent), HOLD_TIMEOUT_MS);
  }

  /** @param {number} number */
  function acknowledge(number) {
    acknowledged = Math.max(acknowledged, number);
    if (sent <= acknowledged) follow();
  }

  function follow() {
    const link = heldLink;
    heldLink = null;
    clearTimeout(holdTimer);
    if (link?.isConnected) link.click();
  }

  function send() {
    clearTimeout(pollTimer);
    if (isLeaving()) {
      pollTimer = setTimeout(send, POLL_MS);
      return false;
    }
    sent = Math.max(sent + 1, Date.now());
    for (const [name, value] of Object.entries({ ...pending, sent })) setState(name, value);
    pending = {};
    return true;
  }

  return {
    /**
     * @param {string} name
     * @param {any} value
     * @returns {boolean} false during a page change: then it is sent only if the page stays
     */
    send(name, value) {
      pending[name] = value;
      return send();
    },
    /** Record that the session has acknowledged the updates up to this number. */
    acknowledge,
    /** Called when the widget is removed, and with it the page that sent the updates. */
    dispose() {
      sessions.delete(session);
      clearTimeout(pollTimer);
      follow();
    },
  };
}
