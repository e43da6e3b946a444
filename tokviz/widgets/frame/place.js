/**
 * Where a reader was on a page of text: how far down, and what was unfolded. The tab remembers it while a link leads
 * elsewhere, so that the browser's Back returns to the very place.
 */

const LOOK_EVERY_MS = 50;
const GIVE_UP_MS = 5000;

/** @typedef {{top: number, open: number[], folds: number}} Place */

/** Remember the place, and return to the one that was left. */
export function keepPlace() {
  const gone = new AbortController();
  const key = `tokviz:place:${location.pathname}${location.search}`;
  window.addEventListener("pagehide", () => write(key, placeNow()), { signal: gone.signal });
  const [navigation] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
  const left = ["back_forward", "reload"].includes(navigation?.type) ? read(key) : null;
  if (left) whenThere(left, gone.signal, () => returnTo(left));
  return { dispose: () => gone.abort() };
}

const scroller = () => document.querySelector('[data-testid="stMain"]');
const folds = () => [...document.querySelectorAll("details")];

/** @returns {Place} */
function placeNow() {
  const all = folds();
  const open = all.flatMap((fold, place) => (fold.open ? [place] : []));
  return { top: scroller()?.scrollTop ?? 0, open, folds: all.length };
}

/** @param {Place} place */
function returnTo({ top, open }) {
  const all = folds();
  for (const place of open) all[place].open = true;
  scroller()?.scrollTo(0, top);
}

/** The text comes a moment after this. @param {Place} place @param {AbortSignal} signal @param {() => void} then */
function whenThere({ folds: number }, signal, then) {
  const timer = setInterval(look, LOOK_EVERY_MS);
  const end = setTimeout(() => clearInterval(timer), GIVE_UP_MS);
  signal.addEventListener("abort", () => (clearInterval(timer), clearTimeout(end)));
  function look() {
    if (folds().length !== number) return;
    clearInterval(timer);
    then();
  }
}

/** @param {string} key @returns {Place | null} */
function read(key) {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? "null");
  } catch {
    return null; // Storage is switched off.
  }
}

/** @param {string} key @param {Place} place */
function write(key, place) {
  try {
    sessionStorage.setItem(key, JSON.stringify(place));
  } catch {
    // The reader comes back to the top.
  }
}
