/**
 * Presenter mode for a projector: larger type and nothing but the widget. F toggles it, and Escape leaves it.
 *
 * An open overlay with the attribute `data-closes` takes the first Escape.
 *
 * The mode belongs to the tab: it survives page changes and reloads, and is never part of a link.
 */

import { button, debounce } from "../dom/elements.js";
import { isTextField } from "../dom/fields.js";
import { tabStorage } from "../dom/storage.js";

const KEY = "tokviz:presenting";
const PRESENTING_CLASS = "tokviz-presenting";
const CHANGE_EVENT = "tokviz-presenting";
/** Time without input after which the controls hide. */
const IDLE_MS = 2500;
const INPUTS = ["pointermove", "pointerdown", "keydown", "focusin"];

/**
 * @param {HTMLElement} root gets the class "present" while presenting
 * @param {string} rules styles that hide the page around the widget under `.tokviz-presenting`
 * @param {(presenting: boolean) => void} [changed]
 */
export function createPresenter(root, rules, changed = () => {}) {
  const disposal = new AbortController();
  const page = document.documentElement;
  const enter = button("present", toggle, { title: "Larger type for a projector, and nothing else. Key: F" });
  const leave = button("leave (F)", toggle, { class: "button leave", hidden: true, title: "Leave presenter mode" });
  const style = document.createElement("style");
  // The smallest type, Streamlit's 0.875 rem, becomes 20 px.
  style.textContent = `.${PRESENTING_CLASS} { font-size: 23px !important }\n${rules}`;
  document.head.append(style);

  // In the capture phase, because widgets stop their key events from bubbling.
  document.addEventListener("keydown", handleKey, { signal: disposal.signal, capture: true });
  document.addEventListener(CHANGE_EVENT, show, { signal: disposal.signal });
  const rest = debounce(() => root.classList.toggle("idle", page.classList.contains(PRESENTING_CLASS)), IDLE_MS);
  for (const input of INPUTS) document.addEventListener(input, wake, { signal: disposal.signal, capture: true, passive: true });
  if (tabStorage.read(KEY) !== null) page.classList.add(PRESENTING_CLASS);
  show();

  /** @param {KeyboardEvent} event */
  function handleKey(event) {
    const path = event.composedPath().filter((target) => target instanceof HTMLElement);
    const typing = isTextField(event);
    const inDialog = path.some((target) => target.matches("dialog"));
    const open = event.key === "Escape" && !inDialog && root.querySelector("[data-closes]:not([hidden])");
    if (open instanceof HTMLElement) {
      open.hidden = true;
      return event.preventDefault();
    }
    const leaves = event.key === "Escape" && page.classList.contains(PRESENTING_CLASS) && !inDialog;
    const toggles = event.key.toLowerCase() === "f" && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (typing || !(leaves || toggles)) return;
    event.preventDefault();
    toggle();
  }

  function toggle() {
    page.classList.toggle(PRESENTING_CLASS);
    tabStorage.write(KEY, page.classList.contains(PRESENTING_CLASS) ? "1" : null);
    document.dispatchEvent(new Event(CHANGE_EVENT));
  }

  /** The controls are there while there is input. */
  function wake() {
    root.classList.remove("idle");
    if (page.classList.contains(PRESENTING_CLASS)) rest.later();
  }

  function show() {
    const presenting = page.classList.contains(PRESENTING_CLASS);
    root.classList.toggle("present", presenting);
    enter.hidden = presenting;
    leave.hidden = !presenting;
    wake();
    changed(presenting);
  }

  return {
    enter,
    leave,
    dispose() {
      disposal.abort();
      rest.cancel();
      style.remove();
    },
  };
}
