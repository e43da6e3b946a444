/**
 * Where a reader was on a page of text: how far down, and what was unfolded. The tab remembers it while a link leads
 * elsewhere, so that the browser's Back returns to the very place.
 */

const LOOK_EVERY_MS = 50;
const GIVE_UP_MS = 30_000;
/** What a reader moves the page with. */
const MOVES = ["wheel", "touchstart", "pointerdown", "keydown"];

/** @typedef {{top: number, open: number[], folds: number}} Place */

/** Remember the place, and return to the one that was left. */
export function keepPlace() {
  const gone = new AbortController();
  const key = `tokviz:place:${location.pathname}${location.search}`;
  window.addEventListener("pagehide", () => write(key, placeNow()), { signal: gone.signal });
  const [navigation] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
  const left = ["back_forward", "reload"].includes(navigation?.type) ? read(key) : null;
  if (left) whenThere(left, gone.signal, () => returnTo(left, gone.signal));
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

/**
 * Parts of the page that load later move the rest of it, so the place is kept until the reader moves the page.
 *
 * @param {Place} place
 * @param {AbortSignal} signal
 */
function returnTo({ top, open }, signal) {
  const all = folds();
  for (const place of open) all[place].open = true;
  const main = scroller();
  if (!main) return;
  const scroll = () => main.scrollTo(0, top);
  const resized = new ResizeObserver(scroll);
  for (const part of main.children) resized.observe(part);
  const stop = () => resized.disconnect();
  for (const move of MOVES) window.addEventListener(move, stop, { signal, capture: true, passive: true });
  signal.addEventListener("abort", stop);
  scroll();
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
