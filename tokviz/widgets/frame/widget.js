/**
 * What a page without a widget of its own has as the others do: a link to share, and presenter mode.
 *
 * The text that the pages share is the session's. This widget brings it the text of a link that was opened, and after a
 * reload the text that the tab remembers; and it has the tab remember what was typed here or came by a link.
 */

import { createClient, sentenceOf } from "../shared/client.js";
import { element, fill } from "../shared/elements.js";
import { sourceOf } from "../shared/escapes.js";
import { readFields, readText } from "../shared/links.js";
import { createPresenter } from "../shared/presenter.js";
import { chosenField, chosenIn, ownOf } from "../shared/recipes.js";
import { createShare } from "../shared/share.js";
import { createStore } from "../shared/store.js";
import { fitCharts } from "./paper.js";
import { keepPlace } from "./place.js";

/** The name in the page's query under which Streamlit keeps the choice of tokenizers. */
const TOKENIZERS = "tokenizers";
/**
 * What the address chose before it was changed. Streamlit may mount a widget anew before what it told has been sent, so
 * each mount tells it; the session hears it once. @type {string[] | null}
 */
let addressed = null;

/**
 * @param {HTMLElement} root
 * @param {any} data `base`: the app's root; `text`: the session's, null on a page that shows none; `isNew`: whether
 *   nobody has typed in it yet, undefined where `text` is the page's own; `chosen`: the names of the page's tokenizers; `offered`: what the address may call those that can be chosen, null where nothing is chosen; `query`, `fileQuery`: see `Shown`; `keepsPlace`: whether Back returns to the very place; `presenting`: the page's style; `isPresenting`:
 *   whether the session was told so
 * @param {{text: (text: string) => boolean | void, state: (view: {presenting: boolean}) => void, chosen: (names: string[]) => void}} on
 */
export function mount(root, data, on) {
  const client = createClient(data.base);
  const store = createStore(data.base);
  const note = element("p", { class: "problem", role: "alert" });
  const tools = element("div", { class: "row tools" });
  const widget = element("div", { class: "tokviz frame" }, tools, note);
  root.append(widget);
  let { text } = data;
  const gone = new AbortController();

  const presenter = createPresenter(widget, data.presenting, (presenting) => {
    if (presenting !== data.isPresenting) on.state({ presenting });
    data.isPresenting = presenting;
  });
  const share = createShare(client, shown);
  tools.append(share.node, presenter.enter);
  widget.append(share.dialog, presenter.leave);
  // A link of ours that is put into the address of this very page.
  window.addEventListener("hashchange", () => readFields(location.hash) && location.reload(), { signal: gone.signal });
  const place = data.keepsPlace ? keepPlace() : null;
  const charts = fitCharts();
  void begin();

  async function begin() {
    const fields = readFields(location.hash);
    chooseAmongThoseHere();
    if (fields) await openLink(fields);
    else bringRemembered();
  }

  /** Take tokenizers that aren't here out of the address before Streamlit does, which would drop the text behind the `#`. */
  function chooseAmongThoseHere() {
    const query = new URLSearchParams(location.search);
    const named = query.getAll(TOKENIZERS).filter((name) => name !== "");
    if (data.offered && !named.every((name) => data.offered.includes(name))) {
      addressed = named;
      query.delete(TOKENIZERS);
      history.replaceState(history.state, "", `${location.pathname}${query.size ? `?${query}` : ""}${location.hash}`);
    }
    if (data.offered && addressed) on.chosen(addressed);
  }

  /**
   * The page's query says which tokenizers are chosen. With some that others don't have, the link says it behind its `#`
   * instead: Streamlit reads the query before they are there, and takes a choice that it doesn't know out of the address,
   * with all that stands behind the `#`.
   */
  function shown() {
    const { chosen = [], tokenizers, query, fileQuery } = data;
    const own = ownOf(chosen, tokenizers);
    if (!own.length) return { fields: {}, text, query, fileQuery };
    return { fields: chosenField(chosen), text, own, query: { ...query, [TOKENIZERS]: null }, fileQuery };
  }

  /** The text of the tab, where the session knows none, or was never told the newest. */
  function bringRemembered() {
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
    if (gone.signal.aborted) return;
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

  /** The session's text is another now: it was typed here, or the page shows it only now. */
  function textChanged() {
    text = data.text;
    if (data.isNew) bringRemembered();
    else if (data.isNew === false) remember(data.text);
  }

  return {
    /** @param {any} newer */
    update(newer) {
      const { text: before } = data;
      const { text: now, isNew, query, fileQuery, chosen, tokenizers } = newer;
      Object.assign(data, { text: now, isNew, query, fileQuery, chosen, tokenizers });
      if (now !== before) textChanged(); // else what a link brought is newer than what the session says
    },
    dispose() {
      gone.abort();
      place?.dispose();
      charts.dispose();
      share.dispose();
      presenter.dispose();
      widget.remove();
    },
  };
}
