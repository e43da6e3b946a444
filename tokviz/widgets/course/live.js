/**
 * A page's own widget within a figure of the course. Its many modules are loaded when the first one is shown.
 */

import { element } from "../shared/dom/elements.js";

/** @typedef {import("../figure/figure.js").Link} Link */
/** @typedef {import("../figure/figure.js").Shown} Shown */

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
    /** @param {Shown | Promise<Shown>} source @param {Link} [link] */
    async show(source, link = { label, page: "", fields: {}, text: null }) {
      const asked = ++newest;
      const { mountFigure } = await import("../figure/figure.js");
      if (asked !== newest) return;
      figure?.dispose();
      figure = mountFigure(node, source, link);
    },
    clear,
    dispose: clear,
  };
}
