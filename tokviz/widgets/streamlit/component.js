/**
 * The Streamlit component that shows a page's widget. One stands above all pages with an editor: when the reader goes to
 * another page, it swaps the widgets at once, and Streamlit, which hears of it at the same time, sends the page's data.
 */

import { element, isForBrowser } from "../shared/dom/elements.js";
import { fetchLinked } from "../shared/net/madetokenizers.js";
import { GOING } from "../shared/net/links.js";

/**
 * @typedef {object} Shown what Python says of the page that is on screen (`components.py`)
 * @property {string} page its address from the app's root
 * @property {string} widget the folder of its widget
 * @property {string[]} sheets the widget's stylesheets
 * @property {string} [headline]
 */
/** @typedef {{base: string, tokenizers: any[], own: {names: string[], gone: string[], cookie: string, most: number}, pages?: string[]} & Record<string, any>} Common what all widgets get; `pages`: those that this component shows */
/** @typedef {{data: [number, Common, Shown], parentElement: ShadowRoot, setStateValue: (name: string, value: any) => void}} Component */
/** @typedef {{update: (data: any) => void, dispose: () => void}} Widget */

/** Links that replace the page. */
const SAME_TAB_LINK = "a[href]:not([target=_blank], [download])";
/** Media query of stylesheets that are not in use. */
const NOWHERE = "not all";
/** Time after which data of another page than the wanted one are those that the reader gets: Streamlit did not hear of it. */
const WANTED_MS = 3000;

// Streamlit calls the component again for each change of data or theme, and may run the clean-up of a call while the
// component is still on the page.
/** @type {WeakMap<ShadowRoot, Place>} */
const places = new WeakMap();

/** Show what Streamlit sent. Returns the clean-up. @param {Component} component */
export function show(component) {
  const root = component.parentElement;
  const place = places.get(root) ?? new Place(component);
  places.set(root, place);
  if (root.isConnected) place.receive(component);
  return () =>
    void setTimeout(() => {
      if (root.isConnected || places.get(root) !== place) return;
      places.delete(root);
      place.dispose();
    });
}

class Place {
  #root;
  #component;
  /** @type {Common} */
  #common;
  /** Number of the newest data: Chromium may run the imports of the component's script in any order. */
  #number = 0;
  /** The pages that the reader has been to. @type {Map<string, Page>} */
  #pages = new Map();
  /** @type {Page | null} */
  #shown = null;
  /** The page that is shown once it has loaded. @type {Page | null} */
  #next = null;
  /** The page that the reader has gone to, until Streamlit has sent it. */
  #wanted = { page: "", hash: "", until: 0 };
  #disposal = new AbortController();

