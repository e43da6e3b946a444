/**
 * The first visit's five seconds: the text parts into its pieces, then their numbers appear. Any input and any other text
 * end it: it animates each token, and a long text has thousands on screen.
 */

import { isStill } from "../shared/dom/elements.js";
import { browserStorage } from "../shared/dom/storage.js";

const KEY = "tokviz:seen";
const LASTS_MS = 5000;
const INPUTS = ["keydown", "pointerdown", "wheel"];

/**
 * Play the introduction if this browser has not seen it and shows motion. The stylesheet moves what is in a page of the
 * class "intro".
 *
 * @param {HTMLElement} page
 * @param {AbortSignal} signal
 * @returns {() => void} ends it
 */
export function introduce(page, signal) {
  if (browserStorage.read(KEY) !== null) return () => {};
  browserStorage.write(KEY, "1");
  if (isStill()) return () => {};
  const disposal = new AbortController();
  const end = () => {
    page.classList.remove("intro");
    clearTimeout(timer);
    disposal.abort();
  };
  const timer = setTimeout(end, LASTS_MS);
  page.classList.add("intro");
  signal.addEventListener("abort", end, { signal: disposal.signal });
  for (const input of INPUTS) document.addEventListener(input, end, { signal: disposal.signal, capture: true });
  return end;
}
