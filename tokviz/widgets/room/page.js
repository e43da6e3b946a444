/**
 * What the light pages for phones have in common.
 */

/** @typedef {{base: string, sheets: string[], words: import("./text.js").Words} & Record<string, any>} PageData `base`: the app's root; `sheets`: see `Source` in `figures.js` */

/** The element that shows the page. */
export const root = /** @type {HTMLElement} */ (document.getElementById("room"));

/** What the server put into the page. @returns {PageData} */
export function pageData() {
  const { up, ...data } = JSON.parse(document.getElementById("data")?.textContent ?? "{}");
  return { ...data, base: new URL(up, location.href).pathname };
}