  /** @param {Component} component */
  constructor(component) {
    this.#component = component;
    this.#root = component.parentElement;
    this.#common = component.data[1];
    if (this.#common.pages) this.#watch();
  }

  /** @param {Component} component */
  receive(component) {
    const [number, common, data] = component.data;
    this.#component = component;
    if (number <= this.#number) return;
    this.#number = number;
    this.#common = common;
    rememberOwn(common);
    const page = this.#pages.get(data.page) ?? new Page(this.#root, data, common);
    this.#pages.set(data.page, page);
    page.data = data;
    const isLeft = this.#wanted.page !== data.page && Date.now() < this.#wanted.until;
    if (isLeft) return;
    this.#wanted.until = 0;
    void this.#show(page);
  }

  // Going to another page

  #watch() {
    const { signal } = this.#disposal;
    // Streamlit would follow the links of its navigation after the capture phase; a page's own links may follow themselves.
    document.addEventListener("click", (event) => event.target instanceof Element && !event.target.shadowRoot && this.#handleClick(event), { signal, capture: true });
    document.addEventListener("click", (event) => this.#handleClick(event), { signal });
    document.addEventListener(GOING, (event) => this.#go(/** @type {CustomEvent<string>} */ (event).detail) && event.preventDefault(), { signal });
    window.addEventListener("popstate", () => this.#want(location), { signal, capture: true });
  }

  /** @param {MouseEvent} event */
  #handleClick(event) {
    const [target] = event.composedPath();
    const link = target instanceof Element && /** @type {HTMLAnchorElement | null} */ (target.closest(SAME_TAB_LINK));
    if (!link || event.defaultPrevented || isForBrowser(event) || !this.#go(link.href)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  /** Go to another page as the reader goes back to one, which Streamlit follows. Returns whether the address is of one. @param {string} address */
  #go(address) {
    const url = new URL(address, document.baseURI);
    if (this.#otherAt(url) === null) return false;
    history.pushState(history.state, "", url);
    window.dispatchEvent(new PopStateEvent("popstate"));
    return true;
  }

  /** The page at an address; null if it is not one of this component's, or the one on screen. @param {{origin: string, pathname: string}} address */
  #otherAt({ origin, pathname }) {
    const { base, pages } = this.#common;
    const page = pathname.startsWith(base) ? pathname.slice(base.length) : null;
    const isOurs = origin === location.origin && page !== null && pages?.includes(page);
    return isOurs && page !== this.#next?.data.page ? page : null;
  }

  /** @param {{origin: string, pathname: string, hash: string}} address */
  #want(address) {
    const wanted = this.#otherAt(address);
    if (wanted === null) return;
    this.#wanted = { page: wanted, hash: address.hash, until: Date.now() + WANTED_MS };
    const page = this.#pages.get(wanted);
    if (page) void this.#show(page);
  }

  /** Give a page that is about to start the link that it was asked for with, which Streamlit leaves out of the address. @param {Page} page */
  #restoreLink(page) {
    const { page: wanted, hash } = this.#wanted;
    this.#wanted.hash = "";
    if (wanted === page.data.page && hash && !location.hash) history.replaceState(history.state, "", location.pathname + location.search + hash);
  }

  /** Show a page in place of the one before, which stays until everything has arrived. @param {Page} page */
  async #show(page) {
    page.common = this.#common;
    if (page === this.#next) return page.update();
    this.#next = page;
    try {
      await page.load(!this.#shown);
      if (this.#next !== page || !this.#root.isConnected) return;
      if (this.#shown) document.querySelector('[data-testid="stMain"]')?.scrollTo(0, 0);
      this.#shown?.leave();
      this.#shown = page;
      document.documentElement.dataset.page = page.data.widget;
      this.#restoreLink(page);
      await page.enter((name, value) => this.#component.setStateValue(name, value));
    } catch (error) {
      page.apologize(error);
    }
  }

  dispose() {
    this.#disposal.abort();
    this.#next = null;
    this.#shown?.leave();
    delete document.documentElement.dataset.page;
  }
}

class Page {
  #root;
  #box = element("div");
  /** The widget's stylesheets, which are for this page only. @type {HTMLLinkElement[]} */
  #links = [];
  /** @type {any} */
  #module = null;
  #isShown = false;
  /** @type {Widget | null} */
  #widget = null;
  /** What the widget was given last, as text. */
  #given = "";

  /** @param {ShadowRoot} root @param {Shown} data @param {Common} common */
  constructor(root, data, common) {
    this.#root = root;
    this.data = data;
    this.common = common;
  }

  /** Load the widget's module and stylesheets, once. @param {boolean} isFirst whether no other page is in sight, so that they are urgent */
  async load(isFirst) {
    if (this.#module) return;
    for (const link of this.#links) link.remove(); // of a try that failed
    const media = isFirst ? "all" : NOWHERE;
    const files = new URL(`${this.common.base}_tokviz/static/`, document.baseURI).href;
    this.#links = this.data.sheets.map((path) => element("link", { rel: "stylesheet", media, href: files + path }));
    const styled = this.#links.map((link) => new Promise((resolve) => (link.onload = link.onerror = resolve)));
    this.#root.append(...this.#links, this.#box);
    [this.#module] = await Promise.all([import(`${files}${this.data.widget}/widget.js`), ...styled]);
  }

  /** @param {(name: string, value: any) => void} setState */
  async enter(setState) {
    this.#isShown = true;
    for (const link of this.#links) link.media = "all";
    const adopted = await fetchLinked(this.#box, this.common);
    if (!this.#isShown || this.#widget) return;
    if (adopted.length) setState("adopted", adopted);
    this.#given = this.#said;
    this.#widget = this.#module.mount(this.#box, { ...this.common, ...this.data }, {
      adopted: (/** @type {string[]} */ names) => setState("adopted", names),
      removed: (/** @type {string[]} */ names) => setState("removed", names),
      failed: (/** @type {unknown} */ error) => this.apologize(error),
    });
  }

  update() {
    if (!this.#widget || this.#said === this.#given) return;
    this.#given = this.#said;
    this.#widget.update({ ...this.common, ...this.data });
  }

  get #said() {
    return JSON.stringify([this.common, this.data]);
  }

  leave() {
    this.#isShown = false;
    // Otherwise Chromium never forgets the radio buttons of a shadow root, nor all that is around them.
    for (const radio of this.#box.querySelectorAll("input[type=radio]")) radio.removeAttribute("name");
    this.#widget?.dispose();
    this.#widget = null;
    this.#box.replaceChildren();
    for (const link of this.#links) link.media = NOWHERE;
  }

  /** @param {unknown} error */
  apologize(error) {
    console.error(error);
    this.#box.append(element("p", { role: "alert" }, "This part of the page could not start. Reload the page to try again."));
  }
}

/**
 * Keep the ids of the reader's own tokenizers in a cookie, with which a new session finds them. All tabs share it, so each
 * adds to it. In another site's frame, browsers keep it only if it is Partitioned, that is, only for this app in frames
 * of that site.
 *
 * @param {Common} common
 */
function rememberOwn({ base, own: { names, gone, cookie, most } }) {
  if (!names.length && !gone.length) return;
  const found = document.cookie.split("; ").find((each) => each.startsWith(`${cookie}=`)) ?? "=";
  const others = found.split("=")[1].split(".").filter((name) => name && !gone.includes(name) && !names.includes(name));
  const isFramed = window.top !== window && location.protocol === "https:";
  const sites = isFramed ? "SameSite=None; Secure; Partitioned" : "SameSite=Strict";
  document.cookie = `${cookie}=${[...others, ...names].slice(-most).join(".")}; path=${base}; ${sites}`;
}
