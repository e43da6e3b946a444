/**
 * Sharing and presenter mode for pages without a widget of their own.
 *
 * The text shared by the pages belongs to the session. This widget sends the session the text of an opened link or,
 * after a reload, the text remembered by the tab; and it has the tab remember texts typed here or opened by a link.
 */

import { Client, sentenceOf } from "../shared/net/client.js";
import { element, fill } from "../shared/dom/elements.js";
import { readFields } from "../shared/net/links.js";
import { closeMenuOnceChosen } from "../shared/page/menu.js";
import { createPresenter, screenScale } from "../shared/page/presenter.js";
import { chosenIn } from "../shared/net/recipes.js";
import { Share } from "../shared/ui/share.js";
import { createStore } from "../shared/page/store.js";
import { fitCharts } from "./paper.js";
import { keepPlace } from "./scrollplace.js";
import { SharedText } from "./text.js";
import { shownBy, takeFromAddress } from "./tokenizers.js";

/**
 * @param {HTMLElement} root
 * @param {any} data `base`: the app's root; `text`: the session's, null on a page without one; `isNew`: whether
 *   nothing was typed in the session yet, undefined if `text` is the page's own; `chosen`: the names of the page's
 *   tokenizers; `offered`: the names that the address may choose from, null if the page offers no choice; `query`,
 *   `fileQuery`: see `Shown`; `keepsPlace`: whether Back returns to the same place; `presenting`: the page's style;
 *   `presentedScale`: as last sent to the session
 * @param {{text: (text: string) => boolean | void, state: (view: {presenting: number}) => void, chosen: (names: string[]) => void}} on
 */
export function mount(root, data, on) {
  const disposal = new AbortController();
  const note = element("p", { class: "problem", role: "alert" });
  const tools = element("div", { class: "row tools" });
  const widget = element("div", { class: "tokviz frame in-app" }, tools, note);
  root.append(widget);

  const client = new Client(data.base);
  const shared = new SharedText(data, createStore(data.base), (text) => on.text(text));
  let scale = data.presentedScale;
  const presenter = createPresenter(widget, data.presenting, (isPresenting) => {
    const presenting = isPresenting ? Number(screenScale().toFixed(2)) : 0;
    if (isPresenting) takeKeys();
    if (presenting !== scale) on.state({ presenting });
    scale = presenting;
  });
  const share = new Share(client, () => shownBy(data, shared.text));
  tools.append(share.node, presenter.enter);
  widget.append(share.dialog, presenter.leave);
  // One of our links was put into the address of this page.
  window.addEventListener("hashchange", () => readFields(location.hash) && location.reload(), { signal: disposal.signal });
  const place = data.keepsPlace ? keepPlace() : null;
  const charts = fitCharts();
  closeMenuOnceChosen();
  void begin();

  async function begin() {
    const fields = readFields(location.hash);
    const named = takeFromAddress(data.offered);
    if (named) on.chosen(named);
    if (fields) await openLink(fields);
    else shared.sendRemembered();
  }

  /** @param {Record<string, string>} fields */
  async function openLink(fields) {
    const chosen = chosenIn(fields);
    if (chosen) on.chosen(chosen);
    const text = await client.linkText(fields).catch((error) => void fill(note, sentenceOf(error)));
    if (disposal.signal.aborted) return;
    history.replaceState(history.state, "", location.pathname + location.search);
    if (typeof text === "string") shared.use(text);
  }

  return {
    /** @param {any} newer */
    update(newer) {
      data = newer;
      shared.update(newer);
    },
    dispose() {
      disposal.abort();
      for (const part of [place, charts, share, presenter]) part?.dispose();
      widget.remove();
    },
  };
}

/** Let the keys that page through a text, which a clicker sends too, reach the page at once. */
function takeKeys() {
  const page = /** @type {HTMLElement | null} */ (document.querySelector('[data-testid="stMain"]'));
  page?.focus({ preventScroll: true });
}
