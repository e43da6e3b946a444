/**
 * The reader's place on a page of text: scroll offset and open folds. The tab remembers it while the reader follows a
 * link, so that the browser's Back button returns to the same place.
 */

import { stayThere } from "../shared/dom/scrolling.js";
import { tabStorage } from "../shared/dom/storage.js";

const POLL_MS = 50;
const GIVE_UP_MS = 30_000;

/** @typedef {{top: number, open: number[], folds: number}} Place */

/** Remember the place on leaving, and restore it on return or reload. */
export function keepPlace() {
  const disposal = new AbortController();
  const key = `tokviz:place:${location.pathname}${location.search}`;
  window.addEventListener("pagehide", () => tabStorage.write(key, JSON.stringify(placeNow())), { signal: disposal.signal });
  const [navigation] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
  /** @type {Place | null} */
  const savedPlace = ["back_forward", "reload"].includes(navigation?.type) ? tabStorage.readJson(key) : null;
  if (savedPlace) whenLoaded(savedPlace, disposal.signal, () => returnTo(savedPlace, disposal.signal));
  return { dispose: () => disposal.abort() };
}

const scroller = () => document.querySelector('[data-testid="stMain"]');
const folds = () => [...document.querySelectorAll("details")];

/** @returns {Place} */
function placeNow() {
  const all = folds();
  const open = all.flatMap((fold, place) => (fold.open ? [place] : []));
  return { top: scroller()?.scrollTop ?? 0, open, folds: all.length };
}

/**
 * Restore a place. Parts that load later shift the page, so the place is kept until the reader moves the page.
 *
 * @param {Place} place
 * @param {AbortSignal} signal
 */
function returnTo({ top, open }, signal) {
  const all = folds();
  for (const place of open) all[place].open = true;
  const main = scroller();
  if (!main) return;
  stayThere(main.children, () => main.scrollTo(0, top), signal);
}

/**
 * Call `then` once the text, which arrives later, is there.
 *
 * @param {Place} place @param {AbortSignal} signal @param {() => void} then
 */
function whenLoaded({ folds: count }, signal, then) {
  const timer = setInterval(poll, POLL_MS);
  const end = setTimeout(() => clearInterval(timer), GIVE_UP_MS);
  signal.addEventListener("abort", () => (clearInterval(timer), clearTimeout(end)));
  function poll() {
    if (folds().length !== count) return;
    clearInterval(timer);
    then();
  }
}
