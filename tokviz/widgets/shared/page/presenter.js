/**
 * Presenter mode for a projector: what matters fills the screen, in larger type. F toggles it, and Escape leaves it.
 * The controls have a band at the top to themselves. They are in sight while there is input, and hide after a while
 * without: stylesheets hide them under the class "idle". They stay while somebody types; then the first Escape ends the
 * typing.
 *
 * An open overlay with the attribute `data-closes` takes the first Escape: it is hidden, and gets the event "close".
 *
 * The mode belongs to the tab: it survives page changes and reloads, and is never part of a link.
 */

import { button, debounce, element } from "../dom/elements.js";
import { keepsKeys, typingField } from "../dom/fields.js";
import { tabStorage } from "../dom/storage.js";

const KEY = "tokviz:presenting";
export const PRESENTING_CLASS = "tokviz-presenting";
const IDLE_CLASS = "tokviz-idle";
export const CHANGE_EVENT = "tokviz-presenting";
/** Time without input after which the controls hide. */
const IDLE_MS = 2500;
const INPUTS = ["pointermove", "pointerdown", "keydown", "focusin"];
const AFTER_RESIZING_MS = 100;
/** Size in pixels of the smallest screen that is presented on. Type grows with a larger one. */
const SCREEN = { width: 1280, height: 720 };
/** Size of the page's type on that screen, in pixels. The smallest type, Streamlit's 0.875 rem, is 20 px then. */
const TYPE = 23;
const TYPE_SIZE = `max(${TYPE}px, min(${(100 * TYPE) / SCREEN.height}vh, ${(100 * TYPE) / SCREEN.width}vw))`;
/** Height of the band at the top that only the controls are in: what is presented begins beneath it. */
const BAND = "2.3rem";

/** Size of the window relative to the smallest screen: 1 or more. */
export const screenScale = () => Math.max(1, Math.min(innerWidth / SCREEN.width, innerHeight / SCREEN.height));

/** Let the keys that page through a text, which a clicker sends too, reach a page of several screens at once. */
export function takeKeys() {
  const page = /** @type {HTMLElement | null} */ (document.querySelector('[data-testid="stMain"]'));
  page?.focus({ preventScroll: true });
}

/** Close an overlay that takes a key. @param {HTMLElement} overlay @param {KeyboardEvent} event */
function close(overlay, event) {
  overlay.hidden = true;
  overlay.dispatchEvent(new Event("close"));
  event.preventDefault();
}

/**
 * @param {HTMLElement} root gets the class "present" while presenting, and "idle" while there is no input, too
 * @param {string} rules styles of the page around the widget under `.tokviz-presenting` and `.tokviz-idle`
 * @param {(presenting: boolean) => void} [changed] called at first, when the mode changes, and in presenter mode when
 *   the window's size changes
 */
export function createPresenter(root, rules, changed = () => {}) {
  const disposal = new AbortController();
  const page = document.documentElement;
  const enter = button("Present", toggle, { title: "Larger type for a projector, and nothing else. Key: F" });
  const leave = button("Leave (F)", toggle, { title: "Leave presenter mode" });
  const band = element("div", { class: "presenter", hidden: true }, leave);
  const style = new CSSStyleSheet(); // which a page's Content Security Policy allows
  style.replaceSync(`.${PRESENTING_CLASS} { font-size: ${TYPE_SIZE} !important; --band: ${BAND} }\n${rules}`);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, style];

  // In the capture phase, because widgets stop their key events from bubbling.
  document.addEventListener("keydown", handleKey, { signal: disposal.signal, capture: true });
  document.addEventListener(CHANGE_EVENT, show, { signal: disposal.signal });
  const rest = debounce(() => isPresenting() && !typingField() && setIdle(true), IDLE_MS);
  const resized = debounce(() => isPresenting() && changed(true), AFTER_RESIZING_MS);
  window.addEventListener("resize", resized.later, { signal: disposal.signal });
  for (const input of INPUTS) document.addEventListener(input, wake, { signal: disposal.signal, capture: true, passive: true });
  if (tabStorage.read(KEY) !== null) page.classList.add(PRESENTING_CLASS);
  show();

  /** @param {KeyboardEvent} event */
  function handleKey(event) {
    const path = event.composedPath().filter((target) => target instanceof HTMLElement);
    const inDialog = path.some((target) => target.matches("dialog"));
    const open = event.key === "Escape" && !inDialog && root.querySelector("[data-closes]:not([hidden])");
    if (open instanceof HTMLElement) return close(open, event);
    const leaves = event.key === "Escape" && isPresenting() && !inDialog;
    const field = leaves && typingField();
    if (field && !field.matches("[role=combobox]")) return field.blur(); // a menu closes
    const toggles = event.key.toLowerCase() === "f" && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (keepsKeys(event) || !(leaves || toggles)) return;
    event.preventDefault();
    toggle();
  }

  function toggle() {
    page.classList.toggle(PRESENTING_CLASS);
    tabStorage.write(KEY, isPresenting() ? "1" : null);
    document.dispatchEvent(new Event(CHANGE_EVENT));
  }

  function isPresenting() {
    return page.classList.contains(PRESENTING_CLASS);
  }

  /** @param {boolean} isIdle */
  function setIdle(isIdle) {
    root.classList.toggle("idle", isIdle);
    page.classList.toggle(IDLE_CLASS, isIdle);
  }

  function wake() {
    setIdle(false);
    if (isPresenting()) rest.later();
  }

  function show() {
    const presenting = isPresenting();
    root.classList.toggle("present", presenting);
    enter.hidden = presenting;
    band.hidden = !presenting;
    wake();
    changed(presenting);
  }

  return {
    enter,
    leave,
    band,
    dispose() {
      disposal.abort();
      for (const timer of [rest, resized]) timer.cancel();
      setIdle(false);
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== style);
    },
  };
}
