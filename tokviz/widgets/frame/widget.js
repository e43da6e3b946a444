/**
 * What a page without a widget of its own has as the others do: a link to share, and presenter mode.
 *
 * The text that the pages share is the session's. This widget brings it the text of a link that was opened, and after a
 * reload the text that the tab remembers.
 */

import { createClient } from "../shared/client.js";
import { element, fill } from "../shared/elements.js";
import { readFields, readText } from "../shared/links.js";
import { createPresenter } from "../shared/presenter.js";
import { createShare } from "../shared/share.js";
import { createStore } from "../shared/store.js";
import { keepPlace } from "./place.js";

/**
 * @param {HTMLElement} root
 * @param {any} data `base`: the app's root; `text`: the session's, null on a page that shows none; `isNew`: whether
 *   nobody has typed in it yet; `query`, `fileQuery`: see `Shown`; `keepsPlace`: whether Back returns to the very place; `presenting`: the page's style; `isPresenting`:
 *   whether the session was told so
 * @param {{text: (text: string) => void, state: (view: {presenting: boolean}) => void}} on
 */
export function mount(root, data, on) {
  const client = createClient(data.base);
  const note = element("p", { class: "problem", role: "alert" });
  const tools = element("div", { class: "row tools" });
  const widget = element("div", { class: "tokviz frame" }, tools, note);
  root.append(widget);
  let { text } = data;
  let disposed = false;

  const presenter = createPresenter(widget, data.presenting, (presenting) => {
    if (presenting !== data.isPresenting) on.state({ presenting });
    data.isPresenting = presenting;
  });
  const share = createShare(client, () => ({ fields: {}, text, query: data.query, fileQuery: data.fileQuery }));
  tools.append(share.node, presenter.enter);
  widget.append(share.dialog, presenter.leave);
  const place = data.keepsPlace ? keepPlace() : null;
  void begin();

  async function begin() {
    const fields = readFields(location.hash);
    if (fields) return openLink(fields);
    const remembered = createStore(data.base).read();
    if (typeof remembered?.text === "string" && remembered.text !== text && data.isNew) use(remembered.text);
  }

  /** @param {Record<string, string>} fields */
  async function openLink(fields) {
    const found = await textOf(fields).catch((error) => void fill(note, error.message));
    if (disposed) return;
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
    on.text(newText);
  }

  return {
    /** @param {any} newer */
    update(newer) {
      text = newer.text;
      Object.assign(data, { query: newer.query, fileQuery: newer.fileQuery });
    },
    dispose() {
      disposed = true;
      place?.dispose();
      share.dispose();
      presenter.dispose();
      widget.remove();
    },
  };
}
