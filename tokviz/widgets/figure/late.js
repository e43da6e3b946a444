/**
 * A live figure whose many modules are loaded when the first one is shown.
 */

import { element } from "../shared/dom/elements.js";

/** @typedef {import("./figure.js").Link} Link */
/** @typedef {import("./figure.js").Shown} Shown */

/** @param {string} label of what is shown */
export function createLive(label) {
  const node = element("div", { class: "live" });
  /** @type {{dispose: () => void} | null} */
  let figure = null;
  let newest = 0;

  function clear() {
    newest++;
    figure?.dispose();
    figure = null;
  }

  return {
    node,
    /** @param {string | Shown | Promise<Shown>} source see `mountFigure` @param {Link} [link] @param {Promise<unknown>} [sheets] are awaited, too */
    async show(source, link = { label, page: "", fields: {}, text: null }, sheets = Promise.resolve()) {
      const asked = ++newest;
      const { mountFigure } = await import("./figure.js");
      await sheets;
      if (asked !== newest) return;
      figure?.dispose();
      figure = mountFigure(node, source, link);
    },
    clear,
    dispose: clear,
  };
}
