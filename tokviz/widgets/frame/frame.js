/**
 * Sharing and presenter mode around a page that shows no text of the reader's.
 */

import { Client } from "../shared/net/client.js";
import { element, explainTerms } from "../shared/dom/elements.js";
import { readFields } from "../shared/net/links.js";
import { closeMenuOnceChosen } from "../shared/page/menu.js";
import { createPresenter, takeKeys } from "../shared/page/presenter.js";
import { createShare } from "../shared/ui/share.js";
import { keepPlace } from "./scrollplace.js";

/**
 * @typedef {object} Presented what fills the screen in presenter mode instead of the page
 * @property {HTMLElement} bar its controls, which hide while there is no input
 * @property {(isPresenting: boolean) => void} present called at first and when the mode changes
 * @property {() => void} dispose
 */

/**
 * @param {HTMLElement} root
 * @param {any} data `base`: the app's root; `query`: see `Shown`; `keepsPlace`: whether Back returns to the same place;
 *   `presenting`: the page's style
 * @param {Presented | null} [presented]
 */
export function mountFrame(root, data, presented = null) {
  const disposal = new AbortController();
  const tools = element("div", { class: "row tools" });
  const widget = element("div", { class: "tokviz frame in-app" }, tools, presented?.bar);
  root.append(widget);

  const client = new Client(data.base);
  const presenter = createPresenter(widget, data.presenting, (isPresenting) => {
    if (presented) presented.present(isPresenting);
    else if (isPresenting) takeKeys();
  });
  const share = createShare(client, () => ({ fields: {}, text: null, query: data.query }));
  tools.append(share.node, presenter.enter);
  widget.append(share.dialog, presenter.leave);
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
