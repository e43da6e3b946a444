/**
 * Sharing and presenter mode around a page that shows no text of the reader's.
 */

import { element, explainTerms } from "../shared/dom/elements.js";
import { stayThere } from "../shared/dom/scrolling.js";
import { tabStorage } from "../shared/dom/storage.js";
import { Client } from "../shared/net/client.js";
import { readFields } from "../shared/net/links.js";
import { closeMenuOnceChosen } from "../shared/page/menu.js";
import { createPresenter, takeKeys } from "../shared/page/presenter.js";
import { createShare } from "../shared/ui/share.js";

/**
 * @typedef {object} Presented what fills the screen in presenter mode instead of the page
 * @property {HTMLElement} bar its controls, in the band of the presenter's
 * @property {(isPresenting: boolean) => void} present called at first and when the mode changes
 * @property {() => void} dispose
 */

/** The part of the sheet that is in sight. */
async function pictured() {
  const { pictureOfPart } = await import("../shared/ui/copiedpicture.js");
  return pictureOfPart("lesson", document.querySelectorAll("a.given, .lesson .step"), ".links, details:not([open])");
}

/**
 * @param {HTMLElement} root
 * @param {any} data `base`: the app's root; `query`: see `Shown`; `keepsPlace`: whether Back returns to the same place;
 *   `presenting`: the page's style
 * @param {Presented | null} [presented]
 */
export function mountFrame(root, data, presented = null) {
  const disposal = new AbortController();
  const tools = element("div", { class: "row tools" });
  const widget = element("div", { class: "tokviz frame in-app" }, tools);
  root.append(widget);

  const client = new Client(data.base);
  const presenter = createPresenter(widget, data.presenting, (isPresenting) => {
    if (presented) presented.present(isPresenting);
    else if (isPresenting) takeKeys();
  });
  const share = createShare(client, () => ({ fields: {}, text: null, query: data.query }), pictured);
  tools.append(share.node, presenter.enter);
  presenter.band.prepend(presented?.bar ?? "");
  widget.append(share.dialog, presenter.band);
  // One of our links was put into the address of this page.
  window.addEventListener("hashchange", () => readFields(location.hash) && location.reload(), { signal: disposal.signal });
  const place = data.keepsPlace ? keepPlace() : null;
  const explanations = explainTerms(document, "course", () => import("../shared/ui/explanations.js")); // of the sheet, which is no part of the widget
  closeMenuOnceChosen();

  return {
    /** @param {any} newer */
    update(newer) {
      data = newer;
    },
    dispose() {
      disposal.abort();
      for (const part of [explanations, place, presenter, presented]) part?.dispose();
      widget.remove();
    },
  };
}

// The place on the page: scroll offset and open folds. The tab remembers it while the reader follows a link, so that the
// browser's Back button returns to the same place.

const POLL_MS = 50;
const GIVE_UP_MS = 30_000;

/** @typedef {{top: number, open: number[], folds: number}} Place */

/** Remember the place on leaving, and restore it on return or reload. */
function keepPlace() {
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
