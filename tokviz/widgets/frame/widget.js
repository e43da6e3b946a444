/**
 * Sharing and presenter mode for pages without a widget of their own.
 *
 * The text shared by the pages belongs to the session. This widget sends the session the text of an opened link or,
 * after a reload, the text remembered by the tab; and it has the tab remember texts typed here or opened by a link.
 */

import { Client, sentenceOf } from "../shared/net/client.js";
import { element, fill } from "../shared/dom/elements.js";
import { sourceOf } from "../shared/text/escapes.js";
import { readFields, readText } from "../shared/net/links.js";
import { createPresenter } from "../shared/page/presenter.js";
import { chosenField, chosenIn, ownOf } from "../shared/net/recipes.js";
import { Share } from "../shared/ui/share.js";
import { createStore } from "../shared/page/store.js";
import { fitCharts } from "./paper.js";
import { keepPlace } from "./place.js";

/** The query parameter in which Streamlit keeps the chosen tokenizers. */
const TOKENIZERS = "tokenizers";
/**
 * The tokenizers named in the address before it was changed. Streamlit may remount a widget before its state has been
 * sent, so each mount sends them; the session receives them once. @type {string[] | null}
 */
let namedInAddress = null;

/**
 * @param {HTMLElement} root
 * @param {any} data `base`: the app's root; `text`: the session's, null on a page without one; `isNew`: whether
 *   nothing was typed in the session yet, undefined if `text` is the page's own; `chosen`: the names of the page's
 *   tokenizers; `offered`: the names that the address may choose from, null if the page offers no choice; `query`,
 *   `fileQuery`: see `Shown`; `keepsPlace`: whether Back returns to the same place; `presenting`: the page's style;
 *   `isPresenting`: as last sent to the session
 * @param {{text: (text: string) => boolean | void, state: (view: {presenting: boolean}) => void, chosen: (names: string[]) => void}} on
 */
export function mount(root, data, on) {
  const client = new Client(data.base);
  const store = createStore(data.base);
  const note = element("p", { class: "problem", role: "alert" });
  const tools = element("div", { class: "row tools" });
  const widget = element("div", { class: "tokviz frame" }, tools, note);
  root.append(widget);
  let { text } = data;
  const disposal = new AbortController();

  const presenter = createPresenter(widget, data.presenting, (presenting) => {
    if (presenting !== data.isPresenting) on.state({ presenting });
    data.isPresenting = presenting;
  });
  const share = new Share(client, shown);
  tools.append(share.node, presenter.enter);
  widget.append(share.dialog, presenter.leave);
  // One of our links was put into the address of this page.
  window.addEventListener("hashchange", () => readFields(location.hash) && location.reload(), { signal: disposal.signal });
  const place = data.keepsPlace ? keepPlace() : null;
  const charts = fitCharts();
  void begin();

  async function begin() {
    const fields = readFields(location.hash);
    removeUnavailable();
    if (fields) await openLink(fields);
    else sendRemembered();
  }

  /** Remove unavailable tokenizers from the address before Streamlit does, which would also drop the fragment. */
  function removeUnavailable() {
    const query = new URLSearchParams(location.search);
    const named = query.getAll(TOKENIZERS).filter((name) => name !== "");
    if (data.offered && !named.every((name) => data.offered.includes(name))) {
      namedInAddress = named;
      query.delete(TOKENIZERS);
      history.replaceState(history.state, "", `${location.pathname}${query.size ? `?${query}` : ""}${location.hash}`);
    }
    if (data.offered && namedInAddress) on.chosen(namedInAddress);
  }

  /**
   * Return what to share. The page's query names the chosen tokenizers; with user-made ones, the link's fragment does
   * so instead: Streamlit reads the query before they are available, and removes unknown choices from the address,
   * together with the fragment.
   */
  function shown() {
    const { chosen = [], tokenizers, query, fileQuery } = data;
    const own = ownOf(chosen, tokenizers);
    if (!own.length) return { fields: {}, text, query, fileQuery };
    return { fields: chosenField(chosen), text, own, query: { ...query, [TOKENIZERS]: null }, fileQuery };
  }

  /** Send the tab's text if the session has none, or never received the latest. */
  function sendRemembered() {
    if (data.isNew === undefined) return;
    const remembered = store.read();
    if (!data.isNew && !remembered?.unsent) return;
    if (typeof remembered?.text === "string" && remembered.text !== text) use(remembered.text);
  }

  /** @param {Record<string, string>} fields */
  async function openLink(fields) {
    const chosen = chosenIn(fields);
    if (chosen) on.chosen(chosen);
    const found = await textOf(fields).catch((error) => void fill(note, sentenceOf(error)));
    if (disposal.signal.aborted) return;
    history.replaceState(history.state, "", location.pathname + location.search);
    if (typeof found === "string") use(found);
  }

  /** @param {Record<string, string>} fields */
  async function textOf(fields) {
    return fields.sample ? (await client.sample(fields.sample)).text : readText(fields);
  }

  /** @param {string} newText */
  function use(newText) {
    text = newText;
    const unsent = on.text(newText) === false;
    if (data.isNew !== undefined) remember(newText, unsent);
  }

  /** @param {string} newText @param {boolean} [unsent] */
  function remember(newText, unsent = false) {
    const stored = store.read();
    if (stored?.text !== newText) store.write({ ...stored, ...sourceOf(newText), text: newText, lang: "", unsent });
    else if (Boolean(stored.unsent) !== unsent) store.write({ ...stored, unsent });
  }

  /** Handle a new session text: it was typed here, or the page shows it for the first time. */
  function textChanged() {
    text = data.text;
    if (data.isNew) sendRemembered();
    else if (data.isNew === false) remember(data.text);
  }

  return {
    /** @param {any} newer */
    update(newer) {
      const { text: before } = data;
      const { text: now, isNew, query, fileQuery, chosen, tokenizers } = newer;
      Object.assign(data, { text: now, isNew, query, fileQuery, chosen, tokenizers });
      if (now !== before) textChanged(); // otherwise the text of a link is newer than the session's
    },
    dispose() {
      disposal.abort();
      place?.dispose();
      charts.dispose();
      share.dispose();
      presenter.dispose();
      widget.remove();
    },
  };
}
