/**
 * Presenter mode: larger type and nothing but the widget, for a projector. One key, F, goes in and out, and
 * Escape out.
 *
 * What is open over the page and has the attribute `data-closes` takes the first Escape.
 *
 * It belongs to the tab: it holds when the page changes or is loaded anew, and is never part of a link.
 */

import { button } from "./elements.js";

const KEY = "tokviz:presenting";
const CLASS = "tokviz-presenting";
const CHANGED = "tokviz-presenting";

/**
 * @param {HTMLElement} root gets the class "present" while presenting
 * @param {string} rules the style of the page around the widget: what of it goes away under `.tokviz-presenting`
 * @param {(presenting: boolean) => void} [changed]
 */
export function createPresenter(root, rules, changed = () => {}) {
  const gone = new AbortController();
  const page = document.documentElement;
  const enter = button("present", toggle, { title: "Larger type for a projector, and nothing else. Key: F" });
  const leave = button("leave (F)", toggle, { class: "button leave", hidden: true, title: "Leave presenter mode" });
  const style = document.createElement("style");
  // The smallest type, Streamlit's 0.875 rem, becomes 20 px.
  style.textContent = `.${CLASS} { font-size: 23px !important }\n${rules}`;
  document.head.append(style);

  // On its way down: widgets keep their keys from going up to the page.
  document.addEventListener("keydown", pressed, { signal: gone.signal, capture: true });
  document.addEventListener(CHANGED, show, { signal: gone.signal });
  if (recalled()) page.classList.add(CLASS);
  show();

  /** @param {KeyboardEvent} event */
  function pressed(event) {
    const path = event.composedPath().filter((target) => target instanceof HTMLElement);
    const typing = path.some((target) => isTextField(target));
    const inDialog = path.some((target) => target.matches("dialog"));
    const open = event.key === "Escape" && !inDialog && root.querySelector("[data-closes]:not([hidden])");
    if (open instanceof HTMLElement) {
      open.hidden = true;
      return event.preventDefault();
    }
    const leaves = event.key === "Escape" && page.classList.contains(CLASS) && !inDialog;
    const toggles = event.key.toLowerCase() === "f" && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (typing || !(leaves || toggles)) return;
    event.preventDefault();
    toggle();
  }

  function toggle() {
    page.classList.toggle(CLASS);
    remember(page.classList.contains(CLASS));
    document.dispatchEvent(new Event(CHANGED));
  }

  function show() {
    const presenting = page.classList.contains(CLASS);
    root.classList.toggle("present", presenting);
    enter.hidden = presenting;
    leave.hidden = !presenting;
    changed(presenting);
  }

  return {
    enter,
    leave,
    dispose() {
      gone.abort();
      style.remove();
    },
  };
}

/** @param {HTMLElement} element */
function isTextField(element) {
  return element.isContentEditable || element.matches("textarea, select, input:not([type=checkbox], [type=radio])");
}

function recalled() {
  try {
    return sessionStorage.getItem(KEY) !== null;
  } catch {
    return false; // Storage is switched off.
  }
}

/** @param {boolean} presenting */
function remember(presenting) {
  try {
    if (presenting) sessionStorage.setItem(KEY, "1");
    else sessionStorage.removeItem(KEY);
  } catch {
    // It holds for this page only.
  }
}
